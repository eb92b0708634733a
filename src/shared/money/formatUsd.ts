/** 0.00123 → "$0.0012"; whole cents for larger amounts. The sandbox's amounts are always labelled as play money. */
export function formatUsd(usd: number, isPlayMoney = false): string {
  const amount = usd === 0 ? "$0" : usd < 0.01 ? `$${smallText(usd)}` : `$${usd.toFixed(2)}`;
  return isPlayMoney ? `${amount} play money` : amount;
}

/** Two significant digits, never with an exponent. */
function smallText(usd: number): string {
  const places = Math.min(30, 1 - Math.floor(Math.log10(Math.abs(usd))));
  return Number(usd.toPrecision(2)).toFixed(Math.max(2, places)).replace(/0+$/, "").replace(/\.$/, "");
}

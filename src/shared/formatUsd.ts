/** 0.00123 → "$0.0012"; cents where it is more than one. The sandbox's money is made up, and is called that wherever it stands. */
export function formatUsd(usd: number, isPlayMoney = false): string {
  const amount = usd === 0 ? "$0" : usd < 0.01 ? `$${smallText(usd)}` : `$${usd.toFixed(2)}`;
  return isPlayMoney ? `${amount} play money` : amount;
}

/** Two digits that count, never with an exponent. */
function smallText(usd: number): string {
  const places = Math.min(15, 1 - Math.floor(Math.log10(Math.abs(usd))));
  return Number(usd.toPrecision(2)).toFixed(Math.max(2, places)).replace(/0+$/, "").replace(/\.$/, "");
}

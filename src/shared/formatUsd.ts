/** 0.00123 → "$0.0012"; cents where it is more than one. The sandbox's money is made up, and is called that wherever it stands. */
export function formatUsd(usd: number, isPlayMoney = false): string {
  const amount = usd === 0 ? "$0" : usd < 0.01 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`;
  return isPlayMoney ? `${amount} play money` : amount;
}

/** An integer as a decimal with this many places: exact, without trailing zeros. */
export function scaled(value: bigint, decimals: number): string {
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const fraction = text.slice(-decimals).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${text.slice(0, -decimals)}${fraction && `.${fraction}`}`;
}

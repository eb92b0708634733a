/** An integer as a decimal with this many places: exact, without trailing zeros. */
export function scaled(value: bigint, decimals: number): string {
  const text = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const fraction = withoutTrailingZeros(text.slice(-decimals));
  return `${value < 0n ? "-" : ""}${text.slice(0, -decimals)}${fraction && `.${fraction}`}`;
}

/** Digits without the zeros at their end. A pattern would try each zero of a long text. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

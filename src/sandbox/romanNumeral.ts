const signs = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

/** `xiv` for 14. `number`: a positive whole number; each thousand is one sign, so that callers bound it. */
export function romanNumeral(number: number): string {
  let [text, rest] = ["", number];
  for (const [value, sign] of signs) for (; rest >= value; rest -= value) text += sign;
  return text;
}

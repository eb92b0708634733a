import { parseWithSource } from "./exactJson.ts";

/**
 * Parses JSON without losing a digit of a number beyond 2^53: a whole one that a float would round is a bigint, also
 * `9007199254740993.0` and `1E400`; another one is its text. Throws as JSON.parse does.
 */
export function parseAnswer(text: string): unknown {
  return mayRound.test(text) ? parseWithSource(text, sentNumber) : JSON.parse(text);
}

/**
 * A number of this many digits may lose precision as a float. A match inside a string is harmless: the parser decides.
 */
const mayRound = /(?:^|[\s:,[])-?(?:\d{16}|\d[\d.]*[eE]\+?\d{3}|\d[\d.]{15,}[eE])/;

function sentNumber(_key: string, value: unknown, { source = "" }: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  if (/^-?\d+$/.test(source)) return BigInt(source);
  const sent = decimalOf(source);
  const { sign, digits, exponent } = sent;
  const kept = decimalOf(String(value));
  // The shortest form of a float is how most programs write it.
  if (kept.digits === digits && kept.exponent === exponent) return value;
  const isWhole = exponent >= 0 && digits.length + exponent <= maxDigits;
  return isWhole ? BigInt(`${sign}${digits}${"0".repeat(exponent)}`) : source;
}

/** Digits of a whole number that is written with a point or an exponent. */
const maxDigits = 1000;

/** `-15.00e3` as the digits `15` times 10^3; the exponent of text that is no number is NaN. */
function decimalOf(text: string) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  // A pattern would go back over each run of zeros.
  while (all[end - 1] === "0") end--;
  const digits = all.slice(0, end).replace(/^0+/, "");
  return { sign, digits, exponent: end === 0 ? Number.NaN : Number(exponent) + whole.length - end };
}

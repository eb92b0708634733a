import { maxDigits } from "../literal.ts";
import { durations, solanaUnits, units, type Value } from "../nodes.ts";

type NumberValue = Extract<Value, { kind: "number" }>;

const decimalsOf: ReadonlyMap<string, number> = new Map(Object.entries(units));
const secondsOf: ReadonlyMap<string, number> = new Map(Object.entries(durations));

/** A whole number as bigint, others as number; undefined for a fraction of a wei or lamport or a number that is too long. */
export function scaledNumber({
  text,
  unit,
}: Pick<NumberValue, "text" | "unit">): bigint | number | undefined {
  if (text.length > maxDigits) return undefined;
  const plain = text.replace(/_/g, "");
  const decimals = unit && decimalsOf.get(unit.text);
  if (decimals !== undefined) return amount(plain, decimals);
  const seconds = (unit && secondsOf.get(unit.text)) ?? 1;
  if (/^-?\d+$/.test(plain)) return BigInt(plain) * BigInt(seconds);
  const whole = seconds === 1 ? wholeNumber(plain) : wholeSeconds(plain, seconds);
  if (whole !== undefined) return whole;
  const number = Number(plain) * seconds;
  return Number.isFinite(number) ? number : undefined;
}

/** A decimal in the smallest unit; undefined for a fraction of it, and for more than `maxDigits` zeros. */
function amount(plain: string, decimals: number): bigint | undefined {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(plain) ?? [];
  const zeros = decimals + Number(exponent) - fraction.length;
  if (zeros < 0 || zeros > maxDigits) return undefined;
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(zeros);
}

/** `1e30` is exact, where floating point is not; undefined for a fraction, and without an exponent. */
function wholeNumber(plain: string): bigint | undefined {
  return /e/i.test(plain) ? amount(plain, 0) : undefined;
}

/** `1.1` min is 66 s, where floating point gives 66.00000000000001; undefined for a fraction of a second. */
function wholeSeconds(plain: string, seconds: number): bigint | undefined {
  const [, sign, whole, fraction] = /^(-?)(\d+)\.(\d+)$/.exec(plain) ?? [];
  if (fraction === undefined) return undefined;
  const [scaled, one] = [
    BigInt(`${sign}${whole}${fraction}`) * BigInt(seconds),
    10n ** BigInt(fraction.length),
  ];
  return scaled % one === 0n ? scaled / one : undefined;
}

/** The reason that a number can't be sent. */
export function numberProblem({ text, unit }: NumberValue): string {
  if (text.length > maxDigits) return `A number has at most ${maxDigits} digits`;
  const smallest = unit && solanaUnits.has(unit.text) ? "lamports" : "wei";
  return unit
    ? `${text} ${unit.text} is not a whole number of ${smallest}`
    : `${text} is too large for a number`;
}

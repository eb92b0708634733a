/**
 * An amount as an integer of 1e-18 units, so that sums are exact. It has no currency, so it stays inside the arithmetic of
 * one currency: tallies and parsing. What leaves it is `Money`.
 */
export type Exact = bigint;

const places = 18;

/** A parsed decimal number: `digits` divided by 10 to the power of `scale`. */
interface Written {
  readonly digits: bigint;
  readonly scale: number;
}

/** Parses a decimal text or a JavaScript number. Digits beyond 1e-18 are rounded half away from zero. */
export function toExact(value: number | string): Exact {
  if (typeof value === "number") {
    const nano = Math.round(value * 1e9);
    // Fast path for numbers with at most nine decimal places, which covers nearly all prices of the service.
    if (Number.isSafeInteger(nano) && nano / 1e9 === value) return BigInt(nano) * 1_000_000_000n;
  }
  const written = read(value);
  return rescaled(written, places);
}

/** Price times units, exactly. */
export function product(price: number, units: number): Exact {
  const [a, b] = [read(price), read(units)];
  return rescaled({ digits: a.digits * b.digits, scale: a.scale + b.scale }, places);
}

/** All significant digits: `-0.0000125`, never with an exponent. */
export function exactText(amount: Exact): string {
  return text(amount, places);
}

/** A fixed number of decimal places, rounded half away from zero. */
export function fixedText(amount: Exact, wanted: number): string {
  const cut = rescaled({ digits: amount, scale: places }, wanted);
  const [size, sign] = cut < 0n ? [-cut, "-"] : [cut, ""];
  const digits = String(size).padStart(wanted + 1, "0");
  return wanted === 0 ? sign + digits : `${sign}${digits.slice(0, -wanted)}.${digits.slice(-wanted)}`;
}

/** The nearest float, for bars and axes. Never sum these. */
export function toNumber(amount: Exact): number {
  return Number(exactText(amount));
}

/** A number in decimal notation; JavaScript writes 6.25e-7. */
export function decimalText(value: number): string {
  const written = String(value);
  if (!written.includes("e")) return written;
  const { digits, scale } = read(value);
  return text(digits, scale);
}

/** A sum of many numbers that is exact and fast: integers of nano-units are summed as numbers. */
export interface ExactSum {
  nano: number;
  rest: Exact;
}

const gatherLimit = 2 ** 52;

export function addTo(sum: ExactSum, value: number): void {
  const nano = Math.round(value * 1e9);
  if (Math.abs(nano) > gatherLimit || nano / 1e9 !== value) {
    sum.rest += toExact(value);
    return;
  }
  sum.nano += nano;
  if (Math.abs(sum.nano) > gatherLimit) {
    sum.rest += BigInt(sum.nano) * 1_000_000_000n;
    sum.nano = 0;
  }
}

export function newSum(): ExactSum {
  return { nano: 0, rest: 0n };
}

export function sumTotal({ nano, rest }: ExactSum): Exact {
  return rest + BigInt(nano) * 1_000_000_000n;
}

/** Without the entries that are zero. */
export function withoutZeros(sums: ReadonlyMap<string, Exact>): ReadonlyMap<string, Exact> {
  return new Map([...sums].filter(([, amount]) => amount !== 0n));
}

function read(value: number | string): Written {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(String(value).trim()) ?? [];
  if (whole === undefined) throw new RangeError(`${value} is not a decimal number`);
  const size = BigInt(whole + fraction);
  const digits = sign === "-" ? -size : size;
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function rescaled({ digits, scale }: Written, wanted: number): bigint {
  if (scale <= wanted) return digits * 10n ** BigInt(wanted - scale);
  const step = 10n ** BigInt(scale - wanted);
  return (digits + (digits < 0n ? -step : step) / 2n) / step;
}

function text(digits: bigint, scale: number): string {
  const [size, sign] = digits < 0n ? [-digits, "-"] : [digits, ""];
  const all = String(size).padStart(scale + 1, "0");
  const cut = all.length - scale;
  const fraction = all.slice(cut).replace(/0+$/, "");
  return `${sign}${all.slice(0, cut)}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Money in whole nano-units of its currency, 1e-9 each: sums are exact. Nine million are the most that fits; what is
 * larger throws instead of losing a digit.
 */
export type Nano = number;

const nanoPlaces = 9;

/** A number as it is written in decimal: `digits` divided by 10 to the `places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Of a decimal number, as text or as JavaScript writes it; what is finer than a nano is rounded half up. */
export function toNano(value: number | string): Nano {
  return rounded(parse(value), nanoPlaces);
}

/** What so many units cost, rounded half up where a price is finer than a nano. */
export function costOf(pricePerUnit: number, units: number): Nano {
  const price = parse(pricePerUnit);
  const count = parse(units);
  return rounded({ digits: price.digits * count.digits, places: price.places + count.places }, nanoPlaces);
}

export function addNano(a: Nano, b: Nano): Nano {
  return checked(a + b);
}

/** A price per million as a price per one, to the last digit. */
export function perMillion(price: number): number {
  const { digits, places } = parse(price);
  return Number(written({ digits, places: places + 6 }));
}

/** For JSON: the number whose decimal writing is this amount. */
export function nanoNumber(amount: Nano): number {
  // Both are exact and the quotient is rounded once. Zero has no sign.
  return amount === 0 ? 0 : amount / 1e9;
}

/** `-0.0000125`: all digits, none that says nothing, no exponent. */
export function nanoText(amount: Nano): string {
  const size = Math.abs(amount);
  const fraction = size % 1e9;
  const whole = `${amount < 0 ? "-" : ""}${(size - fraction) / 1e9}`;
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(nanoPlaces, "0").replace(/0+$/, "")}`;
}

/** With exactly so many decimal places, rounded half up. */
export function fixedDigits(amount: Nano, places: number): string {
  const cut = rounded({ digits: BigInt(amount), places: nanoPlaces }, places);
  const digits = String(Math.abs(cut)).padStart(places + 1, "0");
  return `${cut < 0 ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Any number in plain decimal digits: JavaScript writes 6.25e-7. */
export function plainDigits(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : written(parse(value));
}

function parse(value: number | string): Decimal {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError(`${value} is not a decimal number`);
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const places = fraction.length - Number(exponent);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

function rounded({ digits, places }: Decimal, wanted: number): number {
  if (places <= wanted) return checked(Number(digits * 10n ** BigInt(wanted - places)));
  const step = 10n ** BigInt(places - wanted);
  const half = digits < 0n ? -step / 2n : step / 2n;
  return checked(Number((digits + half) / step));
}

function checked(amount: number): Nano {
  if (Number.isSafeInteger(amount)) return amount;
  throw new RangeError(`${amount} nano-units are more than can be counted exactly`);
}

function written({ digits, places }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, "0");
  const cut = text.length - places;
  const fraction = text.slice(cut).replace(/0+$/, "");
  return `${digits < 0n ? "-" : ""}${text.slice(0, cut)}${fraction === "" ? "" : `.${fraction}`}`;
}

// Uses big.js and not shared/money/exact.ts, so that a mistake there shows as a difference in the bill.
import Big from "big.js";

/**
 * Money in nano-units (1e-9) of its currency, so that sums are exact. Amounts above nine million throw instead
 * of losing a digit.
 */
export type Nano = number;

const nanoPlaces = 9;

/** Reads a decimal number. Digits below a nano-unit are rounded half away from zero. */
export function toNano(value: number | string): Nano {
  return rounded(parse(value));
}

/** The price of a number of units, rounded half away from zero to nano-units. */
export function costOf(pricePerUnit: number, units: number): Nano {
  return rounded(parse(pricePerUnit).times(parse(units)));
}

export function addNano(a: Nano, b: Nano): Nano {
  return checked(a + b);
}

/** The exact price for one, given the price per million. */
export function perMillion(price: number): number {
  return Number(parse(price).times("1e-6").toString());
}

/** For JSON: the number whose decimal text is this amount. */
export function nanoNumber(amount: Nano): number {
  // Dividend and divisor are exact, so the quotient is rounded once. Zero has no sign.
  return amount === 0 ? 0 : amount / 1e9;
}

/** `-0.0000125`: all significant digits, without an exponent. */
export function nanoText(amount: Nano): string {
  const size = Math.abs(amount);
  const fraction = size % 1e9;
  const whole = `${amount < 0 ? "-" : ""}${(size - fraction) / 1e9}`;
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(nanoPlaces, "0").replace(/0+$/, "")}`;
}

/** With exactly `places` decimal places, rounded half away from zero. */
export function fixedDigits(amount: Nano, places: number): string {
  const text = new Big(amount).times("1e-9").toFixed(places, Big.roundHalfUp);
  // big.js keeps the sign of a negative amount that is rounded to zero.
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

/** Any number in decimal digits without an exponent. JavaScript writes 6.25e-7. */
export function plainDigits(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : parse(value).toFixed();
}

function parse(value: number | string): Big {
  try {
    return new Big(value);
  } catch {
    throw new RangeError(`${value} is not a decimal number`);
  }
}

function rounded(amount: Big): Nano {
  // The digits with nine places are the number of nano-units. Adding 0 turns -0 into 0.
  return checked(Number(amount.toFixed(nanoPlaces, Big.roundHalfUp).replace(".", "")) + 0);
}

function checked(amount: number): Nano {
  if (Number.isSafeInteger(amount)) return amount;
  throw new RangeError(`${amount} nano-units are more than can be counted exactly`);
}

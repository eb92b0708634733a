/** The service shows so many characters of a key (spec, API key record: last6Chars). */
const shownLength = 6;
/** Of a shorter key the end would be too much: a quarter is the most that is written down. */
const leastLength = 4 * shownLength;

/**
 * The last characters of a key, by which the service names it in its list. They tell keys of an account apart, and are no
 * secret. Undefined for a key that is too short to show a part of it, as some servers on the own machine have.
 */
export function keyEndingOf(key: string | undefined): string | undefined {
  return key === undefined || key.length < leastLength ? undefined : key.slice(-shownLength);
}

/** True for text that can be the end of a key. The ledger is a file, and its lines are checked when they are read. */
export function isKeyEnding(value: unknown): value is string {
  return typeof value === "string" && value.length === shownLength && /^[\x21-\x7e]+$/.test(value);
}

export type Hex = `0x${string}`;

/** A JSON-RPC quantity: hexadecimal without leading zeros. */
export function toQuantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** A number as a 32-byte word. */
export function toWord(value: number | bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Bytes as hexadecimal digits, without `0x`. */
export function hexDigits(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The ends of an address, for people: `0xf39F…2266`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

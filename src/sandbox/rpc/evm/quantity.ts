export type Hex = `0x${string}`;

/** A JSON-RPC quantity: hexadecimal without leading zeros. */
export function quantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** A number as a 32-byte word. */
export function word(value: number | bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** An address as a 32-byte word. */
export function addressWord(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

export function lower(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}

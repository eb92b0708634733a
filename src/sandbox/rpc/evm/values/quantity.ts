import type { Hex } from "../../../../shared/rpc/hex.ts";

/** An address as a 32-byte word. */
export function addressWord(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

export function lower(hex: string): Hex {
  return hex.toLowerCase() as Hex;
}

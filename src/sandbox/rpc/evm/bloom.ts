import type { ChainLog } from "./block.ts";
import { keccak256 } from "./crypto.ts";
import type { Hex } from "./quantity.ts";

const bloomBytes = 256;

/** The bloom filter of logs: three bits for each address and topic (Ethereum yellow paper, 4.3.1). */
export function bloomOf(logs: readonly ChainLog[]): Hex {
  const bloom = Buffer.alloc(bloomBytes);
  for (const { address, topics } of logs) for (const value of [address, ...topics]) mark(bloom, value);
  return `0x${bloom.toString("hex")}`;
}

function mark(bloom: Buffer, value: Hex): void {
  const hash = keccak256(value, "bytes");
  for (const pair of [0, 2, 4]) {
    const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 2047;
    const byte = bloomBytes - 1 - (bit >> 3);
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
  }
}

import { hexDigits, toQuantity } from "../../../shared/rpc/hex.ts";

/** Characters. Compilers generate shorter ones. */
export const maxSignature = 4_000;

/** Functions of the Ethereum library, which is loaded on first use. They throw an Error with a message for the user. */
export interface EvmTools {
  /** Calldata for `balanceOf(address)(uint256)`; numbers are decimal text. */
  encodeCall(signature: string, args: readonly unknown[]): string;
  /** The topics of an event filter; null matches any value. */
  encodeTopics(signature: string, args: readonly unknown[]): readonly (string | null)[];
  keccak(hex: string): string;
  /** The hash of an event's signature. */
  eventTopic(signature: string): string;
  /** The address with its EIP-55 checksum; undefined for other text. */
  checksummed?(address: string): string | undefined;
}

/** Applies a function of the language. Some need the Ethereum library. Throws an Error with a message for the user. */
export function applyFunction(fn: string, args: readonly unknown[], evm: EvmTools | undefined): string {
  const [first, ...rest] = args;
  const text = textOf(first ?? "", fn);
  switch (fn) {
    case "str":
      return bytesOf(text);
    case "hex":
      return toQuantity(wholeOf(text, fn));
    case "pad":
      return padded(text);
  }
  if (!evm) throw new Error(`${fn} needs a library that is not loaded`);
  if (fn === "abi") return evm.encodeCall(text, rest);
  if (fn === "topic") return evm.eventTopic(text);
  return evm.keccak(/^0x[0-9a-f]*$/i.test(text) && text.length % 2 === 0 ? text : bytesOf(text));
}

function textOf(value: unknown, fn: string): string {
  if (typeof value === "object" || typeof value === "symbol")
    throw new Error(`${fn} takes a text or a number, not a list or an object`);
  return String(value);
}

function bytesOf(text: string): string {
  return `0x${hexDigits(new TextEncoder().encode(text))}`;
}

/** Enough for 32 bytes in decimal or hex. */
const maxNumberText = 80;

function wholeOf(text: string, fn: string): bigint {
  if (text.length > maxNumberText || !/^(?:\d+|0x[0-9a-f]+)$/i.test(text))
    throw new Error(`${fn} takes a whole number of at most ${maxNumberText} digits`);
  return BigInt(text);
}

function padded(text: string): string {
  const digits = /^0x[0-9a-f]*$/i.test(text) ? text.slice(2) : wholeOf(text, "pad").toString(16);
  if (digits.length > 64) throw new Error("pad takes at most 32 bytes");
  return `0x${digits.padStart(64, "0")}`;
}

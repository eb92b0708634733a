import { scaled } from "../../../shared/rpc/scaled.ts";

/** A signed transaction of Solana, as far as its bytes say what it does. */
export interface SolanaTransaction {
  /** As the chain will know it: the first signature. */
  readonly signature: string;
  readonly feePayer: string;
  readonly signatures: number;
  /** What it does, a sentence each. */
  readonly instructions: readonly string[];
}

/** A packet of the network is no larger; twice as much as text. */
const maxText = 4_000;

/** Reads what `sendTransaction` takes. Throws where the bytes are no transaction. */
export function readSolanaTransaction(text: string, encoding: unknown): SolanaTransaction {
  if (text.length > maxText) throw new Error("No transaction of Solana is as long");
  const bytes = createBytes(encoding === "base64" ? Buffer.from(text, "base64") : fromBase58(text));
  const signatures = bytes.list(() => toBase58(bytes.take(64)));
  const first = bytes.byte();
  // The first bit tells a version; without one that byte is the number of signers.
  if (first >= 128) bytes.take(1);
  bytes.take(2);
  const accounts = bytes.list(() => toBase58(bytes.take(32)));
  bytes.take(32);
  const instructions = bytes.list(() => ({
    program: bytes.byte(),
    accounts: bytes.list(() => bytes.byte()),
    data: bytes.list(() => bytes.byte()),
  }));
  const [signature] = signatures;
  const [feePayer] = accounts;
  if (signature === undefined || feePayer === undefined) throw new Error("It has no signature");
  // Further accounts stand in tables on the chain.
  const nameOf = (index: number | undefined) => accounts[index ?? -1] ?? "an account of a table";
  const sentences = instructions.map(({ program, accounts: used, data }) =>
    instructionText(nameOf(program), used.map(nameOf), Buffer.from(data)),
  );
  return { signature, feePayer, signatures: signatures.length, instructions: sentences };
}

const systemProgram = "11111111111111111111111111111111";
const tokenPrograms = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
];

function instructionText(program: string, accounts: readonly string[], data: Buffer): string {
  if (program === systemProgram && data.length === 12 && data.readUInt32LE() === 2)
    return `Transfers ${scaled(data.readBigUInt64LE(4), 9)} SOL from ${accounts[0]} to ${accounts[1]}`;
  const [kind] = data;
  if (tokenPrograms.includes(program) && data.length >= 9 && (kind === 3 || kind === 12)) {
    const to = kind === 3 ? accounts[1] : accounts[2];
    const mint = kind === 12 ? ` of ${accounts[1]}` : "";
    return `Transfers ${data.readBigUInt64LE(1)} units${mint} from token account ${accounts[0]} to ${to}`;
  }
  return `Calls ${program} with ${data.length} bytes`;
}

/** Bytes, read from the front. */
function createBytes(all: Uint8Array) {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > all.length) throw new Error("The bytes end too early");
    at += count;
    return all.subarray(at - count, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  /** A count of up to three bytes, seven bits each, the lowest first. */
  const count = (): number => {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const next = byte();
      value |= (next & 127) << shift;
      if (next < 128) return value;
    }
    throw new Error("A count is too long");
  };
  return {
    take,
    byte,
    list: <Item>(read: () => Item): Item[] => Array.from({ length: count() }, read),
  };
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function fromBase58(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of text) {
    let carry = alphabet.indexOf(letter);
    if (carry < 0) throw new Error("These are no letters of base58");
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry & 255;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 255);
  }
  for (let at = 0; text[at] === "1"; at++) bytes.push(0);
  return Uint8Array.from(bytes.reverse());
}

function toBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] ?? 0) * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  for (let at = 0; bytes[at] === 0; at++) digits.push(0);
  return digits
    .reverse()
    .map((digit) => alphabet[digit])
    .join("");
}

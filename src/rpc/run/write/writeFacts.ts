import { isMembers } from "../../../shared/members.ts";
import { coinOf } from "../../../shared/rpc/networks.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { RawTransaction } from "../../evm/evm.ts";
import type { RpcEvent, RpcValue } from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";

/** A name and a value in the confirmation of a write. */
export type Fact = readonly [name: string, value: string];

/** The facts of a signed transaction. */
export function transactionFacts(transaction: RawTransaction, network: string): readonly Fact[] {
  const { to, value, nonce, maxFee, maxFeePerGas, hash, chainId, data, dataBytes } = transaction;
  const { blobs, paymaster } = transaction;
  const coin = coinOf(network);
  const fee =
    maxFee === undefined ? "not stated" : `at most ${maxFee} ${coin} (${maxFeePerGas} gwei per unit of gas)`;
  return [
    ["To", to ?? "a new contract"],
    ["Value", `${value} ${coin}`],
    ["Nonce", String(nonce)],
    ["Fee", fee],
    ["Data", dataBytes < 4 ? `${dataBytes} bytes` : `${dataBytes} bytes, selector ${data.slice(0, 10)}`],
    ...(blobs > 0 ? [["Blobs", `${blobs}, included in the fee above`] as const] : []),
    ...authorizationFacts(transaction),
    ...(paymaster ? [["Paid by", paymaster] as const] : []),
    ["Chain", String(chainId ?? "any (the signature is valid on every chain)")],
    ["Hash", hash ?? "known only to the chain"],
  ];
}

/** Authorizations of EIP-7702 hand accounts over, so each is a line of its own, as far as there is room. */
function authorizationFacts({ authorizations, authorizationCount }: RawTransaction): readonly Fact[] {
  const left = authorizationCount - authorizations.length;
  return [
    ...authorizations.map((one, at): Fact => [`Authorization ${at + 1}`, authorizationText(one)]),
    ...(left > 0 ? [["More", plural(left, "authorization")] as const] : []),
  ];
}

function authorizationText(one: RawTransaction["authorizations"][number]): string {
  if (!one) return "its fields can't be read";
  const { authority, delegate, chainId, nonce } = one;
  const where = chainId === "0" ? "on every chain" : `on chain ${chainId}`;
  const ends = /^0x0{40}$/.test(delegate);
  if (authority === undefined)
    return `the signature is not valid; ${ends ? "ends a delegation" : `delegates to ${delegate}`}, ${where}, nonce ${nonce}`;
  return `${authority} ${ends ? "ends its delegation" : `delegates to ${delegate}`}, ${where}, nonce ${nonce}`;
}

/** A function with its arguments. Control and bidirectional characters are escaped. */
export function callText({ name, values, likely }: RpcEvent): string {
  const call = `${name}(${values.map(argumentText).join(", ")})`;
  if (likely === undefined) return shown(call, 400);
  return shown(`likely ${values.length > 0 ? call : likely}`, 400);
}

function argumentText({ name, value }: RpcValue): string {
  const text = typeof value === "string" ? value : `(${value.map(argumentText).join(", ")})`;
  return name ? `${name} ${text}` : text;
}

/** The facts of other writing methods, as far as their parameters can be decoded. */
export function parameterFacts(method: string, params: readonly unknown[]): readonly Fact[] {
  try {
    const own = readers.get(method)?.(params);
    if (own) return own;
  } catch {
    // Show them undecoded below.
  }
  return [["Parameters", `not decoded: ${shown(exactJsonText(params), 300)}`]];
}

type Reader = (params: readonly unknown[]) => readonly Fact[] | undefined;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["sendTransaction", solanaFacts],
  ["eth_sendUserOperation", userOperationFacts],
  ["starknet_addInvokeTransaction", starknetFacts],
  ["starknet_addDeclareTransaction", starknetFacts],
  ["starknet_addDeployAccountTransaction", starknetFacts],
]);

/** Instructions that are listed. */
const mostInstructions = 8;

function solanaFacts([text, options]: readonly unknown[]): readonly Fact[] | undefined {
  if (typeof text !== "string") return undefined;
  const encoding = isMembers(options) ? options.encoding : undefined;
  const { signature, feePayer, signatures, instructions } = readSolanaTransaction(text, encoding);
  const left = instructions.length - mostInstructions;
  return [
    ...instructions.slice(0, mostInstructions).map((one, at): Fact => [`Instruction ${at + 1}`, one]),
    ...(left > 0 ? [["More", `${left} instructions`] as const] : []),
    ["Fee payer", feePayer],
    ["Signatures", String(signatures)],
    ["First signature", signature],
  ];
}

function userOperationFacts([operation, entryPoint]: readonly unknown[]): readonly Fact[] | undefined {
  if (!isMembers(operation)) return undefined;
  return [
    ["Account", written(operation.sender)],
    ["Nonce", written(operation.nonce)],
    ["Calls", bytesText(operation.callData)],
    ["Fee", `at most ${written(operation.maxFeePerGas)} wei per unit of gas`],
    ["Gas", `${written(operation.callGasLimit)} for the call`],
    ["Paid by", written(operation.paymaster ?? operation.paymasterAndData ?? "the account")],
    ["Entry point", written(entryPoint)],
  ];
}

function starknetFacts([transaction]: readonly unknown[]): readonly Fact[] | undefined {
  if (!isMembers(transaction)) return undefined;
  const { type, version, sender_address, nonce, calldata, class_hash, resource_bounds, max_fee } =
    transaction;
  return [
    ["Kind", `${written(type)}, version ${written(version)}`],
    ["Account", written(sender_address ?? class_hash ?? "a new one")],
    ["Nonce", written(nonce)],
    ...(Array.isArray(calldata) ? [["Calldata", `${calldata.length} felts`] as const] : []),
    ["Fee", shown(exactJsonText(resource_bounds ?? max_fee ?? "not stated"), 200)],
  ];
}

function bytesText(value: unknown): string {
  if (typeof value !== "string" || !/^0x[0-9a-f]*$/i.test(value)) return written(value);
  return `${(value.length - 2) / 2} bytes${value.length >= 10 ? `, selector ${value.slice(0, 10)}` : ""}`;
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "not stated";
  return shown(typeof value === "string" ? value : exactJsonText(value), 120);
}

/** Escapes characters that could hide or reorder text. */
function shown(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
  return cut.replace(
    /[^\x20-\x7e…]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A decoded Solana transaction. */
interface SolanaTransaction {
  /** The first signature, which identifies the transaction on the chain. */
  readonly signature: string;
  readonly feePayer: string;
  readonly signatures: number;
  /** A description of each instruction. */
  readonly instructions: readonly string[];
}

/** Transactions are at most 1,232 bytes, which is less as text. */
const maxText = 4_000;

/** Parses the parameter of `sendTransaction`. Throws if it is not a transaction. */
function readSolanaTransaction(text: string, encoding: unknown): SolanaTransaction {
  if (text.length > maxText) throw new Error("This is too long for a transaction of Solana");
  const bytes = createBytes(encoding === "base64" ? Buffer.from(text, "base64") : fromBase58(text));
  const signatures = bytes.list(() => toBase58(bytes.take(64)));
  const first = bytes.byte();
  // The highest bit marks a version byte. Legacy transactions start with the number of signers.
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
  // Further accounts are in lookup tables on the chain.
  const nameOf = (index: number | undefined) => accounts[index ?? -1] ?? "an account of a lookup table";
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

/** Reads bytes in order. */
function createBytes(all: Uint8Array) {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > all.length) throw new Error("The bytes end too early");
    at += count;
    return all.subarray(at - count, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  /** A compact-u16: up to three bytes of seven bits, the lowest first. */
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
    if (carry < 0) throw new Error("This is not base58");
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

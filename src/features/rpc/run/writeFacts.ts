import { exactJsonText } from "../../../shared/exactJson.ts";
import { coinOf } from "../../../shared/rpc/networks.ts";
import type { RpcEvent, RpcValue } from "../../../shared/rpcOutput.ts";
import type { RawTransaction } from "../evm/evm.ts";
import { readSolanaTransaction } from "./solanaTransaction.ts";

/** What somebody has to know before saying yes: a name and what stands for it. */
export type Fact = readonly [name: string, value: string];

/** What the bytes of a signed transaction say. */
export function transactionFacts(transaction: RawTransaction, network: string): readonly Fact[] {
  const { to, value, nonce, maxFee, maxFeePerGas, hash, chainId, data, dataBytes, blobs, paymaster } =
    transaction;
  const coin = coinOf(network);
  const fee =
    maxFee === undefined ? "not stated" : `at most ${maxFee} ${coin} (${maxFeePerGas} gwei a unit of gas)`;
  return [
    ["To", to ?? "a new contract"],
    ["Value", `${value} ${coin}`],
    ["Nonce", String(nonce)],
    ["Fee", fee],
    ["Data", dataBytes < 4 ? `${dataBytes} bytes` : `${dataBytes} bytes, selector ${data.slice(0, 10)}`],
    ...(blobs > 0 ? [["Blobs", `${blobs}, their price included above`] as const] : []),
    ...(paymaster ? [["Paid by", paymaster] as const] : []),
    ["Chain", String(chainId ?? "any: this signature holds on every chain")],
    ["Hash", hash ?? "only the chain can tell it"],
  ];
}

/** A function with its arguments, as text that nothing in it can hide or turn around. */
export function callText({ name, values }: RpcEvent): string {
  return shown(`${name}(${values.map(argumentText).join(", ")})`, 400);
}

function argumentText({ name, value }: RpcValue): string {
  const text = typeof value === "string" ? value : `(${value.map(argumentText).join(", ")})`;
  return name ? `${name} ${text}` : text;
}

/** What the parameters of any other writing method say, as far as they can be read. */
export function parameterFacts(method: string, params: readonly unknown[]): readonly Fact[] {
  try {
    const own = readers.get(method)?.(params);
    if (own) return own;
  } catch {
    // Said below: they are shown as they are.
  }
  return [["Parameters", `not decoded: ${shown(exactJsonText(params), 300)}`]];
}

type Reader = (params: readonly unknown[]) => readonly Fact[] | undefined;
type Members = Readonly<Record<string, unknown>>;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["sendTransaction", solanaFacts],
  ["eth_sendUserOperation", userOperationFacts],
  ["starknet_addInvokeTransaction", starknetFacts],
  ["starknet_addDeclareTransaction", starknetFacts],
  ["starknet_addDeployAccountTransaction", starknetFacts],
]);

/** So many instructions are told one by one. */
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
    ["Fee", `at most ${written(operation.maxFeePerGas)} wei a unit of gas`],
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

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bytesText(value: unknown): string {
  if (typeof value !== "string" || !/^0x[0-9a-f]*$/i.test(value)) return written(value);
  return `${(value.length - 2) / 2} bytes${value.length >= 10 ? `, selector ${value.slice(0, 10)}` : ""}`;
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "not stated";
  return shown(typeof value === "string" ? value : exactJsonText(value), 120);
}

/** Nothing that hides or turns around what stands beside it. */
function shown(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
  return cut.replace(
    /[^\x20-\x7e…]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

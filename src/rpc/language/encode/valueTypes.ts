import type { ParamType } from "../../../shared/rpc/catalog/catalog.ts";

/**
 * How a value is encoded. `abi` is the argument of a function whatever its type; `abi:string` and `abi:(string,bool)[]` are
 * arguments with texts in them, which stay as they are written: `007` is no 7 there.
 */
export type EncodeType = ParamType | "abi" | `abi:${string}`;

/** The type of a text, which is encoded as it is written. */
export const abiText = "abi:string";
/** The same in a filter of events, where `_` and `null` match any value. */
const topicText = "abi:string or any";

export function isText(type: EncodeType): boolean {
  return type === abiText || type === topicText;
}

/** True for `_` and `null` where they are no text. */
export function isAnyTopic(type: EncodeType, value: unknown): boolean {
  return type === topicText && value === null;
}

/** The types of the items of a list by their index, or of a tuple that is written as a list. */
export function itemTypes(type: EncodeType): (index: number) => EncodeType {
  if (type === "slots") return () => "quantity";
  if (type === "abi" || type === "block" || type === "address" || type === "felt") return () => type;
  const abi = abiOf(type);
  if (abi === undefined) return () => "json";
  const list = /^(.*)\[\d*\]$/s.exec(abi)?.[1];
  if (list !== undefined) {
    const item = argumentType(list);
    return () => item;
  }
  const members = isTuple(abi) ? inputsIn(abi).map(argumentType) : [];
  return (index) => members[index] ?? "abi";
}

function abiOf(type: EncodeType): string | undefined {
  return type.startsWith("abi:") ? type.slice("abi:".length) : undefined;
}

function isTuple(type: string): boolean {
  return type.startsWith("(");
}

/** Characters of a signature that are read for names of accounts and texts. */
const mostSignature = 4_000;

/** The types of the arguments of `logs`. */
export function topicTypes(signature: string): readonly EncodeType[] {
  return argumentTypes(signature).map((type) => (type === abiText ? topicText : type));
}

/** The types of the arguments of `call`, and of the indexed ones of an event: an address can be a name. */
export function argumentTypes(signature: string): readonly EncodeType[] {
  const inputs = inputsIn(signature);
  const indexed = inputs.filter((one) => /\sindexed(?:\s|$)/.test(one));
  return (indexed.length > 0 ? indexed : inputs).map((one) =>
    /^address(?:\[\d*\])*(?:\s|$)/.test(one) ? "address" : argumentType(one),
  );
}

/** The inputs in the first brackets of a signature or a tuple, with their names. */
function inputsIn(signature: string): readonly string[] {
  const inputs: string[] = [];
  const open = signature.indexOf("(");
  let [depth, from] = [0, open + 1];
  for (let at = open; at >= 0 && at < Math.min(signature.length, mostSignature); at++) {
    const mark = signature[at];
    if (mark === "(") depth++;
    if (depth === 1 && (mark === "," || mark === ")")) {
      inputs.push(signature.slice(from, at).trim());
      from = at + 1;
    }
    if (mark === ")" && --depth === 0) break;
  }
  return inputs;
}

/** The encoding of an input such as `string[] memory names` and `tuple(string name, bool)[] indexed orders`. */
function argumentType(input: string): EncodeType {
  if (!/\bstring\b/.test(input)) return "abi";
  const open = /^(?:tuple)?\s*\(/.test(input) ? input.indexOf("(") : -1;
  const close = input.lastIndexOf(")");
  const base = open < 0 ? /^\w*/.exec(input)?.[0] : input.slice(open, close + 1);
  const rest = open < 0 ? input.slice(base?.length) : input.slice(close + 1);
  const lists = /^(?:\s*\[\d*\])*/.exec(rest)?.[0].replace(/\s/g, "") ?? "";
  return base !== "string" && open < 0 ? "abi" : `abi:${base}${lists}`;
}

const typesOfMembers: ReadonlyMap<string, ParamType> = new Map<string, ParamType>([
  ["fromBlock", "block"],
  ["toBlock", "block"],
  ["blockNumber", "quantity"],
  ["address", "address"],
  ["from", "address"],
  ["to", "address"],
  ["data", "data"],
  ["input", "data"],
  ["tracerConfig", "json"],
]);
/** Members of requests of Starknet, whose nodes take field elements as hex only. */
const feltMembers =
  /^(?:contract_address|contract_address_salt|entry_point_selector|(?:constructor_)?calldata|(?:compiled_)?class_hash|sender_address)$/;
const quantityMembers =
  /^(value|gas|gasPrice|maxFeePerGas|maxPriorityFeePerGas|maxFeePerBlobGas|nonce|chainId|balance|callGasLimit|verificationGasLimit|preVerificationGas)$/;

/** The types of the members of an object by their names. */
export function memberTypes(type: EncodeType): (name: string) => EncodeType {
  if (type === "abi") return () => type;
  const abi = abiOf(type);
  if (abi !== undefined) {
    const inputs = isTuple(abi) && !abi.endsWith("]") ? inputsIn(abi) : [];
    const byName = new Map(inputs.map((one) => [one.split(/\s/).at(-1), argumentType(one)]));
    return (name) => byName.get(name) ?? "abi";
  }
  if (type === "starkBlock") return () => "number";
  return (name) => {
    if (feltMembers.test(name)) return "felt";
    return typesOfMembers.get(name) ?? (quantityMembers.test(name) ? "quantity" : "json");
  };
}

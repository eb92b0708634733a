import type { ParamType } from "../../../shared/rpc/catalog/catalog.ts";

export type EncodeType = ParamType | "abi";

export function itemType(type: EncodeType): EncodeType {
  if (type === "slots") return "quantity";
  return type === "abi" || type === "block" || type === "address" ? type : "json";
}

/** Characters of a signature that are read for names of accounts. */
const mostSignature = 4_000;

/** The types of the arguments of `call`, and of the indexed ones of `logs`: an address can be a name. */
export function argumentTypes(signature: string): readonly EncodeType[] {
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
  const indexed = inputs.filter((one) => /\sindexed(?:\s|$)/.test(one));
  return (indexed.length > 0 ? indexed : inputs).map((one) =>
    /^address(?:\[\d*\])*(?:\s|$)/.test(one) ? "address" : "abi",
  );
}

const memberTypes: ReadonlyMap<string, ParamType> = new Map<string, ParamType>([
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
const quantityMembers =
  /^(value|gas|gasPrice|maxFeePerGas|maxPriorityFeePerGas|maxFeePerBlobGas|nonce|chainId|balance|callGasLimit|verificationGasLimit|preVerificationGas)$/;

/** The type of a member of an object. */
export function memberType(name: string, type: EncodeType): EncodeType {
  if (type === "abi") return type;
  if (type === "starkBlock") return "number";
  return memberTypes.get(name) ?? (quantityMembers.test(name) ? "quantity" : "json");
}

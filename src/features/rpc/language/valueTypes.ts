import type { ParamType } from "./catalog/catalog.ts";

export type EncodeType = ParamType | "abi";

export function itemType(type: EncodeType): EncodeType {
  if (type === "slots") return "quantity";
  return type === "abi" || type === "block" ? type : "json";
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

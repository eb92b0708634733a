import { isMembers } from "../../../shared/members.ts";
import type { ParamType } from "../../../shared/rpc/catalog/catalog.ts";
import { toQuantity } from "../../../shared/rpc/hex.ts";
import { similar } from "../../../shared/text/similar.ts";
import { unknownYet } from "../encode/encodeValue.ts";
import { memo } from "../memo.ts";

/** A problem of an encoded value, at a path inside it. */
export interface ValueIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The corrected value, if there is only one. */
  readonly instead?: unknown;
}

/** The known members of an object, and their types. */
export type MemberTypes = ReadonlyMap<string, ParamType>;

export const blockTags = ["latest", "pending", "earliest", "safe", "finalized"] as const;
export const traceTypes = ["trace", "vmTrace", "stateDiff"] as const;
export const callMembers: MemberTypes = new Map<string, ParamType>([
  ["from", "address"],
  ["to", "address"],
  ["data", "data"],
  ["input", "data"],
  ["value", "quantity"],
  ["gas", "quantity"],
  ["gasPrice", "quantity"],
  ["maxFeePerGas", "quantity"],
  ["maxPriorityFeePerGas", "quantity"],
  ["nonce", "quantity"],
  ["accessList", "json"],
]);
export const filterMembers: MemberTypes = new Map<string, ParamType>([
  ["address", "json"],
  ["topics", "json"],
  ["fromBlock", "block"],
  ["toBlock", "block"],
  ["blockHash", "hash"],
]);
/** Members of the tracing options. */
export const tracerMembers: MemberTypes = new Map<string, ParamType>([
  ["tracer", "string"],
  ["tracerConfig", "json"],
  ["timeout", "string"],
  ["disableStorage", "boolean"],
  ["disableStack", "boolean"],
  ["enableMemory", "boolean"],
]);

type Check = (value: unknown) => readonly ValueIssue[];

/** Checks a value against the type of its parameter. Unknown values pass. */
export function checkValue(value: unknown, type: ParamType): readonly ValueIssue[] {
  return value === unknownYet ? [] : checks[type](value);
}

/** Memoized, because many lines may use the same long list by name. */
const checkAddresses = memo((list: readonly unknown[]) =>
  checkItems(list, (one) => checkValue(one, "address")),
);
const areRising = memo((list: readonly unknown[]) =>
  list.every(
    (one, index) =>
      typeof one === "number" && one >= 0 && one <= 100 && (index === 0 || one >= Number(list[index - 1])),
  ),
);
const checkTraces = memo((list: readonly unknown[]) =>
  checkItems(list, (one) =>
    (traceTypes as readonly unknown[]).includes(one)
      ? []
      : issue(`A trace is one of ${traceTypes.join(", ")}`, similar(String(one).slice(0, 40), traceTypes)[0]),
  ),
);

/** Items of a list with a reported problem. */
const mostItems = 100;

function checkItems(
  list: readonly unknown[],
  check: (item: unknown) => readonly ValueIssue[],
): readonly ValueIssue[] {
  const found: ValueIssue[] = [];
  for (const [index, item] of list.entries()) {
    for (const one of check(item)) found.push({ ...one, path: [index, ...one.path] });
    if (found.length >= mostItems) break;
  }
  return found;
}

const checks: Readonly<Record<ParamType, Check>> = {
  address: (value) => hexBytes(value, "An address", 20),
  hash: (value) => hexBytes(value, "A hash", 32),
  data: (value) => hexBytes(value, "Data"),
  quantity,
  block,
  boolean: (value) => (typeof value === "boolean" ? [] : issue("true or false is expected here")),
  call: (value) => members(value, "A call", callMembers, true),
  filter,
  slots: (value) => (Array.isArray(value) ? [] : issue("A list of slots is expected here: [0x0]")),
  percentiles,
  traceTypes: traceList,
  tracer: (value) => (isMembers(value) ? [] : issue('Options are expected here: { tracer: "callTracer" }')),
  starkBlock,
  felt: (value) =>
    typeof value === "string" && /^0x[0-9a-fA-F]{1,63}$/.test(value)
      ? []
      : issue("A felt is expected here: 0x and at most 63 hex digits"),
  number: (value) =>
    typeof value === "number" ? [] : issue("A number is expected here, not text", asNumber(value)),
  string: (value) => (typeof value === "string" ? [] : issue("Text is expected here")),
  json: () => [],
};

function hexBytes(value: unknown, what: string, bytes?: number): readonly ValueIssue[] {
  if (typeof value !== "string") return issue(`${what} is expected here: 0x and hex digits, as text`);
  if (value.startsWith("0X")) return issue("The x of 0x must be lowercase", `0x${value.slice(2)}`);
  const digits = /^0x([0-9a-fA-F]*)$/.exec(value)?.[1];
  if (digits === undefined) return issue(`${what} consists of 0x and hex digits, unlike ${shown(value)}`);
  if (bytes !== undefined && digits.length !== bytes * 2) {
    return issue(`${what} has ${bytes * 2} hex digits, but this one has ${digits.length}`);
  }
  if (digits.length % 2 === 1) return issue("A hex digit is missing: each byte has two", `0x0${digits}`);
  return [];
}

function quantity(value: unknown): readonly ValueIssue[] {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
    return issue("This number must be sent as hex", toQuantity(value));
  }
  if (typeof value !== "string") return issue("A quantity is expected here: hex such as 0x10");
  if (value.startsWith("0X")) return issue("The x of 0x must be lowercase", `0x${value.slice(2)}`);
  if (/^\d{79,}$/.test(value)) return issue("A quantity has at most 64 hex digits");
  if (/^\d+$/.test(value)) return issue("This number must be sent as hex", toQuantity(BigInt(value)));
  const digits = /^0x([0-9a-fA-F]*)$/.exec(value)?.[1];
  if (digits === undefined) return issue(`A quantity is hex such as 0x10, unlike ${shown(value)}`);
  if (digits === "") return issue("Zero is written 0x0", "0x0");
  if (digits.length > 64) return issue("A quantity has at most 64 hex digits");
  if (/^0./.test(digits)) {
    // Slots are often written with all 32 bytes, which nodes accept.
    return digits.length === 64
      ? []
      : issue("A quantity has no leading zeros", `0x${digits.replace(/^0+(?=.)/, "")}`);
  }
  return [];
}

function block(value: unknown): readonly ValueIssue[] {
  if (isMembers(value))
    return "blockHash" in value || "blockNumber" in value ? [] : issue("A block is expected here");
  if ((blockTags as readonly unknown[]).includes(value)) return [];
  if (typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value)) return [];
  if (typeof value === "string" && !/^(0[xX]|\d)/.test(value)) {
    const [near] = similar(value.slice(0, 40), blockTags);
    return issue(`A block is a number or one of ${blockTags.join(", ")}, unlike ${shown(value)}`, near);
  }
  return quantity(value);
}

const starkTags: readonly string[] = ["latest", "pending", "pre_confirmed", "l1_accepted"];

function starkBlock(value: unknown): readonly ValueIssue[] {
  if (typeof value === "string" && starkTags.includes(value)) return [];
  if (isMembers(value))
    return "block_number" in value || "block_hash" in value ? [] : issue("A block is expected here");
  if (typeof value === "number") return issue("A block number must be an object", { block_number: value });
  return issue('A block is "latest", { block_number: 1 } or { block_hash: 0x… }');
}

function percentiles(value: unknown): readonly ValueIssue[] {
  if (!Array.isArray(value)) return issue("A list of percentiles is expected here: [25, 75]");
  return areRising(value) ? [] : issue("Percentiles must be rising numbers from 0 to 100");
}

function traceList(value: unknown): readonly ValueIssue[] {
  return Array.isArray(value) ? checkTraces(value) : issue("A list is expected here: [trace]");
}

function filter(value: unknown): readonly ValueIssue[] {
  const issues = members(value, "A filter", filterMembers, false);
  if (!isMembers(value)) return issues;
  const { blockHash, fromBlock, toBlock, topics, address } = value;
  const both = blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined);
  const ofAddress = Array.isArray(address)
    ? checkAddresses(address)
    : address === undefined || address === null
      ? []
      : checkValue(address, "address");
  return [
    ...issues,
    ...(both
      ? [{ path: ["blockHash"], message: "blockHash can't be combined with fromBlock and toBlock" }]
      : []),
    ...ofAddress.map((found) => ({ ...found, path: ["address", ...found.path] })),
    ...(Array.isArray(topics) ? topicIssues(topics) : []),
  ];
}

function topicIssues(topics: readonly unknown[]): readonly ValueIssue[] {
  if (topics.length > 4) return [{ path: ["topics"], message: "An event has at most four topics" }];
  return topics.flatMap((topic, index) => {
    if (topic === null || Array.isArray(topic)) return [];
    return checkValue(topic, "hash").map((found) => ({ ...found, path: ["topics", index] }));
  });
}

function members(value: unknown, what: string, types: MemberTypes, isOpen: boolean): readonly ValueIssue[] {
  if (!isMembers(value)) return issue(`${what} is an object: { ${[...types.keys()][0]}: … }`);
  return Object.entries(value).flatMap(([key, member]) => {
    const type = types.get(key);
    if (!type) return isOpen ? [] : [{ path: [key], message: `${what} has no member ${shown(key)}` }];
    if (member === null || member === undefined) return [];
    return checkValue(member, type).map((found) => ({ ...found, path: [key, ...found.path] }));
  });
}

function issue(message: string, instead?: unknown): readonly ValueIssue[] {
  return [{ path: [], message, ...(instead === undefined ? {} : { instead }) }];
}

function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function shown(value: unknown): string {
  const text = String(value);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

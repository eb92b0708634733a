import type { ParamType } from "./catalog/catalog.ts";
import { durations, type Member, type Span, units, type Value } from "./nodes.ts";

/** What only a library for Ethereum's encodings can do; loaded on first use. Each throws an Error with a sentence. */
export interface EvmTools {
  /** Calldata for `balanceOf(address)(uint256)`; numbers come as decimal text. */
  encodeCall(signature: string, args: readonly unknown[]): string;
  /** The topics of an event's filter; null for what may be anything. */
  encodeTopics(signature: string, args: readonly unknown[]): readonly (string | null)[];
  keccak(hex: string): string;
  /** The hash of an event's signature. */
  eventTopic(signature: string): string;
}

/** What lifting needs to know of the world around the line. */
export interface LiftContext {
  /** What a name stands for; undefined where it has no value yet. */
  lookUp(name: string): { readonly constant: Value } | { readonly result: unknown } | undefined;
  /** Number of the newest block, where it is known. */
  readonly head: bigint | undefined;
  readonly evm: EvmTools | undefined;
  /** Declarations whose names stand for them. */
  readonly declared: () => readonly string[];
}

export interface LiftProblem extends Span {
  readonly message: string;
}

/** A value as it goes on the wire, and what is missing for it. */
export interface Lifted {
  readonly value: unknown;
  readonly problems: readonly LiftProblem[];
  /** Names without a value yet. */
  readonly waitsFor: readonly string[];
  readonly needsHead: boolean;
  readonly needsEvm: boolean;
}

interface Lifting {
  readonly context: LiftContext;
  readonly problems: LiftProblem[];
  readonly waitsFor: string[];
  /** Names on the way down, against circles. */
  readonly path: readonly string[];
  needs: { head: boolean; evm: boolean };
}

/** Stands for a part that is not known yet. */
export const unknownYet: unique symbol = Symbol("unknown yet");

/** Turns what is written into what a node takes: decimals into hex, units into wei, names into values. */
export function lift(value: Value, type: ParamType | "abi", context: LiftContext): Lifted {
  const lifting: Lifting = {
    context,
    problems: [],
    waitsFor: [],
    path: [],
    needs: { head: false, evm: false },
  };
  const lifted = liftValue(value, type, lifting);
  const { problems, waitsFor, needs } = lifting;
  return { value: lifted, problems, waitsFor, needsHead: needs.head, needsEvm: needs.evm };
}

function liftValue(value: Value, type: ParamType | "abi", lifting: Lifting): unknown {
  switch (value.kind) {
    case "string":
      return value.value;
    case "hex":
    case "word":
    case "signature":
      return value.text;
    case "literal":
      return value.value;
    case "number":
      return liftNumber(value, type, lifting);
    case "array":
      return value.items.map((item) => liftValue(item, itemType(type), lifting));
    case "object":
      return Object.fromEntries(value.members.map((member) => liftMember(member, type, lifting)));
    case "reference":
      return liftReference(value, type, lifting);
    case "apply":
      return liftApply(value, lifting);
    case "option":
      return liftValue(value.value, type, lifting);
    case "missing":
      return unknownYet;
  }
}

export function itemType(type: ParamType | "abi"): ParamType | "abi" {
  if (type === "slots") return "quantity";
  return type === "abi" || type === "block" ? type : "json";
}

const memberTypes: Readonly<Record<string, ParamType>> = {
  fromBlock: "block",
  toBlock: "block",
  blockNumber: "quantity",
  address: "address",
  from: "address",
  to: "address",
  data: "data",
  input: "data",
  tracerConfig: "json",
};
const quantityMembers =
  /^(value|gas|gasPrice|maxFeePerGas|maxPriorityFeePerGas|maxFeePerBlobGas|nonce|chainId|balance|callGasLimit|verificationGasLimit|preVerificationGas)$/;

function liftMember({ key, value }: Member, type: ParamType | "abi", lifting: Lifting): [string, unknown] {
  return [key.text, liftValue(value, memberType(key.text, type), lifting)];
}

/** What a member of an object takes. */
export function memberType(name: string, type: ParamType | "abi"): ParamType | "abi" {
  if (type === "abi") return type;
  if (type === "starkBlock") return "number";
  return memberTypes[name] ?? (quantityMembers.test(name) ? "quantity" : "json");
}

type NumberValue = Extract<Value, { kind: "number" }>;

function liftNumber(value: NumberValue, type: ParamType | "abi", lifting: Lifting): unknown {
  const scaled = scaledNumber(value);
  if (scaled === undefined) {
    lifting.problems.push({
      ...spanOf(value),
      message: `${value.text} ${value.unit?.text ?? ""} is no whole number of wei`.replace("  ", " "),
    });
    return unknownYet;
  }
  if (type === "abi") return String(scaled);
  if (type === "block" && typeof scaled === "bigint" && scaled < 0n) return beforeHead(scaled, lifting);
  const asHex = value.unit !== undefined || type === "quantity" || type === "block";
  if (asHex && typeof scaled === "bigint" && scaled >= 0n) return toQuantity(scaled);
  return typeof scaled === "bigint" && !Number.isSafeInteger(Number(scaled)) ? scaled : Number(scaled);
}

function beforeHead(back: bigint, lifting: Lifting): unknown {
  lifting.needs.head = true;
  const { head } = lifting.context;
  if (head === undefined) return unknownYet;
  return toQuantity(head + back < 0n ? 0n : head + back);
}

/** A whole number as bigint, any other as number; undefined where a unit leaves a fraction of a wei. */
export function scaledNumber({
  text,
  unit,
}: Pick<NumberValue, "text" | "unit">): bigint | number | undefined {
  const plain = text.replace(/_/g, "");
  const seconds = unit && Object.entries(durations).find(([word]) => word === unit.text)?.[1];
  const decimals = unit && Object.entries(units).find(([word]) => word === unit.text)?.[1];
  if (decimals === undefined) {
    if (/^-?\d+$/.test(plain)) return BigInt(plain) * BigInt(seconds ?? 1);
    return Number(plain) * (seconds ?? 1);
  }
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(plain) ?? [];
  const zeros = decimals + Number(exponent) - fraction.length;
  if (zeros < 0 || zeros > 1000) return undefined;
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(zeros);
}

export function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

type Reference = Extract<Value, { kind: "reference" }>;

function liftReference(value: Reference, type: ParamType | "abi", lifting: Lifting): unknown {
  const { name, path } = value;
  const found = lifting.path.includes(name) ? undefined : lifting.context.lookUp(name);
  if (!found) {
    lifting.waitsFor.push(name);
    return unknownYet;
  }
  if ("result" in found) return memberAt(value, found.result, type, lifting);
  const inner = { ...lifting, path: [...lifting.path, name] };
  const lifted = liftValue(found.constant, path.length === 0 ? type : "json", inner);
  return path.length === 0 ? lifted : memberAt(value, lifted, type, lifting);
}

function memberAt(value: Reference, whole: unknown, type: ParamType | "abi", lifting: Lifting): unknown {
  let at = whole;
  for (const step of value.path) {
    if (at === unknownYet) return at;
    const members: unknown = at;
    const has = typeof members === "object" && members !== null && Object.hasOwn(members, step);
    if (!has) {
      lifting.problems.push({ ...spanOf(value), message: `The value of $${value.name} has no ${step}` });
      return unknownYet;
    }
    at = (members as Record<string | number, unknown>)[step];
  }
  const count = typeof at === "bigint" || Number.isSafeInteger(at) ? BigInt(at as number | bigint) : -1n;
  return count >= 0n && (type === "quantity" || type === "block") ? toQuantity(count) : at;
}

type Apply = Extract<Value, { kind: "apply" }>;

function liftApply(value: Apply, lifting: Lifting): unknown {
  const args = value.args.map((arg) => liftValue(arg, "abi", lifting));
  if (args.includes(unknownYet)) return unknownYet;
  try {
    return applyFunction(value.fn.text, args, lifting);
  } catch (error) {
    lifting.problems.push({
      ...spanOf(value),
      message: error instanceof Error ? error.message : String(error),
    });
    return unknownYet;
  }
}

function applyFunction(fn: string, args: readonly unknown[], lifting: Lifting): unknown {
  const [first, ...rest] = args;
  if (fn === "str") return bytesOf(String(first ?? ""));
  if (fn === "hex") return toQuantity(BigInt(String(first)));
  if (fn === "pad") return padded(String(first));
  const { evm } = lifting.context;
  lifting.needs.evm = true;
  if (!evm) return unknownYet;
  const text = String(first ?? "");
  if (fn === "abi") return evm.encodeCall(text, rest);
  if (fn === "topic") return evm.eventTopic(text);
  return evm.keccak(/^0x([0-9a-f]{2})*$/i.test(text) ? text : bytesOf(text));
}

function bytesOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function padded(text: string): string {
  const digits = /^0x[0-9a-f]*$/i.test(text) ? text.slice(2) : BigInt(text).toString(16);
  if (digits.length > 64) throw new Error("pad takes at most 32 bytes");
  return `0x${digits.padStart(64, "0")}`;
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

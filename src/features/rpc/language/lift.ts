import { applyFunction, type EvmTools, maxSignature } from "./applyFunction.ts";
import type { ParamType } from "./catalog/catalog.ts";
import type { Member, Span, Value } from "./nodes.ts";
import { numberProblem, scaledNumber, toQuantity } from "./numbers.ts";

/** What lifting needs to know of the world around the line. */
export interface LiftContext {
  /** What a name stands for; undefined where it has no value yet. */
  lookUp(name: string): Meaning | { readonly result: unknown } | undefined;
  /** Number of the newest block, where it is known. */
  readonly head: bigint | undefined;
  readonly evm: EvmTools | undefined;
  /** The declaration that a name stands for. */
  declaration(name: string, kind: "function" | "event", inputs: number): string;
  /** Constants that were lifted before, by what each was taken for. */
  readonly lifted: Map<Value, Map<LiftType, Lifted>>;
  readonly effort: Effort;
}

/** A constant; the names in it mean what they mean where it stands. */
interface Meaning {
  readonly constant: Value;
  readonly within: LiftContext;
  readonly nesting: number;
}

/** How many characters may still be encoded and hashed. */
export interface Effort {
  left: number;
  /** Whether what would take more is left as it is; else it is a problem. */
  readonly mayLeaveOut: boolean;
}

export type LiftType = ParamType | "abi";

interface LiftProblem extends Span {
  readonly message: string;
}

/** A value as it goes on the wire, and what is missing for it. */
export interface Lifted {
  readonly value: unknown;
  /** About how many characters names and functions put in: a name in a name may double them each time. */
  readonly size: number;
  readonly problems: readonly LiftProblem[];
  /** Names without a value yet. */
  readonly waitsFor: readonly string[];
  readonly needsHead: boolean;
  readonly needsEvm: boolean;
  /** Some part would have taken too long to look at. */
  readonly leavesOut: boolean;
  /** No part is `unknownYet`. */
  readonly isKnown: boolean;
}

interface Lifting {
  readonly context: LiftContext;
  readonly problems: LiftProblem[];
  readonly waitsFor: string[];
  size: number;
  needsHead: boolean;
  needsEvm: boolean;
  leavesOut: boolean;
  isKnown: boolean;
}

/** Stands for a part that is not known yet. */
export const unknownYet: unique symbol = Symbol("unknown yet");

/** What a line may come to by way of names and functions. */
export const maxLiftedSize = 1_000_000;
/** Deeper than any parameter is meant, names of names counted in. */
const maxNesting = 200;

/** Turns what is written into what a node takes: decimals into hex, units into wei, names into values. */
export function lift(value: Value, type: LiftType, context: LiftContext): Lifted {
  const lifting: Lifting = {
    context,
    problems: [],
    waitsFor: [],
    size: 0,
    needsHead: false,
    needsEvm: false,
    leavesOut: false,
    isKnown: true,
  };
  const lifted = liftValue(value, type, lifting);
  const { context: _, ...found } = lifting;
  return { ...found, value: lifted };
}

function liftValue(value: Value, type: LiftType, lifting: Lifting): unknown {
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
      return unknown(lifting);
  }
}

function unknown(lifting: Lifting): typeof unknownYet {
  lifting.isKnown = false;
  return unknownYet;
}

export function itemType(type: LiftType): LiftType {
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

function liftMember({ key, value }: Member, type: LiftType, lifting: Lifting): [string, unknown] {
  return [key.text, liftValue(value, memberType(key.text, type), lifting)];
}

/** What a member of an object takes. */
export function memberType(name: string, type: LiftType): LiftType {
  if (type === "abi") return type;
  if (type === "starkBlock") return "number";
  return memberTypes.get(name) ?? (quantityMembers.test(name) ? "quantity" : "json");
}

type NumberValue = Extract<Value, { kind: "number" }>;

function liftNumber(value: NumberValue, type: LiftType, lifting: Lifting): unknown {
  const scaled = scaledNumber(value);
  if (scaled === undefined) return complain(value, numberProblem(value), lifting);
  if (type === "abi") return String(scaled);
  if (type === "block" && typeof scaled === "bigint" && scaled < 0n) return beforeHead(scaled, lifting);
  const asHex = value.unit !== undefined || type === "quantity" || type === "block";
  if (asHex && typeof scaled === "bigint" && scaled >= 0n) return toQuantity(scaled);
  return typeof scaled === "bigint" && !Number.isSafeInteger(Number(scaled)) ? scaled : Number(scaled);
}

function beforeHead(back: bigint, lifting: Lifting): unknown {
  lifting.needsHead = true;
  const { head } = lifting.context;
  if (head === undefined) return unknown(lifting);
  return toQuantity(head + back < 0n ? 0n : head + back);
}

type Reference = Extract<Value, { kind: "reference" }>;

function liftReference(value: Reference, type: LiftType, lifting: Lifting): unknown {
  const { name, path } = value;
  const found = lifting.context.lookUp(name);
  if (!found) return waitFor(name, lifting);
  if ("result" in found) return memberAt(value, found.result, type, lifting);
  const { constant, within, nesting } = found;
  if (nesting > maxNesting) return complain(value, `What $${name} stands for is nested too deep`, lifting);
  const inner = liftConstant(constant, path.length === 0 ? type : "json", within);
  const [problem] = inner.problems;
  if (problem) return complain(value, `What $${name} stands for is not sound: ${problem.message}`, lifting);
  if (inner.waitsFor[0] !== undefined) waitFor(inner.waitsFor[0], lifting);
  lifting.needsHead ||= inner.needsHead;
  lifting.needsEvm ||= inner.needsEvm;
  lifting.leavesOut ||= inner.leavesOut;
  lifting.isKnown &&= inner.isKnown;
  if (!grow(value, constant.end - constant.start + inner.size, lifting)) return unknown(lifting);
  return path.length === 0 ? inner.value : memberAt(value, inner.value, type, lifting);
}

/** Each constant is lifted once, however many names use it. */
function liftConstant(constant: Value, type: LiftType, within: LiftContext): Lifted {
  const known = within.lifted.get(constant) ?? new Map<LiftType, Lifted>();
  within.lifted.set(constant, known);
  const lifted = known.get(type) ?? lift(constant, type, within);
  known.set(type, lifted);
  return lifted;
}

function waitFor(name: string, lifting: Lifting): typeof unknownYet {
  lifting.waitsFor.push(name);
  return unknown(lifting);
}

/** Counts what a name or a function puts into the line, and says so where it is too much. */
function grow(at: Span, characters: number, lifting: Lifting): boolean {
  const before = lifting.size;
  lifting.size = Math.min(Number.MAX_SAFE_INTEGER, before + characters);
  if (lifting.size <= maxLiftedSize) return true;
  const message = `What the names here stand for comes to more than ${maxLiftedSize.toLocaleString("en-US")} characters`;
  if (before <= maxLiftedSize) complain(at, message, lifting);
  return false;
}

function complain({ start, end }: Span, message: string, lifting: Lifting): typeof unknownYet {
  lifting.problems.push({ start, end, message });
  return unknown(lifting);
}

function memberAt(value: Reference, whole: unknown, type: LiftType, lifting: Lifting): unknown {
  let at = whole;
  for (const step of value.path) {
    if (at === unknownYet) return at;
    const members: unknown = at;
    const has = typeof members === "object" && members !== null && Object.hasOwn(members, step);
    if (!has) return complain(value, `The value of $${value.name} has no ${step}`, lifting);
    at = (members as Record<string | number, unknown>)[step];
  }
  const count = typeof at === "bigint" || Number.isSafeInteger(at) ? BigInt(at as number | bigint) : -1n;
  return count >= 0n && (type === "quantity" || type === "block") ? toQuantity(count) : at;
}

type Apply = Extract<Value, { kind: "apply" }>;

function liftApply(value: Apply, lifting: Lifting): unknown {
  const { context, size, isKnown } = lifting;
  lifting.isKnown = true;
  const args = value.args.map((arg) => liftValue(arg, "abi", lifting));
  const areKnown = lifting.isKnown;
  lifting.isKnown &&= isKnown;
  const isEvm = value.fn.text === "abi" || value.fn.text === "topic" || value.fn.text === "keccak";
  lifting.needsEvm ||= isEvm;
  if (!areKnown || (isEvm && !context.evm)) return unknown(lifting);
  try {
    const written = value.end - value.start + lifting.size - size;
    if (!spend(context.effort, written + signatureEffort(args[0]))) {
      lifting.leavesOut = true;
      return unknown(lifting);
    }
    const made = applyFunction(value.fn.text, args, context.evm);
    return grow(value, made.length, lifting) ? made : unknown(lifting);
  } catch (error) {
    return complain(value, error instanceof Error ? error.message : String(error), lifting);
  }
}

/** So much goes into looking at a call before there is anything in it. */
const leastEffort = 200;

/** The library's reader takes longer the longer a signature is, up to where it is refused. */
export function signatureEffort(signature: unknown): number {
  const length = typeof signature === "string" ? signature.length : 0;
  return length > maxSignature ? 0 : length + (length * length) / 200;
}

/** Whether there is effort left for so many characters; throws where it may not be left out. */
export function spend(effort: Effort, characters: number): boolean {
  effort.left -= characters + leastEffort;
  if (effort.left < 0 && !effort.mayLeaveOut)
    throw new Error(`More than ${maxLiftedSize.toLocaleString("en-US")} characters are to be encoded`);
  return effort.left >= 0;
}

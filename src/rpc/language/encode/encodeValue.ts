import { messageOf } from "../../../shared/messageOf.ts";
import { toQuantity } from "../../../shared/rpc/hex.ts";
import { type Effort, maxEncodedSize, signatureEffort, spend } from "../check/effort.ts";
import { type FoundVariable, useVariable } from "../environment/environments.ts";
import { type Member, type Span, solanaUnits, type Value } from "../parse/nodes.ts";
import { numberProblem, scaledNumber } from "../parse/tokens/numbers.ts";
import { applyFunction, type EvmTools } from "./applyFunction.ts";
import { readEnsName } from "./ensNames.ts";
import {
  abiText,
  argumentTypes,
  type EncodeType,
  isAnyTopic,
  isText,
  itemTypes,
  memberTypes,
} from "./valueTypes.ts";

/** The facts that encoding needs beyond the line itself. */
export interface EncodeContext {
  /** The meaning of a name; undefined if it has no value yet. */
  lookUp(name: string): Meaning | { readonly result: unknown } | undefined;
  /** The variable of an environment; undefined if it is not known yet. */
  variable(name: string): FoundVariable | undefined;
  /** Number of the newest block; undefined if unknown. */
  readonly head: bigint | undefined;
  readonly evm: EvmTools | undefined;
  /** The addresses of ENS names; undefined before they are resolved. */
  readonly names: ReadonlyMap<string, string> | undefined;
  /** The declaration with a name. */
  declaration(name: string, kind: "function" | "event", inputs: number): string;
  /** Cache of encoded constants, by the type that each was encoded as. */
  readonly encoded: Map<Value, Map<EncodeType, EncodedValue>>;
  readonly effort: Effort;
}

/** A constant. Its names are resolved at its definition (`within`). */
interface Meaning {
  readonly constant: Value;
  readonly within: EncodeContext;
  readonly nesting: number;
}

interface EncodeProblem extends Span {
  readonly message: string;
  /** True if a variable at this place has no value. */
  readonly lacksVariable?: boolean;
}

/** The encoded value, and what is missing for it. */
export interface EncodedValue {
  readonly value: unknown;
  /** About the number of characters that names and functions add: nested names can double it at each level. */
  readonly size: number;
  readonly problems: readonly EncodeProblem[];
  /** Names without a value yet. */
  readonly waitsFor: readonly string[];
  /** The ENS names in places of addresses. */
  readonly names: ReadonlySet<string>;
  readonly needsHead: boolean;
  readonly needsEvm: boolean;
  /** True if a part was skipped because of the effort. */
  readonly leavesOut: boolean;
  /** A variable of the environment without a value here. */
  readonly withheld?: string;
  /** True if no part is `unknownYet`. */
  readonly isKnown: boolean;
}

interface Encoding {
  readonly context: EncodeContext;
  readonly problems: EncodeProblem[];
  readonly waitsFor: string[];
  readonly names: Set<string>;
  size: number;
  needsHead: boolean;
  needsEvm: boolean;
  leavesOut: boolean;
  withheld?: string;
  isKnown: boolean;
  /** Objects around the value. */
  depth: number;
}

/** Placeholder for a part without a value yet. */
export const unknownYet: unique symbol = Symbol("unknown yet");

/** Deeper than any real parameter, including nested constants. */
const maxNesting = 200;

/** Encodes a value for a node: decimals to hex, units to wei or lamports, names to values. */
export function encodeValue(value: Value, type: EncodeType, context: EncodeContext): EncodedValue {
  const encoding: Encoding = {
    context,
    problems: [],
    waitsFor: [],
    names: new Set(),
    size: 0,
    needsHead: false,
    needsEvm: false,
    leavesOut: false,
    isKnown: true,
    depth: 0,
  };
  const encoded = encodeChild(value, type, encoding);
  const { context: _, depth: __, ...found } = encoding;
  return { ...found, value: encoded };
}

function encodeChild(value: Value, type: EncodeType, encoding: Encoding): unknown {
  const written = isText(type) ? writtenText(value, type) : undefined;
  if (written !== undefined) return written;
  switch (value.kind) {
    case "string":
      // In an object, quotes keep a text as it is: pasted JSON is sent as it was.
      return encoding.depth > 0 ? value.value : encodeText(value, value.value, type, encoding);
    case "word":
      return encodeText(value, value.text, type, encoding);
    case "hex":
    case "signature":
      return value.text;
    case "literal":
      return value.value;
    case "number":
      return encodeNumber(value, type, encoding);
    case "array": {
      const typeOf = itemTypes(type);
      return value.items.map((item, at) => encodeChild(item, typeOf(at), encoding));
    }
    case "object":
      return encodeObject(value.members, type, encoding);
    case "reference":
      return encodeReference(value, type, encoding);
    case "variable":
      return encodeVariable(value, type, encoding);
    case "apply":
      return encodeApply(value, encoding);
    case "option":
      return encodeChild(value.value, type, encoding);
    case "missing":
      return unknown(encoding);
  }
}

/** A value as a text, as it is written: numbers, constants and hex mean nothing else there. */
function writtenText(value: Value, type: EncodeType): string | undefined {
  switch (value.kind) {
    case "word":
    case "hex":
    case "signature":
      return value.text;
    case "literal":
      return isAnyTopic(type, value.value) ? undefined : value.text;
    case "number": {
      const { text, unit, start } = value;
      if (!unit) return text;
      return `${text}${unit.start > start + text.length ? " " : ""}${unit.text}`;
    }
    default:
      return undefined;
  }
}

/** The text itself, or the address of an ENS name. */
function encodeText(at: Span, text: string, type: EncodeType, encoding: Encoding): unknown {
  const read = type === "address" ? readEnsName(text) : undefined;
  if (!read) return text;
  if ("problem" in read) return addProblem(at, read.problem, encoding);
  encoding.names.add(read.name);
  return encoding.context.names?.get(read.name) ?? unknown(encoding);
}

function unknown(encoding: Encoding): typeof unknownYet {
  encoding.isKnown = false;
  return unknownYet;
}

function encodeObject(members: readonly Member[], type: EncodeType, encoding: Encoding): object {
  encoding.depth += 1;
  const typeOf = memberTypes(type);
  const encoded = members.map(({ key, value }) => [key.text, encodeChild(value, typeOf(key.text), encoding)]);
  encoding.depth -= 1;
  return Object.fromEntries(encoded);
}

type NumberValue = Extract<Value, { kind: "number" }>;

function encodeNumber(value: NumberValue, type: EncodeType, encoding: Encoding): unknown {
  const scaled = scaledNumber(value);
  if (scaled === undefined) return addProblem(value, numberProblem(value), encoding);
  if (type === "abi") return String(scaled);
  if (type === "block" && typeof scaled === "bigint" && scaled < 0n) return beforeHead(scaled, encoding);
  const { unit } = value;
  const asHex =
    (unit && !solanaUnits.has(unit.text)) || type === "quantity" || type === "block" || type === "felt";
  if (asHex && typeof scaled === "bigint" && scaled >= 0n) return toQuantity(scaled);
  return typeof scaled === "bigint" && !Number.isSafeInteger(Number(scaled)) ? scaled : Number(scaled);
}

function beforeHead(back: bigint, encoding: Encoding): unknown {
  encoding.needsHead = true;
  const { head } = encoding.context;
  if (head === undefined) return unknown(encoding);
  return toQuantity(head + back < 0n ? 0n : head + back);
}

type Reference = Extract<Value, { kind: "reference" }>;

function encodeReference(value: Reference, type: EncodeType, encoding: Encoding): unknown {
  const { name, path } = value;
  const found = encoding.context.lookUp(name);
  if (!found) return waitFor(name, encoding);
  if ("result" in found) return memberAt(value, found.result, type, encoding);
  const { constant, within, nesting } = found;
  if (nesting > maxNesting) return addProblem(value, `The value of $${name} is nested too deep`, encoding);
  const part = isText(type) ? partOf(constant, path) : undefined;
  const isWhole = path.length === 0 || part !== undefined;
  const inner = encodeConstant(part ?? constant, isWhole ? type : "json", within);
  const [problem] = inner.problems;
  if (problem) return addProblem(value, `The value of $${name} is invalid: ${problem.message}`, encoding);
  if (inner.waitsFor[0] !== undefined) waitFor(inner.waitsFor[0], encoding);
  encoding.needsHead ||= inner.needsHead;
  encoding.needsEvm ||= inner.needsEvm;
  encoding.leavesOut ||= inner.leavesOut;
  if (inner.withheld !== undefined) encoding.withheld ??= inner.withheld;
  encoding.isKnown &&= inner.isKnown;
  if (!grow(value, constant.end - constant.start + inner.size, encoding)) return unknown(encoding);
  for (const one of inner.names) encoding.names.add(one);
  return isWhole ? inner.value : memberAt(value, inner.value, type, encoding);
}

/** A part of a constant as it is written; undefined if it is not written there. */
function partOf(constant: Value, path: Reference["path"]): Value | undefined {
  return path.reduce<Value | undefined>((whole, step) => {
    if (whole?.kind === "array") return whole.items[Number(step)];
    if (whole?.kind !== "object") return undefined;
    return whole.members.findLast(({ key }) => key.text === String(step))?.value;
  }, constant);
}

/** Encodes a constant, or returns its cached encoding. */
function encodeConstant(constant: Value, type: EncodeType, within: EncodeContext): EncodedValue {
  const byType = within.encoded.get(constant) ?? new Map<EncodeType, EncodedValue>();
  within.encoded.set(constant, byType);
  const encoded = byType.get(type) ?? encodeValue(constant, type, within);
  byType.set(type, encoded);
  return encoded;
}

function waitFor(name: string, encoding: Encoding): typeof unknownYet {
  encoding.waitsFor.push(name);
  return unknown(encoding);
}

/** Adds to the size of the line. Adds a problem when it becomes too large. */
function grow(at: Span, characters: number, encoding: Encoding): boolean {
  const before = encoding.size;
  encoding.size = Math.min(Number.MAX_SAFE_INTEGER, before + characters);
  if (encoding.size <= maxEncodedSize) return true;
  const message = `The values of the names are longer than ${maxEncodedSize.toLocaleString("en-US")} characters together`;
  if (before <= maxEncodedSize) addProblem(at, message, encoding);
  return false;
}

function addProblem({ start, end }: Span, message: string, encoding: Encoding): typeof unknownYet {
  encoding.problems.push({ start, end, message });
  return unknown(encoding);
}

function memberAt(value: Reference, whole: unknown, type: EncodeType, encoding: Encoding): unknown {
  let at = whole;
  for (const step of value.path) {
    if (at === unknownYet) return at;
    const members: unknown = at;
    const has = typeof members === "object" && members !== null && Object.hasOwn(members, step);
    if (!has) return addProblem(value, `The value of $${value.name} has no ${step}`, encoding);
    at = (members as Record<string | number, unknown>)[step];
  }
  const count = typeof at === "bigint" || Number.isSafeInteger(at) ? BigInt(at as number | bigint) : -1n;
  return count >= 0n && (type === "quantity" || type === "block") ? toQuantity(count) : at;
}

function encodeVariable(
  value: Extract<Value, { kind: "variable" }>,
  type: EncodeType,
  encoding: Encoding,
): unknown {
  const { name, unit, start, end } = value;
  const found = encoding.context.variable(name);
  const used = found && useVariable(found, name, unit);
  if (!used) encoding.withheld ??= name;
  else if ("problem" in used)
    encoding.problems.push({ start, end, message: used.problem, lacksVariable: true });
  else if (grow(value, used.length, encoding)) {
    const { literal } = used;
    const isAny = literal.kind === "literal" && isAnyTopic(type, literal.value);
    if (isText(type) && !isAny && "variable" in found)
      return unit ? `${found.variable.value} ${unit.text}` : found.variable.value;
    // A file of variables has no quotes that keep a text as it is.
    if (literal.kind === "string") return encodeText(value, literal.value, type, encoding);
    return encodeChild({ ...literal, start, end }, type, encoding);
  }
  return unknown(encoding);
}

type Apply = Extract<Value, { kind: "apply" }>;

/** Those of `abi` have the types of its signature; `str` and `keccak` take a text. */
function encodedArguments({ fn, args }: Apply, encoding: Encoding): readonly unknown[] {
  if (fn.text === "str" || fn.text === "keccak")
    return args.map((arg) => encodeChild(arg, abiText, encoding));
  const [signature, ...values] = args;
  const first = signature && encodeChild(signature, "abi", encoding);
  const types = fn.text === "abi" && typeof first === "string" ? argumentTypes(first) : [];
  const others = values.map((arg, at) => encodeChild(arg, types[at] ?? "abi", encoding));
  return signature ? [first, ...others] : [];
}

function encodeApply(value: Apply, encoding: Encoding): unknown {
  const { context, size, isKnown } = encoding;
  encoding.isKnown = true;
  const args = encodedArguments(value, encoding);
  const areKnown = encoding.isKnown;
  encoding.isKnown &&= isKnown;
  const isEvm = value.fn.text === "abi" || value.fn.text === "topic" || value.fn.text === "keccak";
  encoding.needsEvm ||= isEvm;
  if (!areKnown || (isEvm && !context.evm)) return unknown(encoding);
  try {
    const written = value.end - value.start + encoding.size - size;
    if (!spend(context.effort, written + signatureEffort(args[0]))) {
      encoding.leavesOut = true;
      return unknown(encoding);
    }
    const made = applyFunction(value.fn.text, args, context.evm);
    return grow(value, made.length, encoding) ? made : unknown(encoding);
  } catch (error) {
    return addProblem(value, messageOf(error), encoding);
  }
}

// The values of an expectation and their exact comparison: integers of any size, and decimals as digits and a scale.
import { exactJsonText } from "../../../shared/exactJson.ts";
import { scaled } from "../../../shared/rpc/scaled.ts";
import type { RpcValue } from "../../../shared/rpcOutput.ts";
import { compilePattern } from "../language/linearPattern.ts";

/** A value of an expectation. Lists and objects convert their parts when they are read. */
export type Comparable =
  /** `digits` × 10^-`scale`. */
  | { readonly kind: "number"; readonly digits: bigint; readonly scale: number }
  /** Text of a node, of a notebook, or hex digits with `0x`. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly length: number; item(index: number): Comparable }
  | {
      readonly kind: "object";
      readonly names: readonly string[];
      /** Undefined without a member of that name. */
      member(name: string): Comparable | undefined;
    };

/** Adds members to an object of a node, such as the event of a log. */
export type AddMembers = (object: Readonly<Record<string, unknown>>) => ReadonlyMap<string, Comparable>;

/** Digits of a number, and of the exponent that it may have. */
const maxDigits = 1_000;

/** A decimal such as `-1.5e3`, exactly; undefined for other text, and for more than a thousand digits. */
export function parseDecimal(text: string): Comparable | undefined {
  if (text.length > maxDigits) return undefined;
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!found) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = found;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > maxDigits) return undefined;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return scale >= 0 ? numberOf(digits, scale) : numberOf(digits * 10n ** BigInt(-scale));
}

export function numberOf(digits: bigint, scale = 0): Comparable & { readonly kind: "number" } {
  return { kind: "number", digits, scale };
}

/** A value of JSON. Integers beyond 2^53 are bigint. */
export function fromJson(value: unknown, addMembers: AddMembers = noMembers): Comparable {
  switch (typeof value) {
    case "bigint":
      return numberOf(value);
    case "number":
      return parseDecimal(String(value)) ?? { kind: "text", text: String(value) };
    case "string":
      return { kind: "text", text: value };
    case "boolean":
      return { kind: "boolean", value };
    case "object":
      if (value === null) return { kind: "null" };
      if (Array.isArray(value))
        return {
          kind: "list",
          length: value.length,
          item: (index) => fromJson(value[index], addMembers),
        };
      return fromObject(value as Readonly<Record<string, unknown>>, addMembers);
    default:
      return { kind: "null" };
  }
}

const noMembers: AddMembers = () => new Map();

function fromObject(value: Readonly<Record<string, unknown>>, addMembers: AddMembers): Comparable {
  let added: ReadonlyMap<string, Comparable> | undefined;
  return {
    kind: "object",
    names: Object.keys(value),
    member(name) {
      if (Object.hasOwn(value, name)) return fromJson(value[name], addMembers);
      added ??= addMembers(value);
      return added.get(name);
    },
  };
}

/** A decoded value of a contract, by its Solidity type. */
export function fromDecoded({ type, value }: Pick<RpcValue, "type" | "value">): Comparable {
  if (typeof value !== "string") return fromDecodedList(value);
  if (/^u?int\d*$/.test(type)) return numberOf(BigInt(value));
  return type === "bool" ? { kind: "boolean", value: value === "true" } : { kind: "text", text: value };
}

/** Decoded values by index and by name. A single value is not a list. */
export function fromDecodedList(values: readonly RpcValue[]): Comparable {
  const isNamed = values.some(({ name }) => name !== "");
  const list: Comparable = {
    kind: "list",
    length: values.length,
    item: (index) => fromDecoded(values[index] ?? { type: "", value: "" }),
  };
  if (!isNamed) return list;
  const member = (name: string) => {
    const found =
      values.find((one) => one.name === name) ?? (/^\d+$/.test(name) ? values[Number(name)] : undefined);
    return found && fromDecoded(found);
  };
  return { kind: "object", names: values.map(({ name }, index) => name || String(index)), member };
}

/** A part of a value by its path; `length` is that of a list or text. Undefined if there is none. */
export function partAtStep(value: Comparable, step: string | number): Comparable | undefined {
  if (value.kind === "object") return value.member(String(step));
  if (step === "length" && value.kind === "list") return numberOf(BigInt(value.length));
  if (step === "length" && value.kind === "text") return numberOf(BigInt(lengthOf(value.text)));
  const isIndex = value.kind === "list" && typeof step === "number" && step < value.length;
  return isIndex ? value.item(step) : undefined;
}

/** Bytes of hex digits, else characters. */
function lengthOf(text: string): number {
  return isHex(text) ? Math.ceil((text.length - 2) / 2) : text.length;
}

/** The comparison can't be made. The message names the operand and its type. */
export class BrokenExpectation extends Error {}

/** Parts that one expectation compares; a page of a node can have millions. */
const maxSteps = 200_000;

interface Effort {
  left: number;
  depth: number;
}
/** Deeper than any result; limits the recursion. */
const maxDepth = 500;

/** True if the relation holds. Throws BrokenExpectation if the operands can't be compared. */
export function holds(left: Comparable, operator: string, right: Comparable): boolean {
  const effort = { left: maxSteps, depth: 0 };
  switch (operator) {
    case "==":
      return isEqual(left, right, effort);
    case "!=":
      return !isEqual(left, right, effort);
    case "<":
      return order(left, right) < 0;
    case "<=":
      return order(left, right) <= 0;
    case ">":
      return order(left, right) > 0;
    case ">=":
      return order(left, right) >= 0;
    case "is-null":
      return left.kind === "null";
    case "contains":
      return contains(left, right, effort);
    case "matches":
      return matches(left, right);
    default:
      throw new BrokenExpectation(`${operator} is no operator`);
  }
}

type Numeric = Extract<Comparable, { kind: "number" }>;

/** A number, or a text of hex digits or decimals. */
export function numericOf(value: Comparable): Numeric | undefined {
  if (value.kind === "number") return value;
  if (value.kind !== "text" || value.text.length > maxHexDigits) return undefined;
  if (/^0x[0-9a-f]+$/i.test(value.text)) return numberOf(BigInt(value.text));
  const decimal = parseDecimal(value.text);
  return decimal?.kind === "number" ? decimal : undefined;
}

const maxHexDigits = 4_000;

function order(left: Comparable, right: Comparable): number {
  const [a, b] = [numericOf(left), numericOf(right)];
  for (const [value, number] of [
    [left, a],
    [right, b],
  ] as const)
    if (!number) throw new BrokenExpectation(`${describe(value)} is no number, so it has no order`);
  return a && b ? Number(signOf(difference(a, b))) : 0;
}

/** `a - b`, exactly. */
export function difference(a: Numeric, b: Numeric): Numeric {
  const scale = Math.max(a.scale, b.scale);
  const at = ({ digits, scale: own }: Numeric) => digits * 10n ** BigInt(scale - own);
  return numberOf(at(a) - at(b), scale);
}

function signOf({ digits }: Numeric): bigint {
  return digits === 0n ? 0n : digits > 0n ? 1n : -1n;
}

function isEqual(left: Comparable, right: Comparable, effort: Effort): boolean {
  step(effort);
  if (++effort.depth > maxDepth)
    throw new BrokenExpectation(`it compares values that are nested more than ${maxDepth} deep`);
  const result = isEqualInside(left, right, effort);
  effort.depth--;
  return result;
}

function isEqualInside(left: Comparable, right: Comparable, effort: Effort): boolean {
  if (left.kind === "null" || right.kind === "null") return left.kind === right.kind;
  if (left.kind === "number" || right.kind === "number") return isSameNumber(left, right);
  if (left.kind === "text" && right.kind === "text") return isSameText(left.text, right.text);
  if (left.kind === "boolean" && right.kind === "boolean") return left.value === right.value;
  if (left.kind === "list" && right.kind === "list") {
    if (left.length !== right.length) return false;
    for (let at = 0; at < left.length; at++)
      if (!isEqual(left.item(at), right.item(at), effort)) return false;
    return true;
  }
  if (left.kind === "object" && right.kind === "object")
    return left.names.length === right.names.length && hasMembers(left, right, effort);
  throw new BrokenExpectation(`${describe(left)} and ${describe(right)} can't be compared`);
}

function isSameNumber(left: Comparable, right: Comparable): boolean {
  const [a, b] = [numericOf(left), numericOf(right)];
  if (!a || !b) throw new BrokenExpectation(`${describe(left)} and ${describe(right)} can't be compared`);
  return difference(a, b).digits === 0n;
}

/** Hex digits are equal in each case: a checksum is no difference. */
function isSameText(left: string, right: string): boolean {
  return left === right || (isHex(left) && isHex(right) && left.toLowerCase() === right.toLowerCase());
}

function isHex(text: string): boolean {
  return /^0x[0-9a-f]*$/i.test(text);
}

type ObjectValue = Extract<Comparable, { kind: "object" }>;

function hasMembers(whole: ObjectValue, wanted: ObjectValue, effort: Effort): boolean {
  return wanted.names.every((name) => {
    const [own, other] = [whole.member(name), wanted.member(name)];
    return own !== undefined && other !== undefined && isEqualOrFalse(own, other, effort);
  });
}

/** For a search: a part of another type is just not equal. */
function isEqualOrFalse(left: Comparable, right: Comparable, effort: Effort): boolean {
  const { depth } = effort;
  try {
    return isEqual(left, right, effort);
  } catch (error) {
    if (!(error instanceof BrokenExpectation) || effort.left <= 0 || effort.depth > maxDepth) throw error;
    effort.depth = depth;
    return false;
  }
}

function contains(whole: Comparable, part: Comparable, effort: Effort): boolean {
  if (whole.kind === "text" && part.kind === "text") return containsText(whole.text, part.text);
  if (whole.kind === "object" && part.kind === "object") return hasMembers(whole, part, effort);
  if (whole.kind !== "list")
    throw new BrokenExpectation(`${describe(whole)} can't contain ${describe(part)}`);
  for (let at = 0; at < whole.length; at++) {
    step(effort);
    const item = whole.item(at);
    const isFound =
      item.kind === "object" && part.kind === "object"
        ? hasMembers(item, part, effort)
        : isEqualOrFalse(item, part, effort);
    if (isFound) return true;
  }
  return false;
}

function containsText(whole: string, part: string): boolean {
  if (!isHex(whole) || !isHex(part)) return whole.includes(part);
  return whole.slice(2).toLowerCase().includes(part.slice(2).toLowerCase());
}

/** Limits of the characters that a pattern reads, and of characters × steps. */
const maxMatched = 100_000;
const maxMatchSteps = 20_000_000;

function matches(value: Comparable, pattern: Comparable): boolean {
  const text = value.kind === "number" ? showNumber(value) : value.kind === "text" ? value.text : undefined;
  if (text === undefined || pattern.kind !== "text")
    throw new BrokenExpectation(
      `matches compares text with a pattern, not ${describe(text === undefined ? value : pattern)}`,
    );
  const compiled = compile(pattern.text);
  if (text.length > maxMatched || text.length * compiled.steps > maxMatchSteps)
    throw new BrokenExpectation(`a text of ${text.length} characters is too long for this pattern`);
  return compiled.test(text);
}

function compile(pattern: string) {
  try {
    return compilePattern(pattern);
  } catch (error) {
    throw new BrokenExpectation(`the pattern is invalid: ${error instanceof Error ? error.message : error}`);
  }
}

function step(effort: Effort): void {
  if (--effort.left <= 0)
    throw new BrokenExpectation(`it compares more than ${maxSteps.toLocaleString("en-US")} values`);
}

/** An exact decimal, without trailing zeros. */
export function showNumber({ digits, scale }: Numeric): string {
  return scale === 0 ? String(digits) : scaled(digits, scale);
}

const maxShown = 300;

/** A value as short text. */
export function show(value: Comparable): string {
  const text = value.kind === "number" ? showNumber(value) : (exactJsonText(toJson(value, 3)) ?? "");
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Items that a short text can show. */
const maxItems = 20;

function toJson(value: Comparable, depth: number): unknown {
  switch (value.kind) {
    case "number":
      return value.scale === 0 ? value.digits : showNumber(value);
    case "text":
      return value.text.length > maxShown ? `${value.text.slice(0, maxShown)}…` : value.text;
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "list":
      if (depth === 0) return "…";
      return Array.from({ length: Math.min(value.length, maxItems) }, (_, at) =>
        toJson(value.item(at), depth - 1),
      );
    case "object":
      if (depth === 0) return "…";
      return Object.fromEntries(
        value.names
          .slice(0, maxItems)
          .map((name) => [name, toJson(value.member(name) ?? { kind: "null" }, depth - 1)]),
      );
  }
}

/** `text "abc"`, `number 5`: an operand with its type. */
export function describe(value: Comparable): string {
  if (value.kind === "null") return "null";
  const kind = value.kind === "text" && isHex(value.text) ? "hex" : value.kind;
  return `${kind} ${show(value)}`;
}

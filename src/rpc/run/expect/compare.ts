// Exact comparisons of the values of expectations.
import { messageOf } from "../../../shared/messageOf.ts";
import { compilePattern } from "../../language/parse/linearPattern.ts";
import {
  type Comparable,
  describe,
  isHex,
  type Numeric,
  numberOf,
  parseDecimal,
  showNumber,
} from "./comparable.ts";

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
  if (left.kind === "list" && right.kind === "list") return isSameList(left, right, effort);
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

type ListValue = Extract<Comparable, { kind: "list" }>;

function isSameList(left: ListValue, right: ListValue, effort: Effort): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (!isEqual(left.item(at), right.item(at), effort)) return false;
  return true;
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
    throw new BrokenExpectation(`the pattern is invalid: ${messageOf(error)}`);
  }
}

function step(effort: Effort): void {
  if (--effort.left <= 0)
    throw new BrokenExpectation(`it compares more than ${maxSteps.toLocaleString("en-US")} values`);
}

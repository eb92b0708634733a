// The values of an expectation: integers of any size, decimals as digits and a scale, and what a node or a contract returns.

import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import type { RpcValue } from "../../output/rpcOutput.ts";
import { scaled } from "../../output/scaled.ts";

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

/**
 * Returns the member or item of a value, or undefined if it has none. The step `length` counts the items of a list, the
 * characters of a text, or the bytes of hex digits.
 */
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

export type Numeric = Extract<Comparable, { kind: "number" }>;

/** An exact decimal, without trailing zeros. */
export function showNumber({ digits, scale }: Numeric): string {
  return scale === 0 ? String(digits) : scaled(digits, scale);
}

const maxShown = 300;

/** A value as short text. */
export function show(value: Comparable): string {
  const text = value.kind === "number" ? showNumber(value) : (exactJsonText(toJson(value, 3)) ?? "");
  return shortened(text, maxShown);
}

/** Items that a short text can show. */
const maxItems = 20;

function toJson(value: Comparable, depth: number): unknown {
  switch (value.kind) {
    case "number":
      return value.scale === 0 ? value.digits : showNumber(value);
    case "text":
      return shortened(value.text, maxShown);
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

export function isHex(text: string): boolean {
  return /^0x[0-9a-f]*$/i.test(text);
}

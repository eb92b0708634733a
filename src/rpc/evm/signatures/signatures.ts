import { type AbiEvent, type AbiFunction, type AbiParameter, parseAbiItem } from "viem";
import { type Members, ownMember } from "../../../shared/members.ts";
import { plural } from "../../../shared/text/plural.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { maxSignature } from "../../language/encode/applyFunction.ts";

const modifiers = /^\s*(?:(?:external|public|view|pure|payable|nonpayable)\s+)*(?:returns\s*)?/;

/** Parses `balanceOf(address)(uint256)` or Solidity. Throws an Error with a message for the user. */
export function readFunction(signature: string): AbiFunction {
  const { name, inputs, rest } = splitSignature(signature.replace(/^\s*function\s+/, ""));
  const outputs = rest.replace(modifiers, "").trim();
  const item = parse(`function ${name}${inputs}${outputs === "" ? "" : ` returns ${outputs}`}`, signature);
  if (item.type !== "function") throw new Error(`${shortened(signature, maxShown)} is not a function`);
  return item;
}

/** Parses `Transfer(address,address,uint256)`, with or without `indexed` and names. */
export function readEvent(signature: string): AbiEvent {
  const { name, inputs } = splitSignature(
    signature.replace(/^\s*event\s+/, ""),
    "an event such as Transfer(address,address,uint256)",
  );
  const item = parse(`event ${name}${inputs}`, signature);
  if (item.type !== "event") throw new Error(`${shortened(signature, maxShown)} is not an event`);
  return item;
}

function splitSignature(
  written: string,
  expected = "a signature such as balanceOf(address)(uint256)",
): { name: string; inputs: string; rest: string } {
  checkLimits(written);
  // Other libraries write the word before the members.
  const signature = written.replace(/\btuple(?=\()/g, "");
  const [, name = "", tail = ""] = /^\s*([A-Za-z_]\w*)\s*(\(.*)$/s.exec(signature) ?? [];
  let depth = 0;
  for (let at = 0; at < tail.length; at++) {
    if (tail[at] === "(") depth++;
    if (tail[at] === ")" && --depth === 0)
      return { name, inputs: tail.slice(0, at + 1), rest: tail.slice(at + 1) };
  }
  throw new Error(`${shortened(signature, maxShown)} is not ${expected}`);
}

/** Characters of a signature in an error. */
const maxShown = 100;
/** Deeper than the output of compilers. The library's parser takes quadratic time in depth and length. */
const maxDepth = 16;

function checkLimits(signature: string): void {
  if (signature.length > maxSignature) throw new Error(`A signature has at most ${maxSignature} characters`);
  let depth = 0;
  for (const letter of signature) {
    if (letter === "(" && ++depth > maxDepth)
      throw new Error(`A signature can have at most ${maxDepth} nested brackets`);
    if (letter === ")") depth--;
  }
}

function parse(declaration: string, signature: string): AbiFunction | AbiEvent {
  try {
    return parseAbiItem(declaration as "function f()") as AbiFunction | AbiEvent;
  } catch (error) {
    throw new Error(`${shortened(signature, maxShown)} can't be read: ${firstLine(error)}`);
  }
}

/** The first line of a library's error. */
export function firstLine(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  return (shortMessage ?? message ?? String(error)).split("\n")[0] ?? "";
}

/** Converts a value for the encoder: whole numbers to bigint, members to their order. */
export function coerce(parameter: AbiParameter, value: unknown): unknown {
  const { type } = parameter;
  const item = itemParameter(parameter);
  if (item) {
    if (!Array.isArray(value)) throw new Error(`${type} takes a list: [ … ]`);
    return value.map((one) => coerce(item, one));
  }
  if (type === "tuple") return coerceTuple(parameter, value);
  if (/^u?int\d*$/.test(type)) return wholeNumber(value, type);
  if (type === "bool") {
    if (typeof value !== "boolean") throw new Error(`bool takes true or false, not ${shown(value)}`);
    return value;
  }
  if (value === undefined) throw new Error(`A value for ${type} is missing`);
  if (value === null || typeof value === "object") throw new Error(`${type} takes one value`);
  return /^bytes\d*$/.test(type) ? bytesOf(type, String(value)) : String(value);
}

/** The type of the items of a list; undefined for another type. */
export function itemParameter(parameter: AbiParameter): AbiParameter | undefined {
  const type = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1];
  return type === undefined ? undefined : { ...parameter, type };
}

function coerceTuple(parameter: AbiParameter, value: unknown): unknown {
  const components = "components" in parameter ? parameter.components : [];
  if (typeof value !== "object" || value === null) throw new Error("A tuple takes a list or an object");
  if (Array.isArray(value)) {
    if (value.length !== components.length)
      throw new Error(`This tuple has ${plural(components.length, "member")}, not ${value.length}`);
    return components.map((component, index) => coerce(component, value[index]));
  }
  const names = components.map(({ name = "" }) => name);
  const wrong = Object.keys(value).find((key) => !names.includes(key));
  if (wrong !== undefined)
    throw new Error(`This tuple has no member ${shown(wrong)}. Its members are ${names.join(", ")}`);
  return components.map((component, index) => {
    const member = ownMember(value as Members, names[index] ?? "");
    if (member === undefined)
      throw new Error(`The member ${names[index] || index + 1} of a tuple is missing`);
    return coerce(component, member);
  });
}

/** Bytes as hex. The library would send an odd digit, or a text, as it is. */
function bytesOf(type: string, text: string): string {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) {
    const size = Number(type.slice("bytes".length) || Number.NaN);
    const given = (text.length - 2) / 2;
    if (!Number.isNaN(size) && given !== size)
      throw new Error(`${type} takes ${plural(size, "byte")}, not ${given}`);
    return text;
  }
  if (/^0x[0-9a-f]+$/i.test(text))
    throw new Error(`${type} takes whole bytes, but ${shown(text)} has an odd number of hex digits`);
  const hint = type === "bytes" ? `. The bytes of a text are str(${JSON.stringify(shown(text))})` : "";
  throw new Error(`${type} takes hex digits after 0x, not ${shown(text)}${hint}`);
}

function wholeNumber(value: unknown, type: string): bigint {
  const text = shown(value);
  // 256 bits have at most 78 digits.
  if (text.length <= 80 && /^(?:-?\d+|0x[0-9a-f]+)$/i.test(text)) return BigInt(text);
  throw new Error(`${type} takes a whole number, not ${text}`);
}

function shown(value: unknown): string {
  return typeof value === "object" ? "a list or an object" : shortened(String(value), maxShown);
}

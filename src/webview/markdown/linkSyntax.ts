import { unescaped } from "./entities.ts";
import { isSpace, trimmed } from "./lineSyntax.ts";

/** What a reader found: where it ends; `incomplete` where the text ends first, so that more of it could still fit. */
export type Found<Value> = { readonly value: Value; readonly end: number } | "incomplete" | undefined;

export interface LinkTarget {
  readonly href: string;
}

/** A destination or a title with more characters is none; the bound keeps a text made to be slow from being so. */
const longest = 4096;
export const longestLabel = 999;

/** A label as the key of its definition (CommonMark 4.7). */
export function normalLabel(label: string): string {
  return trimmed(label)
    .replace(/[ \t\n]+/g, " ")
    .toLowerCase()
    .toUpperCase();
}

/** Reads `(destination "title")` from the parenthesis at `start`; the title is not shown, so it is not kept. */
export function readTarget(source: string, start: number): Found<LinkTarget> {
  let at = skipSpace(source, start + 1);
  const destination = readDestination(source, at);
  if (destination === "incomplete" || destination === undefined) return destination;
  at = skipSpace(source, destination.end);
  if (at > destination.end && /["'(]/.test(source.charAt(at))) {
    const title = readTitle(source, at);
    if (title === "incomplete" || title === undefined) return title;
    at = skipSpace(source, title.end);
  }
  if (at >= source.length) return "incomplete";
  return source[at] === ")" ? { value: { href: destination.value }, end: at + 1 } : undefined;
}

/** Reads `<any thing>` or a run without spaces whose parentheses are balanced; it may be empty. */
function readDestination(source: string, start: number): Found<string> {
  if (source[start] === "<") return readAngled(source, start);
  if (source.startsWith("data:image/", start)) return readData(source, start);
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (at - start > longest) return undefined;
    const char = source.charAt(at);
    if (char === "\\" && isEscapable(source.charAt(at + 1))) at++;
    else if (char === "(") depth++;
    else if (char === ")" && depth-- === 0) return { value: unescaped(source.slice(start, at)), end: at };
    else if (char <= " " || char === "\x7f")
      return depth === 0 ? { value: unescaped(source.slice(start, at)), end: at } : undefined;
    if (depth > 32) return undefined;
  }
  return "incomplete";
}

/** A picture within the text: long, and made of few signs. */
const data = /data:image\/[\w.+-]{1,40};base64,[\w+/=]{0,8000000}/y;
function readData(source: string, start: number): Found<string> {
  data.lastIndex = start;
  const found = data.exec(source)?.[0];
  if (found === undefined) return source.length - start < 60 ? "incomplete" : undefined;
  const end = start + found.length;
  return end === source.length ? "incomplete" : { value: found, end };
}

function readAngled(source: string, start: number): Found<string> {
  for (let at = start + 1; at < source.length && at - start < longest; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === ">") return { value: unescaped(source.slice(start + 1, at)), end: at + 1 };
    else if (char === "<" || char === "\n") return undefined;
  }
  return source.length - start < longest ? "incomplete" : undefined;
}

function readTitle(source: string, start: number): Found<string> {
  const close = source[start] === "(" ? ")" : source[start];
  for (let at = start + 1; at < source.length && at - start < longest; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === close) return { value: source.slice(start + 1, at), end: at + 1 };
    else if (source[at] === "(" && close === ")") return undefined;
  }
  return source.length - start < longest ? "incomplete" : undefined;
}

export interface LinkDefinition {
  readonly label: string;
  readonly href: string;
  readonly end: number;
}

/** Reads `[label]: destination "title"` at the start of a line of `source`, which ends in a line ending (CommonMark 4.7). */
export function readDefinition(source: string, start: number): LinkDefinition | undefined {
  const open = skipSpace(source, start);
  if (source[open] !== "[" || source[open + 1] === "^") return undefined;
  const label = readLabel(source, open);
  if (typeof label !== "object" || trimmed(label.value) === "" || source[label.end] !== ":") return undefined;
  const at = skipSpace(source, label.end + 1);
  const target = readDestination(source, at);
  if (typeof target !== "object" || target.end === at) return undefined;
  const titleAt = skipSpace(source, target.end);
  const title = titleAt > target.end && /["'(]/.test(source.charAt(titleAt)) && readTitle(source, titleAt);
  // What does not end with the line is no title; if that begins in a line of its own, the definition ends before it.
  const end = (typeof title === "object" && endOfLine(source, title.end)) || endOfLine(source, target.end);
  return end === undefined ? undefined : { label: label.value, href: target.value, end };
}

/** The start of the next line, where only white space stands before it. */
function endOfLine(source: string, start: number): number | undefined {
  let at = start;
  while (source[at] === " " || source[at] === "\t") at++;
  return source[at] === "\n" ? at + 1 : undefined;
}

/** Reads `[label]`; the value is what stands between the brackets. */
export function readLabel(source: string, start: number): Found<string> {
  const limit = Math.min(source.length, start + longestLabel + 2);
  for (let at = start + 1; at < limit; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "[") return undefined;
    else if (char === "]") return { value: source.slice(start + 1, at), end: at + 1 };
  }
  return limit < source.length ? undefined : "incomplete";
}

function isEscapable(char: string): boolean {
  return /[!-/:-@[-`{-~]/.test(char);
}

function skipSpace(source: string, start: number): number {
  let at = start;
  while (isSpace(source[at])) at++;
  return at;
}

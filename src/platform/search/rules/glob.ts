import { fileName } from "../../../shared/text/fileName.ts";

/** True if a path matches. Paths are relative, with `/`. */
export type Glob = (path: string) => boolean;

/** A step of a pattern. `folders` are any number of whole folders, each with its `/`; `rest` is all that follows. */
type Step =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "class"; readonly has: (char: string) => boolean }
  | { readonly kind: "any" | "star" | "folders" | "rest" };

/** Limit of the alternatives that the braces of a pattern stand for. */
const maxAlternatives = 256;

/**
 * Compiles a pattern with the syntax of gitignore(5): `*`, `?`, `[a-z]`, `[!a]`, `\`, and double stars for folders. It is
 * matched from the start of a path to its end. Undefined if it is not valid: an open class, a `\` at the end.
 *
 * Patterns come from models and from files of the workspace. So the time is at most that of the pattern times the path,
 * unlike with a regular expression made of the pattern.
 */
export function compileGlob(pattern: string): Glob | undefined {
  if (!/[*?[\\]/.test(pattern)) return (path) => path === pattern;
  const suffix = /^\*([^*?[\\/]+)$/.exec(pattern)?.[1];
  if (suffix !== undefined) return (path) => path.endsWith(suffix) && !path.includes("/");
  const name = /^\*\*\/([^/]+)$/.exec(pattern)?.[1];
  if (name !== undefined && name !== "**") return globOfNames(name);
  const steps = stepsOf(pattern);
  return steps && ((path) => isMatch(steps, path));
}

/** Most patterns of settings are for names at any depth, and a list asks for each of its paths. */
function globOfNames(pattern: string): Glob | undefined {
  const glob = compileGlob(pattern);
  return glob && ((path) => glob(fileName(path)));
}

/** The same with braces: `*.{ts,tsx}`. Braces without their end are not valid. */
export function compileBraceGlob(pattern: string): Glob | undefined {
  const alternatives = expandBraces(pattern);
  if (!alternatives) return undefined;
  const globs = alternatives.map(compileGlob).filter((glob) => glob !== undefined);
  return globs.length === 0 ? undefined : (path) => globs.some((glob) => glob(path));
}

/** The patterns that a pattern with braces stands for. Undefined if they are not closed, or too many. */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = firstBraces(next);
    if (parts === "unclosed") return undefined;
    if (parts === undefined) done.push(next);
    else for (const option of parts.options) open.push(`${parts.before}${option}${parts.after}`);
    if (done.length + open.length > maxAlternatives) return undefined;
  }
  return done;
}

interface Braces {
  readonly before: string;
  readonly options: readonly string[];
  readonly after: string;
}

function firstBraces(pattern: string): Braces | "unclosed" | undefined {
  const options: string[] = [];
  let [start, optionStart] = [-1, -1];
  for (const { char, index, depth } of bracesIn(pattern)) {
    if (depth > 1) continue;
    if (char === "{") start = index;
    else options.push(pattern.slice(optionStart, index));
    optionStart = index + 1;
    if (char === "}") return { before: pattern.slice(0, start), options, after: pattern.slice(index + 1) };
  }
  return start < 0 ? undefined : "unclosed";
}

/** The braces of a pattern and the commas in them, each with the depth of its braces, from 1. */
function* bracesIn(pattern: string) {
  let depth = 0;
  for (const { 0: char, index } of pattern.matchAll(/\\[\s\S]|[{},]/g)) {
    if (char === "{") depth += 1;
    if (depth > 0 && char.length === 1) yield { char, index, depth };
    if (depth > 0 && char === "}") depth -= 1;
  }
}

/** A step, and the index after it. */
interface ReadStep {
  readonly step: Step;
  readonly end: number;
}

function stepsOf(pattern: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let index = 0; index < pattern.length; ) {
    const read = stepAt(pattern, index);
    if (!read) return undefined;
    steps.push(read.step);
    index = read.end;
  }
  return steps;
}

function stepAt(pattern: string, index: number): ReadStep | undefined {
  const char = charAt(pattern, index);
  if (char === "*") return starsAt(pattern, index);
  if (char === "[") return classAt(pattern, index);
  if (char === "?") return { step: { kind: "any" }, end: index + 1 };
  const start = char === "\\" ? index + 1 : index;
  const literal = charAt(pattern, start);
  if (literal === "") return undefined;
  return { step: { kind: "char", char: literal }, end: start + literal.length };
}

function charAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Two stars stand for folders, with the `/` after them, only if they are a whole part of the path. */
function starsAt(pattern: string, start: number): ReadStep {
  let end = start;
  while (pattern[end] === "*") end += 1;
  const isPart = end - start === 2 && (start === 0 || pattern[start - 1] === "/");
  if (isPart && pattern[end] === "/") return { step: { kind: "folders" }, end: end + 1 };
  return { step: { kind: isPart && end === pattern.length ? "rest" : "star" }, end };
}

function classAt(pattern: string, start: number): ReadStep | undefined {
  let index = start + 1;
  const isNegated = pattern[index] === "!" || pattern[index] === "^";
  if (isNegated) index += 1;
  const first = index;
  const ranges: (readonly [string, string])[] = [];
  const take = () => {
    if (pattern[index] === "\\") index += 1;
    const char = charAt(pattern, index);
    index += char.length;
    return char;
  };
  while (index === first || pattern[index] !== "]") {
    const from = take();
    if (from === "") return undefined;
    const isRange = pattern[index] === "-" && index + 1 < pattern.length && pattern[index + 1] !== "]";
    if (isRange) index += 1;
    const to = isRange ? take() : from;
    if (to === "" || to < from) return undefined;
    ranges.push([from, to]);
  }
  const has = (char: string) =>
    char !== "/" && ranges.some(([from, to]) => from <= char && char <= to) !== isNegated;
  return { step: { kind: "class", has }, end: index + 1 };
}

/** Simulates all ways to match at the same time, so that no way is tried twice. */
function isMatch(steps: readonly Step[], path: string): boolean {
  // Bit 1: the step is next. Bit 2: inside a folder's name that the step has begun.
  let states = new Uint8Array(steps.length + 1);
  enter(steps, states, 0);
  for (const char of path) {
    const next = new Uint8Array(steps.length + 1);
    for (const [index, step] of steps.entries()) advance(steps, next, index, states[index] ?? 0, step, char);
    states = next;
  }
  return ((states[steps.length] ?? 0) & 1) === 1;
}

/** Marks a step as next, and those after it if it may match nothing. */
function enter(steps: readonly Step[], states: Uint8Array, index: number): void {
  const state = states[index] ?? 0;
  if (state & 1) return;
  states[index] = state | 1;
  const kind = steps[index]?.kind;
  if (kind === "star" || kind === "folders") enter(steps, states, index + 1);
}

function advance(
  steps: readonly Step[],
  next: Uint8Array,
  index: number,
  state: number,
  step: Step,
  char: string,
): void {
  if (state === 0) return;
  if (step.kind === "folders") {
    if (char !== "/") next[index] = (next[index] ?? 0) | 2;
    else if (state & 2) enter(steps, next, index);
  } else if (step.kind === "star") {
    if (char !== "/") enter(steps, next, index);
  } else if (step.kind === "rest") {
    enter(steps, next, index);
    enter(steps, next, index + 1);
  } else if (fits(step, char)) enter(steps, next, index + 1);
}

function fits(step: Step, char: string): boolean {
  if (step.kind === "char") return step.char === char;
  return step.kind === "class" ? step.has(char) : char !== "/";
}

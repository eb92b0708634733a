// Regular expressions for `matches`, in time linear in the text: the notebook and the text may come from others, and a
// backtracking engine can be made to run forever.

/** A compiled pattern. */
export interface LinearPattern {
  /** A match takes at most this many steps per character: one for each state, and for each part of its class. */
  readonly steps: number;
  /** True if some part of the text matches, as in `RegExp.prototype.test` without flags. */
  test(text: string): boolean;
}

/** Limits the memory of a pattern, because `{n}` copies its operand. */
const maxStates = 1_000;
const maxNesting = 50;

type Accepts = (unit: number) => boolean;

/** A `unit` state consumes one UTF-16 code unit; `accepts` takes at most `steps`. The others consume nothing. */
type State =
  | { readonly kind: "unit"; readonly accepts: Accepts; readonly steps: number; next: number }
  | { readonly kind: "split"; next: number; other: number }
  | { readonly kind: "start" | "end"; next: number }
  | { readonly kind: "match" };

type Node =
  | { readonly kind: "unit"; readonly accepts: Accepts; readonly steps: number }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number };

/**
 * Compiles a pattern in the syntax of JavaScript: characters, `.`, classes, escapes, groups, `|`, `^`, `$` and
 * quantifiers. Throws an Error with the reason for invalid syntax, and for parts that need backtracking.
 */
export function compilePattern(source: string): LinearPattern {
  const states: State[] = [];
  const add = (state: State): number => {
    if (states.length >= maxStates) throw new Error(`it needs more than ${maxStates} states`);
    return states.push(state) - 1;
  };
  const start = build(parsePattern(source), add({ kind: "match" }), add, states);
  const steps = states.reduce((sum, state) => sum + (state.kind === "unit" ? state.steps : 1), 0);
  return { steps, test: (text) => run(states, start, text) };
}

/** Adds the states of a node that continue at `next`; returns the first. */
function build(node: Node, next: number, add: (state: State) => number, states: State[]): number {
  switch (node.kind) {
    case "unit":
      return add({ kind: "unit", accepts: node.accepts, steps: node.steps, next });
    case "start":
    case "end":
      return add({ kind: node.kind, next });
    case "sequence":
      return node.parts.reduceRight((after, part) => build(part, after, add, states), next);
    case "choice":
      return node.parts
        .map((part) => build(part, next, add, states))
        .reduceRight((other, one) => add({ kind: "split", next: one, other }));
    case "repeat":
      return buildRepeat(node, next, add, states);
  }
}

function buildRepeat(
  { node, least, most }: Extract<Node, { kind: "repeat" }>,
  next: number,
  add: (state: State) => number,
  states: State[],
): number {
  let at = next;
  if (most === Number.POSITIVE_INFINITY) {
    at = add({ kind: "split", next, other: next });
    (states[at] as { next: number }).next = build(node, at, add, states);
  } else
    for (let left = most - least; left > 0; left--) {
      at = add({ kind: "split", next: build(node, at, add, states), other: next });
    }
  for (let left = least; left > 0; left--) {
    const first = build(node, at, add, states);
    // An empty operand adds no states, so their limit would not end nested repeats of it.
    if (first === at) break;
    at = first;
  }
  return at;
}

/** Runs all alternatives side by side. Each state is visited once per character. */
function run(states: readonly State[], start: number, text: string): boolean {
  const search: Search = { states, text, seenAt: new Int32Array(states.length).fill(-1), isMatch: false };
  let current: number[] = [];
  enter(search, start, 0, current);
  for (let at = 0; at < text.length && !search.isMatch; at++) {
    const next: number[] = [];
    const unit = text.charCodeAt(at);
    for (const index of current) {
      const state = states[index];
      if (state?.kind === "unit" && state.accepts(unit)) enter(search, state.next, at + 1, next);
    }
    // A match may begin at each character.
    enter(search, start, at + 1, next);
    current = next;
  }
  return search.isMatch;
}

interface Search {
  readonly states: readonly State[];
  readonly text: string;
  /** By state, the last offset at which it was entered. */
  readonly seenAt: Int32Array;
  isMatch: boolean;
}

/** Enters a state at an offset, and those that it leads to without a character. Those that take one are added to `into`. */
function enter(search: Search, first: number, at: number, into: number[]): void {
  const { states, text, seenAt } = search;
  const open = [first];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index];
    if (!state || seenAt[index] === at) continue;
    seenAt[index] = at;
    if (state.kind === "match") search.isMatch = true;
    else if (state.kind === "split") open.push(state.other, state.next);
    else if (state.kind === "unit") into.push(index);
    else if (at === (state.kind === "start" ? 0 : text.length)) open.push(state.next);
  }
}

/** Reads the characters of a pattern. */
interface PatternReader {
  readonly source: string;
  at: number;
  depth: number;
}

function parsePattern(source: string): Node {
  const reader: PatternReader = { source, at: 0, depth: 0 };
  const node = parseChoice(reader);
  if (reader.at < source.length) throw new Error(") closes no group");
  return node;
}

function parseChoice(reader: PatternReader): Node {
  if (++reader.depth > maxNesting) throw new Error(`its groups are nested more than ${maxNesting} deep`);
  const parts = [parseSequence(reader)];
  while (take(reader, "|")) parts.push(parseSequence(reader));
  reader.depth--;
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "choice", parts };
}

function parseSequence(reader: PatternReader): Node {
  const parts: Node[] = [];
  for (let next = peek(reader); next !== "" && next !== "|" && next !== ")"; next = peek(reader)) {
    const isAnchor = next === "^" || next === "$";
    const node = parseAtom(reader);
    parts.push(parseQuantifier(reader, node, isAnchor));
  }
  return { kind: "sequence", parts };
}

function parseAtom(reader: PatternReader): Node {
  const { at } = reader;
  const character = reader.source[reader.at++] ?? "";
  switch (character) {
    case "^":
      return { kind: "start" };
    case "$":
      return { kind: "end" };
    case ".":
      return { kind: "unit", accepts: (unit) => !lineEnds.has(unit), steps: 1 };
    case "[":
      return { kind: "unit", ...parseClass(reader) };
    case "(":
      return parseGroup(reader);
    case "\\":
      return { kind: "unit", accepts: parseEscape(reader, false), steps: 1 };
    default:
      if (/[*+?]/.test(character)) throw new Error(`${character} at position ${at + 1} repeats nothing`);
      return { kind: "unit", accepts: isUnit(character.charCodeAt(0)), steps: 1 };
  }
}

function parseGroup(reader: PatternReader): Node {
  if (take(reader, "?") && !take(reader, ":"))
    throw new Error("groups with (? need backtracking; only (?: … ) is supported");
  const node = parseChoice(reader);
  if (!take(reader, ")")) throw new Error(") is missing");
  return node;
}

const braces = /\{(\d{1,4})(,(\d{1,4})?)?\}/y;

function parseQuantifier(reader: PatternReader, node: Node, isAnchor: boolean): Node {
  const range = rangeAt(reader);
  if (!range) return node;
  if (isAnchor) throw new Error("^ and $ can't be repeated");
  const [least, most] = range;
  if (least > most) throw new Error(`{${least},${most}} is out of order`);
  // Lazy: the same texts match.
  take(reader, "?");
  if (rangeAt(reader)) throw new Error("a quantifier can't be repeated");
  return { kind: "repeat", node, least, most };
}

function rangeAt(reader: PatternReader): readonly [least: number, most: number] | undefined {
  if (take(reader, "*")) return [0, Number.POSITIVE_INFINITY];
  if (take(reader, "+")) return [1, Number.POSITIVE_INFINITY];
  if (take(reader, "?")) return [0, 1];
  braces.lastIndex = reader.at;
  const found = braces.exec(reader.source);
  if (!found) return undefined;
  reader.at = braces.lastIndex;
  const [, least = "0", isRange, most] = found;
  return [Number(least), isRange === undefined ? Number(least) : Number(most ?? Number.POSITIVE_INFINITY)];
}

function parseClass(reader: PatternReader): { readonly accepts: Accepts; readonly steps: number } {
  const isNegated = take(reader, "^");
  const parts: Accepts[] = [];
  while (!take(reader, "]")) {
    if (peek(reader) === "") throw new Error("] is missing");
    const low = classUnit(reader);
    const next = reader.source[reader.at + 1];
    if (peek(reader) !== "-" || next === "]" || next === undefined) {
      parts.push(low.accepts);
      continue;
    }
    reader.at++;
    const high = classUnit(reader);
    if (low.unit === undefined || high.unit === undefined) throw new Error("a range can't end in a class");
    if (low.unit > high.unit) throw new Error("a range of characters is out of order");
    const [from, to] = [low.unit, high.unit];
    parts.push((unit) => from <= unit && unit <= to);
  }
  const accepts: Accepts = (unit) => parts.some((part) => part(unit)) !== isNegated;
  return { accepts, steps: 1 + parts.length };
}

/** A character of a class, or a class such as `\d` within it, which has no `unit`. */
function classUnit(reader: PatternReader): { accepts: Accepts; unit?: number } {
  const character = reader.source[reader.at++] ?? "";
  if (character === "\\") {
    const named = classes.get(peek(reader));
    const accepts = parseEscape(reader, true);
    return named ? { accepts } : { accepts, unit: unitOf.get(accepts) ?? 0 };
  }
  const unit = character.charCodeAt(0);
  return { accepts: isUnit(unit), unit };
}

const digits = (unit: number) => unit >= 48 && unit <= 57;
const wordUnits = (unit: number) =>
  digits(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95;
const spaceUnits = (unit: number) => /\s/.test(String.fromCharCode(unit));
const lineEnds: ReadonlySet<number> = new Set([10, 13, 0x2028, 0x2029]);

const classes: ReadonlyMap<string, Accepts> = new Map([
  ["d", digits],
  ["D", (unit: number) => !digits(unit)],
  ["w", wordUnits],
  ["W", (unit: number) => !wordUnits(unit)],
  ["s", spaceUnits],
  ["S", (unit: number) => !spaceUnits(unit)],
]);
const controls: ReadonlyMap<string, number> = new Map(
  Object.entries({ n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }),
);

/** The one unit that a function accepts, for the ends of ranges. */
const unitOf = new WeakMap<Accepts, number>();

function isUnit(wanted: number): Accepts {
  const accepts = (unit: number) => unit === wanted;
  unitOf.set(accepts, wanted);
  return accepts;
}

const codes = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})/y;

function parseEscape(reader: PatternReader, isInClass: boolean): Accepts {
  const character = peek(reader);
  if (character === "") throw new Error("\\ at the end escapes nothing");
  codes.lastIndex = reader.at;
  const code = codes.exec(reader.source);
  if (code) {
    reader.at = codes.lastIndex;
    return isUnit(Number.parseInt(code[1] ?? code[2] ?? "", 16));
  }
  reader.at++;
  const named = classes.get(character);
  if (named) return named;
  if (isInClass && character === "b") return isUnit(8);
  const control = controls.get(character);
  // A digit after \0 makes it an octal number.
  if (control !== undefined && (control !== 0 || !/\d/.test(peek(reader)))) return isUnit(control);
  if (/[A-Za-z0-9]/.test(character)) throw new Error(`\\${character} is not supported`);
  return isUnit(character.charCodeAt(0));
}

function peek({ source, at }: PatternReader): string {
  return source[at] ?? "";
}

function take(reader: PatternReader, character: string): boolean {
  if (reader.source[reader.at] !== character) return false;
  reader.at++;
  return true;
}

import type { ParamType } from "../../../shared/rpc/catalog/catalog.ts";
import { callMembers, filterMembers, type MemberTypes, tracerMembers } from "../check/checkValue.ts";
import { paramsOf } from "../encode/encodeRequest.ts";
import type { Expectation, Member, Request, Span, Statement, Value } from "../parse/nodes.ts";
import type { LinesCell } from "../parse/parseCell.ts";
import { tokenizeStatement } from "../parse/tokens/tokens.ts";
import { type Directive, indexOfStatement } from "../project.ts";

/** The position of the cursor, for completion and signatures. Offsets count from the start of the cell. */
export type CursorPlace = Span & {
  /** Index of its statement in the cell. */
  readonly statement: number;
} & (
    | { readonly kind: "method" }
    | { readonly kind: "directive" }
    | { readonly kind: "directiveValue"; readonly directive: string }
    | { readonly kind: "reference" }
    /** In `{{NAME}}`; its span is the name. */
    | { readonly kind: "variable" }
    | { readonly kind: "member"; readonly owner: ParamType; readonly present: readonly string[] }
    | {
        readonly kind: "value";
        readonly type: ParamType;
        readonly request: Request;
        readonly argument: number;
      }
    /** A side of an `expect` line, or its operator. */
    | { readonly kind: "subject" | "operator" }
    | { readonly kind: "other" }
  );

/** The members of an object parameter. */
export function membersOf(type: ParamType): MemberTypes {
  if (type === "call") return callMembers;
  if (type === "filter") return filterMembers;
  return type === "tracer" ? tracerMembers : noMembers;
}

const noMembers: MemberTypes = new Map();

export function cursorAt(cell: LinesCell, offset: number): CursorPlace {
  const index = indexOfStatement(cell, offset);
  const placed = cell.statements[index];
  const empty = { start: offset, end: offset, statement: index };
  if (!placed) return { ...empty, kind: "method" };
  // After the end of the last line a new line begins.
  const isOnNewLine = offset === cell.text.length && /[\r\n]/.test(cell.text.slice(-1));
  if (isOnNewLine) return { ...empty, statement: cell.statements.length, kind: "method" };
  const at = offset - placed.offset;
  const before = cell.text.slice(placed.offset, offset);
  const place = inToken(cell.text, placed.offset, at) ?? placeIn(placed.statement, at, before);
  // Only text that touches the cursor is replaced.
  const { start, end } = place.start <= at && at <= place.end ? place : { start: at, end: at };
  return { ...place, statement: index, start: placed.offset + start, end: placed.offset + end };
}

type Local = CursorPlace extends infer Place
  ? Place extends unknown
    ? Omit<Place, "statement">
    : never
  : never;

function placeIn(statement: Statement, at: number, before: string): Local {
  switch (statement.kind) {
    case "directive":
      return inDirective(statement, at);
    case "request":
      return inRequest(statement, at, before);
    case "constant":
      return inConstant(statement.value, at, before);
    case "expect":
      return inExpectation(statement, at);
    default:
      return { start: at, end: at, kind: "method" };
  }
}

/** The place in a comment or a variable. */
function inToken(text: string, statement: number, at: number): Local | undefined {
  for (const { kind, start, end, text: written } of tokenizeStatement(text, statement).tokens) {
    if (kind === "comment" && start < at && at <= end) return { start: at, end: at, kind: "other" };
    if (kind !== "variable") continue;
    const [before = "", name = ""] = /^\{\{[ \t]*([\w.-]*)/.exec(written) ?? [];
    const from = start + before.length - name.length;
    if (from <= at && at <= from + name.length)
      return { start: from, end: from + name.length, kind: "variable" };
    if (start + 1 < at && at < end) return { start: at, end: at, kind: "variable" };
  }
  return undefined;
}

function inDirective({ word, args }: Directive, at: number): Local {
  if (at < word.start) return { start: at, end: at, kind: "other" };
  if (at <= word.end) return { start: word.start, end: word.end, kind: "directive" };
  const arg = args.find((one) => one.start <= at && at <= one.end);
  const { start, end } = arg ?? { start: at, end: at };
  return { start, end, kind: "directiveValue", directive: word.text };
}

function inConstant(value: Value, at: number, before: string): Local {
  if (value.kind === "word" && at <= value.end) return { start: value.start, end: value.end, kind: "method" };
  if (value.kind === "missing" || endsWithEquals(before)) return { start: at, end: at, kind: "method" };
  return nested(value, at) ?? { start: at, end: at, kind: "other" };
}

function inRequest(request: Request, at: number, before: string): Local {
  const { method, args } = request;
  if (at >= method.start && at <= method.end) return { start: method.start, end: method.end, kind: "method" };
  if (at < method.start) return { start: at, end: at, kind: endsWithEquals(before) ? "method" : "other" };
  const current = argumentAt(args, at);
  const inside = argumentAround(args, current, at, before);
  const index = inside && inside === args.at(-1) ? args.length - 1 : current;
  const type = paramsOf(method.text)?.[index]?.type ?? "json";
  const span = inside && at <= inside.end ? { start: inside.start, end: inside.end } : { start: at, end: at };
  const deeper = inside && nested(inside, at, type, request, index);
  return deeper ?? { ...span, kind: "value", type, request, argument: index };
}

/** The argument that the cursor is in, or the last one if it is still open. */
function argumentAround(
  args: readonly Value[],
  current: number,
  at: number,
  before: string,
): Value | undefined {
  const arg = args[current];
  if (arg && arg.start <= at && at <= arg.end) return arg;
  const open = args.at(-1);
  return open && isOpen(open, before) ? open : undefined;
}

function inExpectation({ subject, operator, object }: Expectation, at: number): Local {
  if (at < subject.start || (subject.kind === "missing" && !object))
    return { start: at, end: at, kind: "subject" };
  const inside = [subject, ...(object ? [object] : [])].find(({ start, end }) => start <= at && at <= end);
  const deeper = inside && nested(inside, at);
  if (deeper) return deeper;
  if (at <= subject.end) return { start: subject.start, end: subject.end, kind: "subject" };
  if (operator.text === "" || at <= operator.end)
    return { start: Math.min(at, operator.start), end: Math.max(at, operator.end), kind: "operator" };
  return { start: at, end: at, kind: "other" };
}

function endsWithEquals(text: string): boolean {
  return text.trimEnd().endsWith("=");
}

/** True if a bracket is not closed yet, so that text after it belongs inside. */
function isOpen({ kind, end }: Value, before: string): boolean {
  if (kind !== "object" && kind !== "array") return false;
  return before.length > end && before[end - 1] !== (kind === "object" ? "}" : "]");
}

/** The index of the parameter that the cursor touches, else of the next one. */
export function argumentAt(args: readonly Value[], at: number): number {
  const touched = args.findIndex(({ start, end }) => start <= at && at <= end);
  return touched >= 0 ? touched : args.filter(({ end }) => end < at).length;
}

function nested(
  value: Value,
  at: number,
  type: ParamType = "json",
  request?: Request,
  argument = 0,
): Local | undefined {
  if (value.kind === "reference") return { start: value.start, end: value.end, kind: "reference" };
  if (value.kind === "object" && at > value.start)
    return inObject(value.members, at, type, request, argument);
  if (value.kind === "array" && at > value.start) {
    const item = value.items.find(({ start, end }) => start <= at && at <= end);
    const deeper = item && nested(item, at, type, request, argument);
    if (deeper || !request) return deeper;
    const { start, end } = item ?? { start: at, end: at };
    return { start, end, kind: "value", type, request, argument };
  }
  const inner = value.kind === "apply" ? value.args : value.kind === "option" ? [value.value] : [];
  const touched = inner.find(({ start, end }) => start <= at && at <= end);
  return touched && nested(touched, at, type, request, argument);
}

function inObject(
  members: readonly Member[],
  at: number,
  owner: ParamType,
  request: Request | undefined,
  argument: number,
): Local {
  const present = members.map(({ key }) => key.text);
  const member = members.findLast(({ start }) => start <= at);
  if (!member) return { start: at, end: at, kind: "member", owner, present };
  if (at <= member.key.end)
    return { start: member.key.start, end: member.key.end, kind: "member", owner, present };
  const { value, key } = member;
  const touches = value.start <= at && at <= value.end;
  if (!touches && value.kind !== "missing") return { start: at, end: at, kind: "member", owner, present };
  const type = membersOf(owner).get(key.text) ?? "json";
  const deeper = nested(value, at, type, request, argument);
  if (deeper || !request) return deeper ?? { start: at, end: at, kind: "other" };
  const span = touches ? { start: value.start, end: value.end } : { start: at, end: at };
  return { ...span, kind: "value", type: key.text === "tracer" ? "tracer" : type, request, argument };
}

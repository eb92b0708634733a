import { indentOf } from "../text/indent.ts";
import {
  type Expression,
  evaluate,
  type JsValue,
  namesIn,
  parseExpression,
  type Scope,
} from "./expression.ts";

/** A function whose every line is understood. */
export interface SimpleFunction {
  readonly name: string;
  readonly isExported: boolean;
  readonly parameters: readonly Parameter[];
  /** The first sentences of the comment above it or of its docstring. */
  readonly purpose: string | undefined;
  readonly steps: readonly CodeStep[];
  /** Of its first and last line, from 0; a comment above it is not counted in. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Parameter {
  readonly name: string;
  /** As its type or its use says. */
  readonly kind: "string" | "number" | "boolean";
}

export type CodeStep =
  | { readonly kind: "return"; readonly value: Expression; readonly source: string }
  | { readonly kind: "set"; readonly name: string; readonly value: Expression; readonly source: string }
  | {
      readonly kind: "returnIf";
      readonly test: Expression;
      readonly testSource: string;
      readonly value: Expression;
      readonly source: string;
    };

/** The understood parts of a piece of code. */
export interface Code {
  readonly functions: readonly SimpleFunction[];
  /** Lines outside these functions that hold more than comments, with their numbers from 0. */
  readonly others: readonly { readonly line: number; readonly text: string }[];
}

export type Language = "script" | "python";

export function codeLanguageOf(fence: string): Language | undefined {
  if (/^(typescript|javascript|typescriptreact|javascriptreact|ts|js|tsx|jsx|mjs)$/i.test(fence))
    return "script";
  return /^(python|py)$/i.test(fence) ? "python" : undefined;
}

/** Longer code is not simple. The bounds also keep the expressions below fast on text that somebody else wrote. */
export const maxCodeLines = 400;
const maxCodeCharacters = 20_000;
const maxLineCharacters = 500;

export function readCode(code: string, language: Language): Code {
  const functions: SimpleFunction[] = [];
  if (code.length > maxCodeCharacters) return { functions, others: [] };
  const lines = code.split("\n");
  const isSimple = lines.length <= maxCodeLines && lines.every(({ length }) => length <= maxLineCharacters);
  if (!isSimple) return { functions, others: [] };
  for (let index = 0; index < lines.length; index++) {
    const found = language === "python" ? pythonFunction(lines, index) : scriptFunction(lines, index);
    if (!found) continue;
    functions.push(found);
    index = found.endLine;
  }
  const isInside = (line: number) =>
    functions.some(({ startLine, endLine }) => line >= startLine && line <= endLine);
  const others = lines
    .map((text, line) => ({ line, text: text.trim() }))
    .filter(({ line, text }) => text !== "" && !isInside(line) && !isComment(text));
  return { functions, others };
}

function isComment(text: string): boolean {
  return /^(\/\/|\/\*|\*|#)/.test(text);
}

const scriptHead =
  /^\s*(?<exported>export )?(?:default )?function (?<name>[\w$]+)\((?<parameters>[^()]*)\)(?:\s*:\s*[\w<>[\] |]+)?\s*\{(?<rest>.*)$/;
const arrowHead =
  /^\s*(?<exported>export )?const (?<name>[\w$]+) = \((?<parameters>[^()]*)\)(?:\s*:\s*[\w<>[\] |]+)? =>\s*(?<body>.+?);?\s*$/;

function scriptFunction(lines: readonly string[], at: number): SimpleFunction | undefined {
  const line = lines[at] ?? "";
  const arrow = arrowHead.exec(line)?.groups;
  if (arrow && arrow.body !== "{") {
    const value = parseExpression(arrow.body ?? "");
    const step = value && { kind: "return" as const, value, source: arrow.body ?? "" };
    return step && build(lines, at, at, arrow, [step], scriptParameter);
  }
  const head = arrow ? { ...arrow, rest: "" } : scriptHead.exec(line)?.groups;
  if (!head) return undefined;
  const oneLine = /^(?<inner>[^{}]*)\}\s*$/.exec(head.rest ?? "")?.groups;
  if (oneLine) return withSteps(lines, at, at, head, scriptSteps([oneLine.inner ?? ""]));
  if ((head.rest ?? "").trim() !== "") return undefined;
  const indent = indentOf(line);
  const end = lines.findIndex((text, index) => index > at && new RegExp(`^${indent}\\};?\\s*$`).test(text));
  return end < 0 ? undefined : withSteps(lines, at, end, head, scriptSteps(lines.slice(at + 1, end)));
}

type Head = Readonly<Record<string, string | undefined>>;

function withSteps(
  lines: readonly string[],
  start: number,
  end: number,
  head: Head,
  steps: CodeStep[] | undefined,
) {
  return steps && build(lines, start, end, head, steps, scriptParameter);
}

/** Undefined where a line is not understood. */
function scriptSteps(lines: readonly string[]): CodeStep[] | undefined {
  const text = lines.join("\n").replace(/\{\s*(return [^{};]*;?)\s*\}/g, "$1");
  const statements = text
    .split(/;[ \t]*\n|;\s*$|\n(?=\s*(?:return|const|let|if)\b)/)
    .map((one) => one.trim());
  return toSteps(
    statements.filter((one) => one !== ""),
    /^(?:const|let) (?<name>[\w$]+)(?:\s*:\s*\w+)? = (?<value>[\s\S]+)$/,
    /^if \((?<test>[\s\S]+?)\)\s*return (?<value>[\s\S]+)$/,
  );
}

const pythonHead = /^\s*def (?<name>\w+)\((?<parameters>[^()]*)\)(?:\s*->\s*[\w[\], |]+)?:\s*$/;

function pythonFunction(lines: readonly string[], at: number): SimpleFunction | undefined {
  const head = pythonHead.exec(lines[at] ?? "")?.groups;
  if (!head) return undefined;
  const indent = indentOf(lines[at] ?? "");
  let end = at;
  for (let index = at + 1; index < lines.length; index++) {
    const text = lines[index] ?? "";
    if (text.trim() === "") continue;
    if (indentOf(text).length <= indent.length) break;
    end = index;
  }
  const body = lines.slice(at + 1, end + 1).map((text) => text.trim());
  const doc = /^("""|''')(?<words>.*)\1$/.exec(body[0] ?? "")?.groups?.words;
  const statements = (doc === undefined ? body : body.slice(1)).filter(
    (text) => text !== "" && !isComment(text),
  );
  const steps = toSteps(
    statements
      .join("\n")
      .replace(/:\n(return )/g, ": $1")
      .split("\n")
      .filter(Boolean),
    /^(?<name>\w+)(?:\s*:\s*\w+)? = (?<value>.+)$/,
    /^if (?<test>.+?):\s*return (?<value>.+)$/,
  );
  const found = steps && build(lines, at, end, { ...head, exported: "export " }, steps, pythonParameter);
  return found && doc !== undefined ? { ...found, purpose: doc.trim() } : found;
}

function toSteps(statements: readonly string[], set: RegExp, returnIf: RegExp): CodeStep[] | undefined {
  const steps = statements.map((statement) => toStep(statement, set, returnIf));
  const known = steps.filter((step) => step !== undefined);
  const last = known.at(-1);
  return known.length === steps.length && last?.kind === "return" ? known : undefined;
}

function toStep(statement: string, set: RegExp, returnIf: RegExp): CodeStep | undefined {
  const early = returnIf.exec(statement)?.groups;
  if (early) {
    const [testSource = "", source = ""] = [early.test, early.value];
    const [test, value] = [parseExpression(testSource), parseExpression(source)];
    return test && value && { kind: "returnIf", test, testSource, value, source };
  }
  const setting = set.exec(statement)?.groups;
  const source = setting?.value ?? /^return ([\s\S]+)$/.exec(statement)?.[1] ?? "";
  const value = parseExpression(source);
  if (!value) return undefined;
  return setting
    ? { kind: "set", name: setting.name ?? "", value, source }
    : { kind: "return", value, source };
}

function build(
  lines: readonly string[],
  startLine: number,
  endLine: number,
  head: Head,
  steps: readonly CodeStep[],
  toParameter: (source: string, steps: readonly CodeStep[]) => Parameter | undefined,
): SimpleFunction | undefined {
  const sources = (head.parameters ?? "").split(",").filter((one) => one.trim() !== "");
  const parameters = sources
    .map((source) => toParameter(source.trim(), steps))
    .filter((one) => one !== undefined);
  if (parameters.length !== sources.length) return undefined;
  return {
    name: head.name ?? "",
    isExported: head.exported !== undefined,
    parameters,
    purpose: commentAbove(lines, startLine),
    steps,
    startLine,
    endLine,
  };
}

const kinds: ReadonlyMap<string, Parameter["kind"]> = new Map([
  ["string", "string"],
  ["str", "string"],
  ["number", "number"],
  ["int", "number"],
  ["float", "number"],
  ["boolean", "boolean"],
  ["bool", "boolean"],
]);

function scriptParameter(source: string, steps: readonly CodeStep[]): Parameter | undefined {
  return parameterOf(/^(?<name>[\w$]+)(?:\s*:\s*(?<type>\w+))?$/.exec(source)?.groups, steps);
}

function pythonParameter(source: string, steps: readonly CodeStep[]): Parameter | undefined {
  return parameterOf(/^(?<name>\w+)(?:\s*:\s*(?<type>\w+))?$/.exec(source)?.groups, steps);
}

/** Without a type, the example that gives every step a value tells the kind. */
function parameterOf(groups: Head | undefined, steps: readonly CodeStep[]): Parameter | undefined {
  const { name, type } = groups ?? {};
  if (name === undefined) return undefined;
  const kind = type === undefined ? kindByUse(name, steps) : kinds.get(type);
  return kind && { name, kind };
}

function kindByUse(name: string, steps: readonly CodeStep[]): Parameter["kind"] | undefined {
  const used = steps.flatMap((step) => [step.value, ...(step.kind === "returnIf" ? [step.test] : [])]);
  const own = used.filter((one) => namesIn(one).includes(name));
  if (own.length === 0) return undefined;
  const inText = own.every((one) => one.kind === "text" || one.kind === "member");
  return inText ? "string" : own.every(isArithmetic) ? "number" : undefined;
}

function isArithmetic(expression: Expression): boolean {
  if (expression.kind === "binary") return isArithmetic(expression.left) && isArithmetic(expression.right);
  return expression.kind === "name" || (expression.kind === "value" && typeof expression.value === "number");
}

function commentAbove(lines: readonly string[], at: number): string | undefined {
  const above: string[] = [];
  for (let index = at - 1; index >= 0 && isComment((lines[index] ?? "").trim()); index--)
    above.unshift(lines[index] ?? "");
  const words = above.map((text) =>
    text
      .replace(/^\s*(\/\*\*?|\*\/|\*|\/\/|#)\s?/, "")
      .replace(/\s*\*\/\s*$/, "")
      .trim(),
  );
  const text = words.filter((one) => one !== "" && !one.startsWith("@")).join(" ");
  return text === "" ? undefined : text;
}

/** Functions that call each other twice, or double a text, would take exponential time: all calls share one budget. */
const maxCalls = 500;
const maxCallDepth = 20;
const maxValueCharacters = 1_000;

/** Shared by calls that are evaluated together. */
export interface CallBudget {
  calls: number;
  depth: number;
}

export function newCallBudget(): CallBudget {
  return { calls: 0, depth: 0 };
}

/** The return value of a call. Undefined if it is not certain, or takes too many calls or too long texts. */
export function callFunction(
  called: SimpleFunction,
  values: readonly JsValue[],
  others: readonly SimpleFunction[],
  budget: CallBudget = newCallBudget(),
): JsValue | undefined {
  if (budget.depth >= maxCallDepth || ++budget.calls > maxCalls) return undefined;
  if (values.length !== called.parameters.length) return undefined;
  const known = new Map(called.parameters.map(({ name }, index) => [name, values[index] ?? ""]));
  const call = (name: string, given: readonly JsValue[]) => {
    const other = others.find((one) => one.name === name);
    return other && callFunction(other, given, others, budget);
  };
  budget.depth++;
  const result = runSteps(called.steps, { values: known, call }, (name, value) => known.set(name, value));
  budget.depth--;
  return result;
}

function runSteps(
  steps: readonly CodeStep[],
  scope: Scope,
  set: (name: string, value: JsValue) => void,
): JsValue | undefined {
  for (const step of steps) {
    if (step.kind === "returnIf") {
      const test = evaluate(step.test, scope);
      if (typeof test !== "boolean") return undefined;
      if (test) return shortValue(evaluate(step.value, scope));
      continue;
    }
    const value = shortValue(evaluate(step.value, scope));
    if (step.kind === "return" || value === undefined) return value;
    set(step.name, value);
  }
  return undefined;
}

function shortValue(value: JsValue | undefined): JsValue | undefined {
  return typeof value === "string" && value.length > maxValueCharacters ? undefined : value;
}

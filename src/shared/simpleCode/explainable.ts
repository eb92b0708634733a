import { type JsValue, parseExpression } from "./expression.ts";
import {
  type CallBudget,
  type Code,
  callFunction,
  codeLanguageOf,
  type Language,
  newCallBudget,
  readCode,
} from "./functions.ts";

/** Code with at least one function whose lines are all understood. */
export interface KnownCode extends Code {
  readonly language: Language;
}

/** A printed call outside the functions, with its certain result. */
export interface PrintedCall {
  /** Counted from 0. */
  readonly line: number;
  readonly call: string;
  readonly result: JsValue;
}

export function readKnownCode(code: string, fence: string): KnownCode | undefined {
  const language = codeLanguageOf(fence);
  const found = language && readCode(code, language);
  return found && found.functions.length > 0 ? { ...found, language } : undefined;
}

/**
 * Code that can be explained to its last line; undefined for any other. The sandbox explains nothing else, so the chat
 * offers it nothing else.
 */
export function readExplainable(
  code: string,
  fence: string,
): { readonly code: KnownCode; readonly calls: readonly PrintedCall[] } | undefined {
  const known = readKnownCode(code, fence);
  if (!known) return undefined;
  const budget = newCallBudget();
  const calls = known.others
    .map(({ line, text }) => printedCall(line, text, known, budget))
    .filter((one) => one !== undefined);
  return calls.length === known.others.length ? { code: known, calls } : undefined;
}

function printedCall(line: number, text: string, code: Code, budget: CallBudget): PrintedCall | undefined {
  const printed = /^(?:console\.log|print)\((.+)\);?$/.exec(text)?.[1];
  const expression = parseExpression(printed ?? "");
  if (printed === undefined || !/^[\w$]+\(.*\)$/.test(printed) || expression?.kind !== "call")
    return undefined;
  const called = code.functions.find(({ name }) => name === expression.name);
  const values = expression.values.map((one) => (one.kind === "value" ? one.value : undefined));
  if (!called || values.includes(undefined)) return undefined;
  const result = callFunction(called, values as JsValue[], code.functions, budget);
  return result === undefined ? undefined : { line, call: printed, result };
}

import { completionRules, readCompletionPrompt } from "../../../shared/chat/completionPrompt.ts";

interface Place {
  readonly before: string;
  readonly after: string;
  readonly languageId: string;
  /** The text of the cursor's line before it. */
  readonly line: string;
  readonly indent: string;
}

/**
 * The text to insert for a prompt of the inline completion, by rules; empty if none applies. Undefined for other
 * prompts.
 */
export function completeCode(system: string, question: string): string | undefined {
  const asked = system === completionRules ? readCompletionPrompt(question) : undefined;
  if (!asked) return undefined;
  const line = asked.before.slice(asked.before.lastIndexOf("\n") + 1);
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  const place = { ...asked, line, indent };
  const found = rules.map((rule) => rule(place)).find((text) => text !== undefined && text !== "");
  return found ?? "";
}

type Rule = (place: Place) => string | undefined;

const rules: readonly Rule[] = [bodyOfFunction, countingLoop, lineSeenBefore, closedBrackets];

/** `function area(width, height) {` and `def area(width, height):`, with types or without. */
const header =
  /^[ \t]*(?:export |default |async |public |private |static |const |let )*(?:(?:function|def|fn|func) +)?([\w$]+)(?: *= *(?:async *)?)?\(([^()\n]{0,300})\)[^\n{}=]{0,80}(?:=> *)?[{:][ \t]*$/;

/** The result of functions whose name says it, from the names of their parameters. */
const results: readonly (readonly [name: RegExp, result: (a: string, b: string) => string])[] = [
  [/^(add|sum|plus)/i, (a, b) => `${a} + ${b}`],
  [/^(sub(tract)?|minus|difference)/i, (a, b) => `${a} - ${b}`],
  [/^(mul(tiply)?|times|product|area)/i, (a, b) => `${a} * ${b}`],
  [/^(div(ide)?|ratio|quotient)/i, (a, b) => `${a} / ${b}`],
  [/^(square)/i, (a) => `${a} * ${a}`],
  [/^(double|twice)/i, (a) => `${a} * 2`],
  [/^(negate|opposite)/i, (a) => `-${a}`],
  [/^(is_?even)/i, (a) => `${a} % 2 == 0`],
  [/^(is_?odd)/i, (a) => `${a} % 2 == 1`],
  [/^(identity|echo)/i, (a) => a],
];

function bodyOfFunction({ before, line, indent, languageId }: Place): string | undefined {
  const above = before
    .slice(0, before.length - line.length)
    .slice(-600)
    .trimEnd()
    .split("\n");
  // The body starts in a line of its own, where the cursor is or in a new one.
  const isInHeader = header.test(line);
  const [, name = "", list = ""] = header.exec(isInHeader ? line : (above.at(-1) ?? "")) ?? [];
  if (name === "") return undefined;
  const [first = "", second] = parameterNames(list);
  const result = results.find(([pattern]) => pattern.test(name))?.[1];
  if (!result || first === "") return undefined;
  const value = result(first, second ?? first);
  const isPython = languageId === "python";
  const strict = isPython ? value : value.replace(" == ", " === ");
  const statement = `return ${strict}${isPython ? "" : ";"}`;
  if (isInHeader) return `\n${indent}${isPython ? "    " : "  "}${statement}`;
  const typed = line.trimStart();
  return statement.startsWith(typed) ? statement.slice(typed.length) : undefined;
}

function parameterNames(list: string): string[] {
  return list
    .split(",")
    .map((one) => /^\s*([A-Za-z_$][\w$]*)/.exec(one)?.[1] ?? "")
    .filter((name) => name !== "" && name !== "self" && name !== "this");
}

/** `for (let i = 0` and `for (let i = 0; i < n`. */
function countingLoop({ line, before, indent }: Place): string | undefined {
  const [, , name = "", limit] =
    /\bfor \((let|var|int) (\w+) = 0(?:; \2 < ([\w.]+))?;? ?$/.exec(line.slice(-200)) ?? [];
  if (name === "") return undefined;
  const list = /\b(?:const|let|var) (\w+)[^=\n]{0,80}= *\[/.exec(before.slice(-2_000))?.[1] ?? "items";
  const head = limit === undefined ? `; ${name} < ${list}.length; ${name}++` : `; ${name}++`;
  return `${head}) {\n${indent}  \n${indent}}`;
}

/** The rest of a line that is in the text already, the nearest one before the cursor first. */
function lineSeenBefore({ before, after, line }: Place): string | undefined {
  const start = line.trimStart();
  if (start.trimEnd().length < 4) return undefined;
  const lines = [...before.split("\n").slice(0, -1).reverse(), ...after.split("\n").slice(1)];
  const seen = lines
    .map((one) => one.trim())
    .find((one) => one.startsWith(start) && one.length > start.length);
  return seen?.slice(start.length);
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** The brackets that the line leaves open, unless they follow the cursor. */
function closedBrackets({ line, after, languageId }: Place): string | undefined {
  const open: string[] = [];
  for (const character of line.slice(-500)) {
    if (character in closers) open.push(closers[character] ?? "");
    else if (character === open.at(-1)) open.pop();
  }
  const missing = open.reverse().join("");
  const rest = after.split("\n", 1)[0] ?? "";
  if (missing === "" || /[,([{]\s*$/.test(line)) return undefined;
  const text = rest.startsWith(missing) ? "" : missing;
  const endsStatement = /^(type|java)script|^(java|c|cpp|csharp|rust|php)$/.test(languageId);
  return endsStatement && !/\b(if|for|while|switch)\b/.test(line) && rest === "" ? `${text};` : text;
}

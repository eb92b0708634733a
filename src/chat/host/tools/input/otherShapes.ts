import { isMembers, type Members, membersOf, ownMember } from "../../../../shared/members.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { shellQuoted } from "../../../../shared/text/shellQuoted.ts";
import { plainName } from "../../../../tools/input/memberNames.ts";
import { notebookInput } from "./notebookShape.ts";
import { withRange } from "./readRange.ts";

/** An input whose members our schema can read, and what the model is told about how it was read. */
export interface Shaped {
  readonly input: Members;
  readonly notes: readonly string[];
}

/**
 * Gives an input of a tool the shape of ours where other tools have another one: one edit instead of a list, a command as
 * words, a plan as a list, blocks to search and replace. Names of members are read later, by `acceptInput`.
 */
export function shapedInput(name: string, input: Members, schema: Members): Shaped {
  const shape = ownMember(shapes, name);
  return shape ? shape(input, membersOf(schema.properties)) : { input, notes: [] };
}

type Shape = (input: Members, properties: Members) => Shaped;

const shapes: Readonly<Record<string, Shape>> = {
  read_file: (input, properties) => unnoted(withRange(input, properties)),
  list_files: (input, properties) => unnoted(ofFolder(input, properties)),
  edit_file: edits,
  edit_notebook: (input) => unnoted(notebookInput(input)),
  run_command: command,
  search_workspace: (input, properties) => unnoted(search(input, properties)),
  update_plan: (input) => unnoted(plan(input)),
  ask_user: (input) => unnoted(questions(input)),
};

function unnoted(input: Members): Shaped {
  return { input, notes: [] };
}

/** Takes members out of an input by their plain names: the values, and the rest. */
function taken(input: Members, ...names: readonly string[]) {
  const [values, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [name, value] of Object.entries(input)) {
    const plain = plainName(name);
    if (names.includes(plain)) values[plain] = value;
    else rest[name] = value;
  }
  return { values, rest };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

/** Without a path: the whole workspace. */
function ofFolder(input: Members, properties: Members): Members {
  const isPath = (name: string) => /path|dir|directory|folder/.test(plainName(name));
  if (!("path" in properties)) return input;
  const given = Object.entries(input).filter(([name, value]) => !isPath(name) || !isNothing(value));
  return Object.fromEntries(given.some(([name]) => isPath(name)) ? given : [...given, ["path", ""]]);
}

/** Values that models write for a member that they mean to leave out. */
function isNothing(value: unknown): boolean {
  return value === null || value === "undefined" || value === "null";
}

/** `pattern` and `regex` are expressions in the searches of others; `-i` is how ours searches unless told otherwise. */
function search(input: Members, properties: Members): Members {
  const { values, rest } = taken(input, "pattern", "regex", "i", "casesensitive", "path");
  const { pattern, regex } = values;
  const expression = typeof pattern === "string" ? pattern : regex;
  const { i: _, casesensitive, path, regex: __, pattern: ___ } = values;
  const kept = {
    ...rest,
    ...(casesensitive === undefined ? {} : { case_sensitive: casesensitive }),
    ...(path === undefined || isNothing(path) ? {} : { path }),
  };
  if (typeof expression === "string" && !isBooleanText(expression) && "regex" in properties)
    return { ...kept, query: expression, regex: typeof regex === "boolean" ? regex : true };
  return {
    ...kept,
    ...(pattern === undefined ? {} : { pattern }),
    ...(regex === undefined ? {} : { regex }),
  };
}

function isBooleanText(text: string): boolean {
  return /^\s*(true|false)\s*$/i.test(text);
}

/** One edit beside the path, edits as JSON text, and blocks to search and replace. */
function edits(input: Members): Shaped {
  const { values, rest } = taken(
    input,
    ...[
      "edits",
      "diff",
      "oldstring",
      "oldstr",
      "oldtext",
      "newstring",
      "newstr",
      "newtext",
      "search",
      "replace",
    ],
    ...["replaceall", "all", "expectedreplacements", "allowmultiple"],
  );
  const { edits: list, diff, expectedreplacements: expected, allowmultiple, ...one } = values;
  const isCounted = (numberOf(expected) ?? 0) > 1;
  const every = allowmultiple === true || isCounted ? { all: true } : {};
  const asked = { ...one, ...every };
  const notes = isCounted
    ? ["expected_replacements is not compared: it was read as all, for every occurrence."]
    : [];
  const blocks = typeof diff === "string" && list === undefined ? searchReplaceBlocks(diff) : undefined;
  if (blocks) return { input: { ...rest, edits: blocks.map((block) => ({ ...block, ...every })) }, notes };
  const given = typeof list === "string" ? (parseJson(list) ?? list) : list;
  const kept = { ...rest, ...(diff === undefined ? {} : { diff }) };
  if (given !== undefined) return { input: { ...kept, edits: given, ...asked }, notes };
  return Object.keys(one).length > 0 ? { input: { ...kept, edits: [asked] }, notes } : unnoted(kept);
}

/** Blocks as Cline and Aider write them. Undefined for any other text, and if it is not certain where a block is divided. */
function searchReplaceBlocks(diff: string): readonly Members[] | undefined {
  const blocks: (Members | undefined)[] = [];
  let inside: string[] | undefined;
  for (const line of diff.split(/\r?\n/)) {
    if (inside === undefined) {
      if (blockStart.test(line)) inside = [];
      else if (line.trim() !== "") return undefined;
    } else if (blockEnd.test(line)) {
      blocks.push(dividedBlock(inside));
      inside = undefined;
    } else inside.push(line);
  }
  const read = blocks.filter((block) => block !== undefined);
  return inside === undefined && read.length > 0 && read.length === blocks.length ? read : undefined;
}

const blockStart = /^(<{5,}|-{5,}) ?SEARCH>?\s*$/;
const blockEnd = /^(>{5,}|\+{5,}) ?REPLACE>?\s*$/;

/** Headings of Markdown and other texts are underlined like the line between old and new text. */
function dividedBlock(block: readonly string[]): Members | undefined {
  const lines = withoutLineHint(block);
  const dividers = lines.flatMap((line, index) => (/^={5,}\s*$/.test(line) ? [index] : []));
  const usual = dividers.filter((index) => lines[index]?.trimEnd().length === 7);
  const [divider, ...others] = dividers.length === 1 ? dividers : usual;
  if (divider === undefined || others.length > 0) return undefined;
  return { old_text: lines.slice(0, divider).join("\n"), new_text: lines.slice(divider + 1).join("\n") };
}

/** Roo Code begins a block with the line at which it is, and a rule. The old text is looked for in the whole file. */
function withoutLineHint(lines: readonly string[]): readonly string[] {
  if (!/^:start_line:/.test(lines[0] ?? "")) return lines;
  const rule = lines.slice(0, 3).findIndex((line) => /^-{7}\s*$/.test(line));
  return rule < 0 ? lines : lines.slice(rule + 1);
}

/** Seconds: the longest time of a command. */
const longestTimeout = 600;

/** A command as words, and a timeout in milliseconds or seconds. */
function command(input: Members): Shaped {
  const { values, rest } = taken(input, "command", "cmd", "timeout", "timeoutms", "timeoutmilliseconds");
  const line = commandLine(values.command ?? values.cmd);
  const inMs = values.timeoutms ?? values.timeoutmilliseconds;
  const timeout = numberOf(inMs ?? values.timeout);
  const shaped = { ...(line === undefined ? {} : { command: line }), ...rest };
  if (timeout === undefined || timeout <= 0) {
    const odd = inMs ?? values.timeout;
    const isUnset = odd === undefined || odd === null || timeout !== undefined;
    return unnoted(isUnset ? shaped : { ...shaped, timeout_seconds: odd });
  }
  // Claude Code means milliseconds, others seconds: nobody waits for less than a second, or for a quarter of an hour.
  const isMs = inMs !== undefined || timeout >= 1000;
  const asked = isMs ? Math.ceil(timeout / 1000) : timeout;
  const seconds = Math.min(asked, longestTimeout);
  const unit = isMs ? "milliseconds" : "seconds";
  const limit = asked > seconds ? `, and limited to ${longestTimeout} s` : "";
  return {
    input: { ...shaped, timeout_seconds: seconds },
    notes: [`Its timeout ${timeout} was read as ${unit}: ${asked} s${limit}.`],
  };
}

/** The line of `["bash", "-lc", line]`; else the words, quoted where a shell would read them. */
function commandLine(given: unknown): unknown {
  if (!Array.isArray(given) || !given.every((word) => typeof word === "string") || given.length === 0)
    return given;
  const [program = "", option = "", line] = given;
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-[a-z]*c$/.test(option);
  if (isShell && line !== undefined && given.length === 3) return line;
  return given.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : shellQuoted(word))).join(" ");
}

/** A list of steps as Markdown. */
function plan(input: Members): Members {
  const found = Object.entries(input).find(([name]) =>
    ["plan", "todos", "todolist", "items", "tasks"].includes(plainName(name)),
  );
  if (!found) return input;
  const [name, given] = found;
  const list = typeof given === "string" ? parseJson(given) : given;
  if (!Array.isArray(list) || list.length === 0) return input;
  const lines = list.map(planLine);
  if (lines.includes(undefined)) return input;
  const { [name]: _, ...rest } = input;
  return { ...rest, plan: lines.join("\n") };
}

function planLine(item: unknown): string | undefined {
  if (typeof item === "string") return /^\s*[-*] \[/.test(item) ? item : `- [ ] ${item}`;
  const { step, content, title, description, text, task, status, completed, done } = membersOf(item);
  const words = [step, content, title, description, text, task].find((one) => typeof one === "string");
  if (words === undefined) return undefined;
  const isDone = completed === true || done === true || /^(completed?|done)$/i.test(String(status));
  return `- [${isDone ? "x" : " "}] ${String(words).replace(/\s+/g, " ")}`;
}

/** A single question of a list, with its options as texts or objects. Several questions stay a list, which is refused. */
function questions(input: Members): Members {
  const { values, rest } = taken(input, "questions");
  const list = typeof values.questions === "string" ? parseJson(values.questions) : values.questions;
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  const whole = isMembers(only) ? { ...rest, ...only } : input;
  const read = taken(whole, "options", "choices", "followup", "multiselect", "multiple", "allowmultiple");
  const given = read.values.options ?? read.values.choices ?? read.values.followup;
  const multiple = read.values.multiselect ?? read.values.multiple ?? read.values.allowmultiple;
  const options = typeof given === "string" ? (parseJson(given) ?? given) : given;
  return {
    ...read.rest,
    ...(options === undefined ? {} : { choices: Array.isArray(options) ? options.map(choice) : options }),
    ...(multiple === undefined ? {} : { multiple }),
  };
}

function choice(given: unknown): unknown {
  if (typeof given === "string") return { label: given };
  if (!isMembers(given)) return given;
  const { label, title, text, value, description } = given;
  const named = [label, title, text, value].find((one) => typeof one === "string");
  return {
    ...(named === undefined ? {} : { label: named }),
    ...(typeof description === "string" && description !== "" ? { description } : {}),
  };
}

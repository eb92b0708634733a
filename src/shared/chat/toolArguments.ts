import { isMembers, type Members, membersOf } from "../members.ts";
import { parseJson } from "../text/json/parseJson.ts";

/** The arguments of a tool call as a model wrote them: an object, or the reason why they are none. */
export type ToolArguments =
  | {
      readonly kind: "object";
      readonly value: Readonly<Record<string, unknown>>;
      /** Valid JSON: the model's own text, or that text mended. */
      readonly text: string;
      /** The last } was missing. So it may have been cut, if its answer was. */
      readonly isClosed?: true;
    }
  | { readonly kind: "invalid"; readonly problem: JsonProblem };

/** Why a text is no JSON object. Line and column count from 1, a column in UTF-16 units. */
export interface JsonProblem {
  /** `a comma or } is missing`. */
  readonly words: string;
  readonly line: number;
  readonly column: number;
  /** True if the text ends before its object does, as after a cut. */
  readonly isCut: boolean;
}

/**
 * Reads the arguments of a call. A call without arguments has an empty object. Only what can mean one thing is mended:
 * line breaks and other control characters inside strings, `\'`, a comma before a closing bracket, a code fence around
 * the object, the marks of a chat template after it, an object that was encoded or written twice, the spelling of Python and JavaScript (single quotes, names
 * without quotes, `True`, `False`, `None`), and a missing last `}` after a value that is complete. Takes time in proportion
 * to the text.
 */
export function readToolArguments(given: string): ToolArguments {
  const text = given.replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "object", value: {}, text: "{}" };
  const direct = parseJson(text);
  if (direct !== undefined) return ofValue(direct, text);
  const bare = withoutMarks(withoutFence(text));
  const mended = mendJson(once(bare));
  const read = mended.problem === undefined ? parseJson(mended.text) : undefined;
  if (read !== undefined) return ofValue(read, mended.text, mended.isClosed);
  const { offset, words, isCut } = mended.problem ?? { offset: 0, words: "it is no JSON", isCut: false };
  return { kind: "invalid", problem: { ...positionIn(text, text.indexOf(bare) + offset), words, isCut } };
}

/** Without the marks after the object with which templates of local models end a call, such as `</tool_call>` or `<|im_end|>`. */
function withoutMarks(text: string): string {
  const end = text.lastIndexOf("}") + 1;
  const isMarks = /^(?:\s*(?:<\/[\w:-]{1,40}>|<\|[\w-]{1,40}\|>))+\s*$/.test(text.slice(end, end + 200));
  return isMarks && text.length <= end + 200 ? text.slice(0, end) : text;
}

/** What a model is told about arguments that are no JSON object, and what helps. Nothing was done. */
export function toolArgumentsProblem({ words, line, column, isCut }: JsonProblem): string {
  const where = `line ${line}, column ${column}: ${words}`;
  return isCut
    ? `The arguments are incomplete, so the call was not run. They end at ${where}. If the answer was cut, write it in parts, in several smaller calls.`
    : `The arguments are not JSON, so the call was not run: ${where}. Send the call again with valid JSON.`;
}

/** The `finish_reason` of an answer that reached its limit of tokens, by several servers. */
export const lengthReasons: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
]);

/** The `finish_reason` of an answer that the model has ended. */
const endedReasons: ReadonlySet<string> = new Set([
  "stop",
  "tool_calls",
  "function_call",
  "tool_use",
  "end_turn",
]);

/** The end of an answer with calls. */
export interface AnswerEnd {
  readonly finishReason: string | null | undefined;
  /** The tokens that the model wrote; undefined if they are not known. */
  readonly tokens: number | undefined;
}

/**
 * What a model and its user are told about a call inside which the answer reached its limit of tokens, or broke off;
 * undefined if the call is complete. Only the last call of an answer can lack all of its arguments for this reason. The
 * input of a custom call is any text: only a patch says where it ends.
 */
export function cutCallProblem(
  text: string,
  isLast: boolean,
  end: AnswerEnd,
  isCustom = false,
): string | undefined {
  const reason = (end.finishReason ?? "").toLowerCase();
  if (endedReasons.has(reason)) return undefined;
  const isAtLimit = lengthReasons.has(reason);
  const isPart = isPatchText(text) ? !hasEndMark(text) : isAtLimit && isCustom && isLast && !isObject(text);
  if (!isAtLimit) return isPart || isClosedByUs(text) ? toolArgumentsProblem(endOf(text)) : undefined;
  if (!isPart && !isCutObject(text, isLast)) return undefined;
  const limit = end.tokens ? `its limit of ${end.tokens.toLocaleString("en")} tokens` : "its limit of tokens";
  return `The answer was cut at ${limit}, in the middle of this call, so the call was not run. Write it in parts, in several smaller calls.`;
}

function isObject(text: string): boolean {
  return readToolArguments(text).kind === "object";
}

/** True for an object whose last bracket is missing. */
function isClosedByUs(text: string): boolean {
  const read = readToolArguments(text);
  return read.kind === "object" && read.isClosed === true;
}

/** True for arguments that are a beginning; none at all are one only of the last call. */
function isCutObject(text: string, isLast: boolean): boolean {
  const read = readToolArguments(text);
  if (read.kind === "invalid") return read.problem.isCut;
  return read.isClosed === true || (isLast && text.trim() === "");
}

/** Nobody says that a text which lacks its last bracket or its end mark is whole. */
function endOf(text: string): JsonProblem {
  const words = isPatchText(text) ? "*** End Patch is missing" : "the text ends inside the object";
  return { ...positionIn(text, text.length), words, isCut: true };
}

function hasEndMark(text: string): boolean {
  return /\*\*\* End Patch\s*$/.test(text.slice(-100));
}

/** True for a patch as models of OpenAI write it, which begins with its mark. */
export function isPatchText(text: string): boolean {
  return text.trimStart().startsWith("*** Begin Patch");
}

/**
 * The input of a call whose model wrote text in place of a JSON object: that of a custom call, or a patch. It is the only
 * text that the tool demands; of several, a patch is the one of that name. Undefined if no member is certain.
 */
export function freeTextInput(
  text: string,
  isCustom: boolean,
  { properties, required }: Members,
): Members | undefined {
  if (!isCustom && !isPatchText(text)) return undefined;
  const texts = (Array.isArray(required) ? required.map(String) : []).filter(
    (name) => membersOf(membersOf(properties)[name]).type === "string",
  );
  const named = isPatchText(text) ? texts.filter((name) => /^(?:patch|input)$/.test(name)) : [];
  const [member, ...others] = named.length > 0 ? named : texts;
  return member === undefined || others.length > 0 ? undefined : { [member]: text };
}

/** Characters of invalid arguments that go back to the model. */
const maxInvalidLength = 4000;

/**
 * The arguments as they are sent back to a server, always the text of a JSON object: many servers parse it, and refuse
 * the whole conversation otherwise. A valid object is not changed, because services sign their calls.
 */
export function sentToolArguments(text: string): string {
  const read = readToolArguments(text);
  if (read.kind === "object") return read.text;
  if (isPatchText(text)) return JSON.stringify({ patch: text });
  const cut = text.length - maxInvalidLength;
  const shown = cut > 0 ? `${text.slice(0, maxInvalidLength)} … ${cut} characters left out` : text;
  return JSON.stringify({ invalid_arguments: shown });
}

function ofValue(value: unknown, text: string, isClosed?: true): ToolArguments {
  if (isMembers(value)) return { kind: "object", value, text, ...(isClosed ? { isClosed } : {}) };
  if (value === null) return { kind: "object", value: {}, text: "{}" };
  // Some models encode the object as a string once more.
  if (typeof value === "string") {
    const inner = parseJson(value);
    if (isMembers(inner)) return { kind: "object", value: inner, text: value };
  }
  const words = "a JSON object is expected, in braces";
  return { kind: "invalid", problem: { ...positionIn(text, text.search(/\S/)), words, isCut: false } };
}

/** The content of a fence that stands around the whole text. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
  const start = trimmed.indexOf("\n");
  return start < 0 || start > trimmed.length - 4 ? trimmed : trimmed.slice(start + 1, -3).trim();
}

/** A text without its second half, if that repeats the first one. */
function once(text: string): string {
  if (!text.startsWith("{") || !text.endsWith("}")) return text;
  // White space may stand between the halves.
  const middle = Math.ceil(text.length / 2);
  const end = text.lastIndexOf("}", middle) + 1;
  const half = text.slice(0, end);
  return end > 0 && text.slice(end).trimStart() === half ? half : text;
}

function positionIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, Math.max(0, offset));
  const lines = before.split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

interface Mended {
  readonly text: string;
  readonly isClosed?: true;
  readonly problem?: { readonly offset: number; readonly words: string; readonly isCut: boolean };
}

class BadJson extends Error {
  readonly offset: number;
  readonly words: string;

  constructor(offset: number, words: string) {
    super(words);
    this.offset = offset;
    this.words = words;
  }
}

/** Mends a text, or says where it is no JSON. */
function mendJson(text: string): Mended {
  const mender = new JsonMender(text);
  try {
    return mender.mend();
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    const { offset, words } = error;
    return { text, problem: { offset, words, isCut: offset >= text.length } };
  }
}

const pythonWords = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** What may follow: a member's name, its colon, a value, or a comma and the closing bracket. */
type Expected = "name" | "colon" | "value" | "end";

/** Reads JSON once from its start to its end, without recursion, and copies it with what it mends. */
class JsonMender {
  readonly #text: string;
  #offset = 0;
  /** The text up to here is in `#pieces`. */
  #copied = 0;
  readonly #pieces: string[] = [];
  readonly #open: ("{" | "[")[] = [];
  #expected: Expected = "value";
  /** The offset of a comma after which nothing has come yet. */
  #comma: number | undefined;
  /** True directly after an opening bracket. */
  #isEmpty = false;

  constructor(text: string) {
    this.#text = text;
  }

  mend(): Mended {
    for (this.#skipSpace(); this.#offset < this.#text.length; this.#skipSpace()) this.#token();
    const written = this.#pieces.join("") + this.#text.slice(this.#copied);
    if (this.#open.length === 0 && this.#expected === "end") return { text: written };
    // A number may lack digits, and what is open further inside may lack more than its bracket.
    const isWhole =
      this.#expected === "end" && !/[\w.+-]$/.test(this.#text.replace(/(?:true|false|null)$/, ""));
    if (this.#open.length === 1 && this.#open[0] === "{" && isWhole)
      return { text: `${written}}`, isClosed: true };
    throw new BadJson(this.#text.length, "the text ends inside the object");
  }

  #token(): void {
    const character = this.#text.charAt(this.#offset);
    if (character === "}" || character === "]") this.#close(character);
    else if (this.#expected === "end") this.#separator(character);
    else if (this.#expected === "colon") {
      if (character !== ":") throw new BadJson(this.#offset, "a colon is missing");
      this.#offset += 1;
      this.#expected = "value";
    } else this.#start(character);
  }

  /** A name or a value. */
  #start(character: string): void {
    this.#comma = undefined;
    this.#isEmpty = false;
    const isName = this.#expected === "name";
    if (character === '"' || character === "'") {
      this.#string(character);
      this.#expected = isName ? "colon" : "end";
    } else if (isName) this.#bareName();
    else if (character === "{" || character === "[") {
      this.#open.push(character);
      this.#offset += 1;
      this.#isEmpty = true;
      this.#expected = character === "{" ? "name" : "value";
    } else {
      this.#word();
      this.#expected = "end";
    }
  }

  #separator(character: string): void {
    const inside = this.#open.at(-1);
    if (inside === undefined) throw new BadJson(this.#offset, "there is more text after the object");
    if (character !== ",")
      throw new BadJson(this.#offset, `a comma or ${inside === "{" ? "}" : "]"} is missing`);
    this.#comma = this.#offset;
    this.#offset += 1;
    this.#expected = inside === "{" ? "name" : "value";
  }

  #close(character: "}" | "]"): void {
    const opening = character === "}" ? "{" : "[";
    const mayClose = this.#expected === "end" || this.#isEmpty || this.#comma !== undefined;
    if (this.#open.at(-1) !== opening || !mayClose)
      throw new BadJson(this.#offset, `there is an unexpected ${character}`);
    if (this.#comma !== undefined) this.#replace(this.#comma, this.#comma + 1, "");
    this.#open.pop();
    this.#comma = undefined;
    this.#isEmpty = false;
    this.#offset += 1;
    this.#expected = "end";
  }

  /** A name as JavaScript allows it. */
  #bareName(): void {
    const pattern = /[a-z_$][\w$]*(?=\s*:)/iy;
    pattern.lastIndex = this.#offset;
    const [name = ""] = pattern.exec(this.#text) ?? [];
    if (name === "") throw new BadJson(this.#offset, "a name in double quotes is expected");
    this.#replace(this.#offset, this.#offset + name.length, `"${name}"`);
    this.#offset += name.length;
    this.#expected = "colon";
  }

  /** From its quote to the same one. */
  #string(quote: string): void {
    const text = this.#text;
    if (quote === "'") this.#replace(this.#offset, this.#offset + 1, '"');
    for (this.#offset += 1; this.#offset < text.length; this.#offset++) {
      const code = text.charCodeAt(this.#offset);
      if (text.charAt(this.#offset) === quote) {
        if (quote === "'") this.#replace(this.#offset, this.#offset + 1, '"');
        this.#offset += 1;
        return;
      }
      if (code === 34) this.#replace(this.#offset, this.#offset + 1, '\\"');
      else if (code === 92) this.#escape();
      else if (code < 32) {
        const escaped = JSON.stringify(text.charAt(this.#offset)).slice(1, -1);
        this.#replace(this.#offset, this.#offset + 1, escaped);
      }
    }
    throw new BadJson(text.length, "the text ends inside a string");
  }

  /** Ends on the last character of the escape. */
  #escape(): void {
    const text = this.#text;
    const start = this.#offset;
    const kind = text.charAt(start + 1);
    if (kind === "") throw new BadJson(text.length, "the text ends inside a string");
    if (kind === "'") this.#replace(start, start + 1, "");
    else if (kind === "u") {
      const digits = text.slice(start + 2, start + 6);
      if (!/^[\da-f]*$/i.test(digits)) throw new BadJson(start, "\\u needs four hexadecimal digits");
      if (digits.length < 4) throw new BadJson(text.length, "the text ends inside a string");
      this.#offset += 4;
    } else if (!'"\\/bfnrt'.includes(kind))
      throw new BadJson(start, `\\${kind} is no escape: a backslash is written \\\\`);
    this.#offset += 1;
  }

  /** A number, true, false or null, and their names in Python. */
  #word(): void {
    const pattern = /[\w.+-]*/y;
    pattern.lastIndex = this.#offset;
    const [word = ""] = pattern.exec(this.#text) ?? [];
    const end = this.#offset + word.length;
    const meant = pythonWords.get(word);
    if (meant !== undefined) {
      this.#replace(this.#offset, end, meant);
      this.#offset = end;
      return;
    }
    if (/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?)$/i.test(word) && !/[TFNL]/.test(word)) {
      this.#offset = end;
      return;
    }
    const isUnfinished = word !== "" && end >= this.#text.length;
    throw new BadJson(isUnfinished ? end : this.#offset, "a JSON value is expected");
  }

  #skipSpace(): void {
    for (; this.#offset < this.#text.length; this.#offset++) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return;
    }
  }

  /** Replacements come in the order of the text. */
  #replace(start: number, end: number, by: string): void {
    this.#pieces.push(this.#text.slice(this.#copied, start), by);
    this.#copied = end;
  }
}

import type { CursorContext } from "./cursorContext.ts";

const mostLines = 12;
const mostLength = 2_000;

export interface CompletionPlace extends Pick<CursorContext, "before" | "after"> {
  readonly shape: "one" | "several";
  /** The tab width of the document if it is indented with tabs. */
  readonly tabSize: number | undefined;
}

/**
 * A model's answer as the text to insert at the cursor, with `\n` as line end: without fence, without what the document
 * already has before or after the cursor, with the document's indentation. Empty if nothing new is left.
 */
export function cleanCompletion(answer: string, place: CompletionPlace): string {
  const { before, after, shape, tabSize } = place;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const said = withoutTokens(answer.slice(0, 4 * mostLength).replace(/\r\n?/g, "\n"), before + after);
  const bare = withoutLinesBefore(withoutFence(said), before);
  const started = withoutStart(bare, line);
  if (shape === "one" && started.startsWith("\n")) return "";
  const lines = (shape === "one" ? started.split("\n", 1) : started.split("\n")).slice(0, mostLines);
  const indented =
    tabSize === undefined ? lines : lines.map((text, at) => (at === 0 ? text : toTabs(text, tabSize)));
  const text = indented.join("\n").slice(0, mostLength).trimEnd();
  const fresh = withoutRest(withoutNextLines(text, after), after);
  const isThere = fresh.trim() === "" || after.trimStart().startsWith(fresh.trim());
  return isThere ? "" : fresh;
}

/** Marks of models' templates: ends of a text, and those around the parts of a file that is filled in. */
const token =
  /<\|[a-z][a-z_▁ ]{1,30}\|>|<｜[^｜<>\n]{2,30}｜>|<(?:fim_(?:prefix|suffix|middle|pad)|file_sep|end_of_turn|EOT|PRE|SUF|MID)>|<\/s>\s*$/i;

/** The answer up to the first token, unless the file is about such tokens. What follows it is no answer. */
function withoutTokens(answer: string, file: string): string {
  const found = token.exec(answer);
  const mark = found?.[0].trim() ?? "";
  const sign = /^<[|｜/]/.test(mark) ? mark.slice(0, 2) : mark;
  const text = answer.slice(0, found?.index);
  const isText = file.includes(sign) || /["'`]$/.test(text) || text.includes("<s>");
  return mark === "" || isText ? answer : text.trimEnd();
}

/** Lines before that are compared. */
const mostRepeated = 4;

/** Cuts first lines that are the last lines of the document, where the model repeats them before what it adds. */
function withoutLinesBefore(answer: string, before: string): string {
  const lines = answer.split("\n");
  const trimmed = lines.map((text) => text.trim());
  const last = before
    .slice(0, before.lastIndexOf("\n") + 1)
    .split("\n")
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .slice(-mostRepeated);
  for (let count = Math.min(last.length, lines.length - 1); count > 0; count--) {
    const repeated = last.slice(-count);
    if (repeated.some((text, index) => text !== trimmed[index])) continue;
    // Brackets alone are new text as often as not.
    if (/[\p{L}\p{N}]{2}/u.test(repeated.join(""))) return lines.slice(count).join("\n");
  }
  return answer;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[^`\n]{0,100}$/;

/** The content of the first fence, if the answer starts with one or has text before it. */
function withoutFence(answer: string): string {
  const lines = answer.split("\n");
  const open = lines.findIndex((line) => fenceLine.test(line));
  if (open < 0) return answer;
  const close = lines.findIndex((line, at) => at > open && fenceLine.test(line));
  // Markdown with a fence of its own begins with text that belongs to it.
  if (open > 0 && close < 0) return answer;
  return lines.slice(open + 1, close < 0 ? lines.length : close).join("\n");
}

/** Cuts the line before the cursor where the model repeats it, and blank lines in an empty line. */
function withoutStart(answer: string, line: string): string {
  if (line.trim() === "") {
    const text = answer.replace(/^([ \t]*\n)+/, "");
    return text.startsWith(line) ? text.slice(line.length) : text.replace(/^[ \t]+/, "");
  }
  const said = line.trimStart();
  const start = answer.trimStart();
  if (said.trimEnd().length >= 3 && start.startsWith(said)) return start.slice(said.length);
  if (said.trimEnd().length >= 3 && start.startsWith(said.trimEnd()))
    return start.slice(said.trimEnd().length).trimStart();
  // The space at the cursor is there already.
  return /\s$/.test(line) ? answer.replace(/^[ \t]+/, "") : answer;
}

function toTabs(text: string, tabSize: number): string {
  const [spaces = ""] = /^ */.exec(text) ?? [];
  const tabs = Math.floor(spaces.length / Math.max(1, tabSize));
  return "\t".repeat(tabs) + text.slice(tabs * tabSize);
}

/** Cuts last lines that are the next lines of the document. */
function withoutNextLines(text: string, after: string): string {
  const lines = text.split("\n");
  const next = after
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  for (let count = Math.min(lines.length - 1, next.length); count > 0; count--) {
    const last = lines.slice(-count).map((line) => line.trim());
    if (last.some((line, at) => line !== next[at])) continue;
    // A closing bracket of the new text itself is no repetition.
    const isCloser = !/[\p{L}\p{N}]/u.test(last.join(""));
    if (!isCloser || surplusClosers(text) > 0) return lines.slice(0, -count).join("\n").trimEnd();
  }
  return text;
}

/** Cuts an end that follows the cursor in its line: `)` of `call(|)`. */
function withoutRest(text: string, after: string): string {
  const rest = after.slice(0, lineLength(after)).trim().slice(0, 200);
  let cut = text;
  for (let count = Math.min(rest.length, text.length); count > 0; count--) {
    const overlap = rest.slice(0, count);
    if (!cut.endsWith(overlap)) continue;
    const isText = /[\p{L}\p{N};,:]/u.test(overlap);
    const isQuote = /["'`]/.test(overlap) && oddQuotes(cut);
    if (commentEnd.test(overlap)) return cut.slice(0, -count).trimEnd();
    if (isText || isQuote || surplusClosers(cut) >= count) {
      cut = cut.slice(0, -count);
      break;
    }
  }
  return cut;
}

const commentEnd = /^(?:\*\/|-->|\*\))$/;

/** Brackets that the text closes and does not open. */
function surplusClosers(text: string): number {
  let open = 0;
  let surplus = 0;
  for (const character of text) {
    if ("([{".includes(character)) open++;
    else if (")]}".includes(character) && open > 0) open--;
    else if (")]}".includes(character)) surplus++;
  }
  return surplus;
}

function oddQuotes(text: string): boolean {
  return (text.match(/["'`]/g) ?? []).length % 2 === 1;
}

function lineLength(text: string): number {
  const end = text.indexOf("\n");
  return end < 0 ? text.length : end;
}

import type { CursorContext } from "./cursorContext.ts";
import { withoutTokens } from "./modelTokens.ts";
import { openBrackets, restOfLine, withoutNextLines, withoutOverrun, withoutRest } from "./repeatedAfter.ts";
import { indentOf, opensBlock, withoutLinesBefore, withoutStart } from "./repeatedBefore.ts";

const mostLines = 12;
const mostLength = 2_000;

export interface CompletionPlace extends Pick<CursorContext, "before" | "after"> {
  readonly shape: "one" | "several";
  /** The tab width of the document if it is indented with tabs. */
  readonly tabSize: number | undefined;
  /** Decides whether a fence is text of the document. */
  readonly languageId?: string;
}

/**
 * A model's answer as the text to insert at the cursor, with `\n` as line end: without fence, without tokens of the model,
 * without what the document already has before or after the cursor, with the document's indentation. Empty if nothing new is
 * left.
 */
export function cleanCompletion(answer: string, place: CompletionPlace): string {
  const { before, after, shape } = place;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const written = answer.slice(0, 4 * mostLength).replace(/\r\n?/g, "\n");
  const said = withoutTokens(written.replace(controls, ""), before + after);
  const unfenced = withoutFence(said, place, line);
  const bare = withoutLinesBefore(unfenced, before);
  const started = withoutPair(withoutStart(bare, line, bare !== unfenced), line, after);
  if (shape === "one" && started.startsWith("\n")) return "";
  const lines = (shape === "one" ? started.split("\n", 1) : started.split("\n")).slice(0, mostLines);
  const text = indented(lines, line, place).join("\n").slice(0, mostLength).trimEnd();
  const fresh = withoutOverrun(withoutRest(withoutNextLines(text, before, after), after), line, after);
  const isThere = fresh.trim() === "" || after.trimStart().startsWith(fresh.trim());
  return isThere ? "" : fresh;
}

/** Characters that no editor shows. */
const controls = /(?![\t\n\f])\p{Cc}/gu;
const fenceLine = /^ {0,3}(`{3,}|~{3,})[^`\n]{0,100}$/;
const bareFence = /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/;
const textLanguages: ReadonlySet<string> = new Set(["markdown", "mdx", "quarto", "rmd"]);

/** The content of the first fence, if the answer starts with one or has text before it. */
function withoutFence(answer: string, { before, languageId = "" }: CompletionPlace, line: string): string {
  const [, inner] = /^\s*```([^`\n]+)```\s*$/.exec(answer) ?? [];
  if (inner !== undefined) return inner;
  const lines = answer.split("\n");
  const open = lines.findIndex((text) => fenceLine.test(text));
  if (open < 0) return answer;
  const close = lines.findIndex((text, at) => at > open && fenceLine.test(text));
  const isInFence = before.split("\n").filter((text) => fenceLine.test(text)).length % 2 === 1;
  const isText = textLanguages.has(languageId) && !isInFence && line.trim() === "";
  if (isText && !/^ {0,3}`{3,}(?:markdown|md)\s*$/.test(lines[open] ?? "")) return answer;
  if (open > 0 && close < 0) {
    // A fence that ends the answer has none to close. Another one, in Markdown, begins with text that belongs to it.
    const isEnd =
      bareFence.test(lines[open] ?? "") &&
      lines
        .slice(open + 1)
        .join("")
        .trim() === "";
    return isEnd ? lines.slice(0, open).join("\n") : answer;
  }
  return lines.slice(open + 1, close < 0 ? lines.length : close).join("\n");
}

/** Cuts a quotation mark or bracket that is before the cursor, and its partner after it. */
function withoutPair(answer: string, line: string, after: string): string {
  const mark = line.slice(-1);
  if (mark === "" || !answer.startsWith(mark)) return answer;
  const rest = restOfLine(after).trimStart();
  if (`"'\``.includes(mark)) return withoutQuotes(answer, line, rest);
  const end = mark === "(" ? partnerOf(answer) : -1;
  if (end < 0) return answer;
  const follows = answer.slice(end + 1).trim();
  if (rest.startsWith(")")) return follows === "" ? answer.slice(1, end) : answer;
  return follows === "" || /^(?:[{:;]|->)/.test(follows) ? answer.slice(1) : answer;
}

/** A string that is begun before the cursor is not begun once more. */
function withoutQuotes(answer: string, line: string, rest: string): string {
  const mark = answer.charAt(0);
  const isOpen = line.split(mark).length % 2 === 0;
  const text = answer.split("\n", 1)[0]?.trimEnd() ?? "";
  if (!isOpen || !/^.[\p{L}\p{N}_./@#$%-]/u.test(text)) return answer;
  const marks = text.split(mark).length - 1;
  const isWrapped = marks === 2 && text.endsWith(mark) && rest.startsWith(mark);
  if (isWrapped) return text.slice(1, -1) + answer.slice(text.length);
  return marks % 2 === (rest.startsWith(mark) ? 1 : 0) ? answer.slice(1) : answer;
}

/** The index of the bracket that closes the first one; -1 if it stays open. */
function partnerOf(text: string): number {
  for (let at = text.indexOf(")"); at >= 0; at = text.indexOf(")", at + 1))
    if (openBrackets(text.slice(0, at + 1)).length === 0) return at;
  return -1;
}

/** The lines with the indentation of the document. */
function indented(lines: readonly string[], line: string, place: CompletionPlace): readonly string[] {
  const { tabSize, before } = place;
  const unit = tabSize === undefined ? spacesIn(before) : undefined;
  const own = lines.map((text, index) => {
    if (index === 0) return text;
    if (tabSize !== undefined) return toTabs(text, tabSize);
    return unit === undefined ? text : text.replace(/^\t+/, (tabs) => unit.repeat(tabs.length));
  });
  const [first = "", ...others] = own;
  const next = others.find((text) => text.trim() !== "");
  const [base = ""] = /^[ \t]*/.exec(line) ?? [];
  const isRelative = next !== undefined && /\p{L}/u.test(next) && indentOf(next) <= indentOf(base);
  // A block in a line of its own is written as if that began in column 0.
  if (base === "" || !isRelative || !opensBlock(first)) return own;
  return [first, ...others.map((text) => (text.trim() === "" ? text : base + text))];
}

/** The indentation of a document that has no tabs; undefined if it has tabs, or no indentation. */
function spacesIn(before: string): string | undefined {
  if (/^\t/m.test(before)) return undefined;
  const found = before.match(/^ {2,8}(?! )/gm) ?? [];
  return found.sort((a, b) => a.length - b.length)[0];
}

function toTabs(text: string, tabSize: number): string {
  const [spaces = ""] = /^ */.exec(text) ?? [];
  const tabs = Math.floor(spaces.length / Math.max(1, tabSize));
  return "\t".repeat(tabs) + text.slice(tabs * tabSize);
}

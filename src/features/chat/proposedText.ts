import { isShellLanguage } from "../../shared/shellLanguages.ts";
import { isPatch, placePatch } from "./patchText.ts";
import { isElided, isWholeFile, placeSnippet } from "./placeSnippet.ts";
import { indentedAs, indentOf, type LineEdit, type TextLines, toTextLines, withEdits } from "./textLines.ts";

/** The code of an answer, with what its fence calls its language. */
export interface CodeBlock {
  readonly text: string;
  readonly language: string;
}

/** Offsets into a text. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * What becomes of a file with the code of an answer in it. `unplaced`: nothing, and why; `whole` is the text with the
 * code in place of all of it, where that can be meant.
 */
export type Proposed =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "same" }
  | { readonly kind: "unplaced"; readonly why: string; readonly whole?: string };

/**
 * A file's text with the code of an answer in it: in place of the selection where there is one; else of the lines that
 * the code is another wording of; else of the whole file, where the code is one. Where none of that is beyond doubt,
 * nothing is proposed. `name` is the file's.
 */
export function proposedText(original: string, block: CodeBlock, selection?: LineSpan, name = ""): Proposed {
  const file = toTextLines(original);
  const code = withoutName(toTextLines(block.text).lines, name);
  if (!code.some((line) => line.trim() !== "")) return { kind: "unplaced", why: "The block is empty." };
  if (isShell(block.language, code))
    return { kind: "unplaced", why: "The block holds commands for a terminal, not the text of a file." };
  if (isPatch(block.language, code)) {
    const edits = placePatch(file.lines, code);
    return edits ? proposed(original, withEdits(file, edits)) : { kind: "unplaced", why: noPatch };
  }
  if (selection && selection.start < selection.end && !isElided(code))
    return proposed(original, inSelection(original, code, selection, file.eol));
  const edits = placeSnippet(file.lines, code);
  if (edits) return proposed(original, withEdits(file, edits));
  const whole = asWhole(file, code);
  if (isWholeFile(file.lines, code)) return proposed(original, whole);
  return { kind: "unplaced", why: noPlace, ...(isElided(code) ? {} : { whole }) };
}

const noPlace = "It is not clear which lines of the file the code is meant for.";
const noPatch = "The file does not have the lines that the diff changes, or has them more than once.";

function proposed(original: string, text: string): Proposed {
  return text === original ? { kind: "same" } : { kind: "text", text };
}

function asWhole(file: TextLines, code: readonly string[]): string {
  const whole: LineEdit = { start: 0, end: file.lines.length, lines: code };
  return withEdits(file, [whole]);
}

/** Indented as the selection is, where that begins with a line. */
function inSelection(
  original: string,
  code: readonly string[],
  { start, end }: LineSpan,
  eol: string,
): string {
  const lineStart =
    Math.max(original.lastIndexOf("\n", start - 1), original.lastIndexOf("\r", start - 1)) + 1;
  const selected = original.slice(start, end);
  const before = original.slice(lineStart, start);
  const first = selected.split(/\r\n?|\n/).find((line) => line.trim() !== "") ?? "";
  const from = code.find((line) => line.trim() !== "") ?? "";
  const isAtStart = before.trim() === "";
  const to = before === "" ? first : before + first;
  const lines = isAtStart ? indentedAs(code, from, indentOf(to)) : [...code];
  // What stands before the selection in its line stays, and is not to be there twice.
  if (before !== "" && isAtStart && lines[0]?.startsWith(before)) lines[0] = lines[0].slice(before.length);
  const close = /[\r\n]$/.test(selected) ? eol : "";
  return original.slice(0, start) + lines.join(eol) + close + original.slice(end);
}

/** Without a first line that is a comment with nothing but the file's path. */
function withoutName(code: readonly string[], name: string): readonly string[] {
  const said = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i.exec(
    code[0] ?? "",
  )?.[1];
  return name !== "" && said?.split(/[\\/]/).at(-1) === name ? code.slice(1) : code;
}

const promptStart = /^\s*(?:[$%❯➜]|(?:PS )?[A-Za-z]:\\[^>]*>|PS[^>]*>|[\w.-]+@[\w.-]+[^$#]{0,80}[$#])\s+\S/;

/** Whether a block is one of commands: by its language, or where it has none by the prompt it begins with. */
function isShell(language: string, code: readonly string[]): boolean {
  if (isShellLanguage(language)) return true;
  const isBare = /^(?:|text|txt|plain|plaintext|output|none)$/i.test(language);
  return isBare && promptStart.test(code.find((line) => line.trim() !== "") ?? "");
}

/** What would run, line by line, without the prompts that answers show before commands. */
export function commandOf(code: string): string {
  const lines = code.replace(/\r\n?/g, "\n").trim().split("\n");
  const prompted = lines.filter((line) => /^[$%] /.test(line));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines).join("\n");
}

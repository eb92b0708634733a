import { isElided } from "../../../shared/text/elision.ts";
import { indentOf } from "../../../shared/text/indent.ts";
import { isShellLanguage } from "../../../shared/text/shellLanguages.ts";
import { isPatch, placePatch } from "./patchText.ts";
import { isWholeFile, placeSnippet } from "./placeSnippet.ts";
import { indentedAs, type LineEdit, type TextLines, toTextLines, withEdits } from "./textLines.ts";

/** The code of an answer, with the language of its fence. */
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
 * The text of a file with an answer's code applied. `unplaced`: no text, with the reason; `whole` is the text if the
 * code replaces the whole file, where that is plausible.
 */
export type Proposed =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "same" }
  | { readonly kind: "unplaced"; readonly reason: string; readonly whole?: string };

/**
 * Applies the code of an answer to a file's text: it replaces the selection if there is one, else the lines of which it
 * is a new version, else the whole file if the code is a whole file. If that is ambiguous, nothing is proposed. `name` is
 * the name of the file.
 */
export function proposedText(original: string, block: CodeBlock, selection?: LineSpan, name = ""): Proposed {
  const file = toTextLines(original);
  const code = withoutName(toTextLines(block.text).lines, name);
  if (!code.some((line) => line.trim() !== "")) return { kind: "unplaced", reason: "The block is empty." };
  if (isShell(block.language, code))
    return { kind: "unplaced", reason: "The block contains terminal commands, not the text of a file." };
  if (isPatch(block.language, code)) {
    const edits = placePatch(file.lines, code);
    return edits ? proposed(original, withEdits(file, edits)) : { kind: "unplaced", reason: noPatch };
  }
  if (selection && selection.start < selection.end && !isElided(code))
    return proposed(original, inSelection(original, code, selection, file.eol));
  const edits = placeSnippet(file.lines, code);
  if (edits) return proposed(original, withEdits(file, edits));
  const whole = asWhole(file, code);
  if (isWholeFile(file.lines, code)) return proposed(original, whole);
  return { kind: "unplaced", reason: noPlace, ...(isElided(code) ? {} : { whole }) };
}

const noPlace = "The code matches no unique place in the file.";
const noPatch = "The lines that the diff changes are not in the file, or occur more than once.";

function proposed(original: string, text: string): Proposed {
  return text === original ? { kind: "same" } : { kind: "text", text };
}

function asWhole(file: TextLines, code: readonly string[]): string {
  const whole: LineEdit = { start: 0, end: file.lines.length, lines: code };
  return withEdits(file, [whole]);
}

/** Indents the code as the selection if the selection starts at the beginning of a line. */
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
  // The text before the selection stays, so it must not be inserted again.
  if (before !== "" && isAtStart && lines[0]?.startsWith(before)) lines[0] = lines[0].slice(before.length);
  const close = /[\r\n]$/.test(selected) ? eol : "";
  return original.slice(0, start) + lines.join(eol) + close + original.slice(end);
}

/** Drops a first line that is a comment with only the file's path. */
function withoutName(code: readonly string[], name: string): readonly string[] {
  const path = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i.exec(
    code[0] ?? "",
  )?.[1];
  return name !== "" && path?.split(/[\\/]/).at(-1) === name ? code.slice(1) : code;
}

const promptStart = /^\s*(?:[$%❯➜]|(?:PS )?[A-Za-z]:\\[^>]*>|PS[^>]*>|[\w.-]+@[\w.-]+[^$#]{0,80}[$#])\s+\S/;

/** True if a block contains shell commands, by its language or, without one, by its prompt. */
function isShell(language: string, code: readonly string[]): boolean {
  if (isShellLanguage(language)) return true;
  const isBare = /^(?:|text|txt|plain|plaintext|output|none)$/i.test(language);
  return isBare && promptStart.test(code.find((line) => line.trim() !== "") ?? "");
}

/** The commands, line by line, without the prompts that answers show before them. */
export function commandOf(code: string): string {
  const lines = code.replace(/\r\n?/g, "\n").trim().split("\n");
  const prompted = lines.filter((line) => /^[$%] /.test(line));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines).join("\n");
}

import type { Position, TextDocument } from "vscode";
import { looksSecret } from "../../shared/secretFiles.ts";
import { opensBlock } from "./repeatedBefore.ts";

/** Limits in characters, unless named otherwise. */
export const contextLimits = {
  before: 4_000,
  after: 1_500,
  /** A longer line is generated or data. */
  line: 5_000,
  documentLines: 50_000,
} as const;

/** The text around a cursor, with `\n` as line end. */
export interface CursorContext {
  /** Identity of the document. */
  readonly uri: string;
  readonly name: string;
  readonly languageId: string;
  readonly before: string;
  readonly after: string;
  /** Line and character of the cursor. */
  readonly line: number;
  readonly character: number;
}

/** Schemes of documents in which the user writes. Settings, output and source control input have others. */
export const writableSchemes: readonly string[] = ["file", "untitled", "vscode-notebook-cell"];

/** The part of a document that is read. */
export type ReadableDocument = Pick<TextDocument, "languageId" | "lineCount" | "lineAt"> & {
  readonly uri: Pick<TextDocument["uri"], "scheme" | "path" | "toString">;
};

/**
 * True if text of this document may be sent. `languages` are language ids; `*` is every language, and `!` before an id
 * excludes it. RPC cells have their own completion.
 */
export function maySendText({ uri, languageId }: ReadableDocument, languages: readonly string[]): boolean {
  if (!writableSchemes.includes(uri.scheme) || looksSecret(uri.path)) return false;
  if (languageId === "inference-rpc" || languages.includes(`!${languageId}`)) return false;
  return languages.includes("*") || languages.includes(languageId);
}

/** The text around the cursor; undefined if the document is too large. Reads only the lines that it returns. */
export function readCursorContext(
  document: ReadableDocument,
  { line, character }: Pick<Position, "line" | "character">,
  shortName: string,
): CursorContext | undefined {
  if (document.lineCount > contextLimits.documentLines) return undefined;
  const { text } = document.lineAt(line);
  if (text.length > contextLimits.line) return undefined;
  return {
    uri: document.uri.toString(),
    name: shortName,
    languageId: document.languageId,
    before: linesBefore(document, line, text.slice(0, character)),
    after: linesAfter(document, line, text.slice(character)),
    line,
    character,
  };
}

/** Whole lines, so that the model sees their indentation. */
function linesBefore(document: ReadableDocument, line: number, last: string): string {
  const lines = [last];
  let length = last.length;
  for (let at = line - 1; at >= 0; at--) {
    const { text } = document.lineAt(at);
    length += text.length + 1;
    if (length > contextLimits.before) break;
    lines.push(text);
  }
  return lines.reverse().join("\n");
}

function linesAfter(document: ReadableDocument, line: number, first: string): string {
  const lines = [first];
  let length = first.length;
  for (let at = line + 1; at < document.lineCount; at++) {
    const { text } = document.lineAt(at);
    length += text.length + 1;
    if (length > contextLimits.after) break;
    lines.push(text);
  }
  return lines.join("\n");
}

/** The kind of completion that fits a place. */
export type CompletionShape = "one" | "several" | "none";

/**
 * `none` in the middle of a line: only brackets, quotes, a separator and the end of a comment may follow. `several` where a block begins, after
 * a comment, or in an empty line; `one` elsewhere.
 */
export function shapeAt({ before, after }: Pick<CursorContext, "before" | "after">): CompletionShape {
  const rest = after.slice(0, lineEnd(after, 0));
  if (
    !/^[ \t]{0,200}[)\]}"'`>]{0,20}[ \t]{0,20}[,;:{]?[ \t]{0,200}(?:(?:\*\/\}?|-->|%>|\?>|[-#]\}|\*\))[ \t]{0,200})?$/.test(
      rest,
    )
  )
    return "none";
  const start = before.lastIndexOf("\n") + 1;
  const line = before.slice(start);
  if (opensBlock(line)) return "several";
  if (line.trim() !== "" || rest.trim() !== "") return "one";
  return before.trim() === "" ? "none" : "several";
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

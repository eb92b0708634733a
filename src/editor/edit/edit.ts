import * as vscode from "vscode";
import type { DocumentChange } from "../../platform/editor/changeDocument.ts";
import { lostByElision } from "../../shared/text/elision.ts";
import { type Hunk, lineHunks, reversed, withHunk } from "../../shared/text/lineHunks.ts";
import { losesParts } from "../../shared/text/losesParts.ts";
import { limits } from "../limits.ts";
import type { EditAction, EditQuestion } from "../target/prompts.ts";
import type { Sides } from "./editPreview.ts";
import { cleanAnswer, partialAnswer } from "./text/cleanAnswer.ts";
import type { TrackedRange } from "./text/trackedRange.ts";

/** A change that a model proposes for one range of a document. The document is unchanged until it is accepted. */
export interface ProposedEdit {
  readonly id: string;
  readonly action: EditAction;
  /** True for text of a writer, which may lose parts that a program may not. */
  readonly isProse: boolean;
  instruction: string;
  /** Display name of the document. */
  readonly name: string;
  readonly viewColumn: vscode.ViewColumn | undefined;
  document: vscode.TextDocument;
  /** Updated with the document's changes. */
  range: TrackedRange;
  /** The text of the range when the request was sent, with the hunks accepted since. */
  original: string;
  /** Texts of the range before each accepted hunk, because undo restores one of them. */
  readonly earlier: Set<string>;
  /** The answer so far. */
  answer: string;
  /** Set when the answer has ended: the proposed text without rejected hunks. */
  proposed: string | undefined;
  /** `partial`: the answer ended early; its complete lines precede the rest of the original. */
  state: "writing" | "partial" | "whole";
  abort: AbortController;
}

export function rangeOf({ document, range }: ProposedEdit): vscode.Range {
  return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
}

/** The current replacement text. */
export function replacementOf({ answer, original, document, state, range, proposed }: ProposedEdit): string {
  if (proposed !== undefined) return proposed;
  const start = document.positionAt(range.start);
  const lead = document.lineAt(start).text.slice(0, start.character);
  const cleaned = cleanAnswer(answer, original, eolOf(document), lead);
  return state === "whole" ? cleaned : partialAnswer(cleaned, original);
}

/**
 * A sentence if a text in place of the range deletes code that it does not mean to delete; else undefined. The user may
 * have asked for less code, but not by *Fix* or *Write Documentation*.
 */
export function lossIn(edit: ProposedEdit, text: string): string | undefined {
  const { action, isProse, original, document } = edit;
  const elision = lostByElision(original, text, document.uri.path);
  if (elision)
    return `“${elision.text.slice(0, mostShown)}” in line ${rangeOf(edit).start.line + elision.line} stands for code that it deletes.`;
  const isLess = action !== "edit" && !isProse && losesParts(original.split(/\r?\n/), text.split(/\r?\n/));
  return isLess ? "It leaves out parts of the selected code, which it deletes." : undefined;
}

const mostShown = 60;

/** The whole document, before and after the edit. */
export function sidesOf(edit: ProposedEdit): Sides {
  const before = edit.document.getText();
  const { start, end } = edit.range;
  return { before, after: before.slice(0, start) + replacementOf(edit) + before.slice(end) };
}

/**
 * True if the range of the document still has the text that was sent, or an earlier text if the acceptance of a hunk was
 * undone.
 */
export function isInPlace(edit: ProposedEdit): boolean {
  const { document, range, earlier } = edit;
  const current = document.getText().slice(range.start, range.end);
  if (earlier.has(current)) edit.original = current;
  return current === edit.original;
}

/** The hunk at a line of the diff, or the nearest one. Undefined if the diff has no hunk. */
export function hunkAt(edit: ProposedEdit, side: keyof Sides, documentLine: number): Hunk | undefined {
  const line = documentLine - rangeOf(edit).start.line;
  const distance = (hunk: Hunk) => {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = hunk;
    const [start, end] = side === "before" ? [beforeStart, beforeEnd] : [afterStart, afterEnd];
    return line < start ? start - line : Math.max(0, line - Math.max(start, end - 1));
  };
  return lineHunks(edit.original, replacementOf(edit)).sort((a, b) => distance(a) - distance(b))[0];
}

/** The smallest change of the document that accepts one hunk, and the resulting text of the range. */
export function acceptanceOf(
  edit: ProposedEdit,
  hunk: Hunk,
): { readonly change: DocumentChange; readonly text: string } {
  const { original, document, range } = edit;
  const text = withHunk(original, replacementOf(edit), hunk);
  let start = 0;
  while (start < original.length && original[start] === text[start]) start += 1;
  let suffix = 0;
  const longest = Math.min(original.length, text.length) - start;
  while (suffix < longest && original.at(-1 - suffix) === text.at(-1 - suffix)) suffix += 1;
  const at = (offset: number) => document.positionAt(range.start + offset);
  return {
    change: {
      range: new vscode.Range(at(start), at(original.length - suffix)),
      text: text.slice(start, text.length - suffix),
    },
    text,
  };
}

/** The proposal without one hunk. */
export function withoutHunk(edit: ProposedEdit, hunk: Hunk): string {
  return withHunk(replacementOf(edit), edit.original, reversed(hunk));
}

export function questionOf(edit: ProposedEdit): EditQuestion {
  const { document, range, instruction, name, original } = edit;
  const text = document.getText();
  const before = text.slice(Math.max(0, range.start - limits.context), range.start);
  const after = text.slice(range.end, range.end + limits.context);
  return {
    instruction,
    name,
    languageId: document.languageId,
    // Drops the incomplete line at the limit.
    before: range.start > limits.context ? before.slice(before.indexOf("\n") + 1) : before,
    selected: original,
    after: after.length === limits.context ? after.slice(0, after.lastIndexOf("\n") + 1) : after,
    problems: edit.action === "fix" ? problemsIn(document.uri, rangeOf(edit)) : [],
  };
}

const severities = ["error", "warning", "information"];
const maxProblems = 20;

function problemsIn(uri: vscode.Uri, range: vscode.Range): string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter((one) => one.severity < severities.length && range.intersection(one.range) !== undefined)
    .sort((a, b) => a.severity - b.severity)
    .slice(0, maxProblems)
    .map(
      ({ range: { start }, severity, message }) =>
        `line ${start.line + 1}: ${severities[severity]}: ${message}`,
    );
}

function eolOf({ eol }: vscode.TextDocument): "\n" | "\r\n" {
  return eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
}

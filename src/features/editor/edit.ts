import * as vscode from "vscode";
import type { DocumentChange } from "../../platform/changeDocument.ts";
import { type Hunk, lineHunks, reversed, withHunk } from "../../shared/lineHunks.ts";
import { cleanAnswer, partialAnswer } from "./cleanAnswer.ts";
import type { Sides } from "./editPreview.ts";
import { limits } from "./limits.ts";
import type { EditAction, EditQuestion } from "./prompts.ts";
import type { TrackedRange } from "./trackedRange.ts";

/** A change that a model proposes for one place of a document; nothing of it is in the document until it is accepted. */
export interface ProposedEdit {
  readonly id: string;
  readonly action: EditAction;
  instruction: string;
  /** The document's name for people. */
  readonly name: string;
  readonly viewColumn: vscode.ViewColumn | undefined;
  document: vscode.TextDocument;
  /** Follows the document's changes. */
  range: TrackedRange;
  /** What stood in the range when the model was asked, with the hunks that were accepted since. */
  original: string;
  /** Texts of the range before each accepted hunk: an undo brings one back. */
  readonly earlier: Set<string>;
  /** What the model has said so far. */
  answer: string;
  /** Once the answer has ended: what is proposed, without the hunks that were rejected. */
  proposed: string | undefined;
  /** `partial`: the answer ended early; its whole lines stand before the rest of the original. */
  state: "writing" | "partial" | "whole";
  abort: AbortController;
}

export function rangeOf({ document, range }: ProposedEdit): vscode.Range {
  return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
}

/** The text that the edit would put in its place now. */
export function replacementOf({ answer, original, document, state, range, proposed }: ProposedEdit): string {
  if (proposed !== undefined) return proposed;
  const start = document.positionAt(range.start);
  const lead = document.lineAt(start).text.slice(0, start.character);
  const cleaned = cleanAnswer(answer, original, eolOf(document), lead);
  return state === "whole" ? cleaned : partialAnswer(cleaned, original);
}

/** The whole document as it is, and as it would be. */
export function sidesOf(edit: ProposedEdit): Sides {
  const before = edit.document.getText();
  const { start, end } = edit.range;
  return { before, after: before.slice(0, start) + replacementOf(edit) + before.slice(end) };
}

/**
 * Whether the document still holds, at the same place, what the model was asked about; where the acceptance of a hunk
 * was undone, that is the original again.
 */
export function isInPlace(edit: ProposedEdit): boolean {
  const { document, range, earlier } = edit;
  const there = document.getText().slice(range.start, range.end);
  if (earlier.has(there)) edit.original = there;
  return there === edit.original;
}

/** The hunk of an edit that a line of its diff belongs to, or is nearest to; undefined where there is none. */
export function hunkAt(edit: ProposedEdit, side: keyof Sides, documentLine: number): Hunk | undefined {
  const line = documentLine - rangeOf(edit).start.line;
  const distance = (hunk: Hunk) => {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = hunk;
    const [start, end] = side === "before" ? [beforeStart, beforeEnd] : [afterStart, afterEnd];
    return line < start ? start - line : Math.max(0, line - Math.max(start, end - 1));
  };
  return lineHunks(edit.original, replacementOf(edit)).sort((a, b) => distance(a) - distance(b))[0];
}

/** The change of the document that accepts one hunk, no larger than it has to be, and what stands there then. */
export function acceptanceOf(
  edit: ProposedEdit,
  hunk: Hunk,
): { readonly change: DocumentChange; readonly text: string } {
  const { original, document, range } = edit;
  const text = withHunk(original, replacementOf(edit), hunk);
  let start = 0;
  while (start < original.length && original[start] === text[start]) start += 1;
  let stored = 0;
  const most = Math.min(original.length, text.length) - start;
  while (stored < most && original.at(-1 - stored) === text.at(-1 - stored)) stored += 1;
  const at = (offset: number) => document.positionAt(range.start + offset);
  return {
    change: {
      range: new vscode.Range(at(start), at(original.length - stored)),
      text: text.slice(start, text.length - stored),
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
    // Whole lines, where the bound cut one.
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

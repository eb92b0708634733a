import * as vscode from "vscode";
import { cleanAnswer, partialAnswer } from "./cleanAnswer.ts";
import type { Sides } from "./editPreview.ts";
import { limits } from "./limits.ts";
import type { EditAction, EditQuestion } from "./prompts.ts";
import type { TrackedRange } from "./trackedRange.ts";

/** A change that a model proposes for one place of a document; nothing of it is in the document until it is accepted. */
export interface Edit {
  readonly id: string;
  readonly action: EditAction;
  instruction: string;
  /** The document's name for people. */
  readonly name: string;
  readonly viewColumn: vscode.ViewColumn | undefined;
  document: vscode.TextDocument;
  /** Follows the document's changes. */
  range: TrackedRange;
  /** What stood in the range when the model was asked. */
  original: string;
  /** What the model has said so far. */
  answer: string;
  /** `partial`: the answer ended early; its whole lines stand before the rest of the original. */
  state: "writing" | "partial" | "whole";
  abort: AbortController;
}

export function rangeOf({ document, range }: Edit): vscode.Range {
  return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
}

/** The text that the edit would put in its place now. */
export function replacementOf({ answer, original, document, state, range }: Edit): string {
  const start = document.positionAt(range.start);
  const lead = document.lineAt(start).text.slice(0, start.character);
  const cleaned = cleanAnswer(answer, original, eolOf(document), lead);
  return state === "whole" ? cleaned : partialAnswer(cleaned, original);
}

/** The whole document as it is, and as it would be. */
export function sidesOf(edit: Edit): Sides {
  const before = edit.document.getText();
  const { start, end } = edit.range;
  return { before, after: before.slice(0, start) + replacementOf(edit) + before.slice(end) };
}

/** Whether the document still holds, at the same place, what the model was asked about. */
export function isInPlace({ document, range, original }: Edit): boolean {
  return document.getText().slice(range.start, range.end) === original;
}

export function questionOf(edit: Edit): EditQuestion {
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

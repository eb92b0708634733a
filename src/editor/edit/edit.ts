import * as vscode from "vscode";
import type { StagedChange } from "../../changes/engine/staged/stagedChange.ts";
import { lostByElision } from "../../shared/text/elision.ts";
import { losesParts } from "../../shared/text/losesParts.ts";
import { limits } from "../limits.ts";
import type { EditAction, EditQuestion } from "../target/prompts.ts";
import { cleanAnswer, partialAnswer } from "./text/cleanAnswer.ts";

/** A change that a model proposes for one range of a document. */
export interface ProposedEdit {
  readonly action: EditAction;
  /** True for text of a writer, which may lose parts that a program may not. */
  readonly isProse: boolean;
  instruction: string;
  /** Display name of the document. */
  readonly name: string;
  readonly document: vscode.TextDocument;
  /** The document is unchanged until the user accepts it. */
  readonly staged: StagedChange;
  /** The answer so far. */
  answer: string;
  /** `partial`: the answer ended early; its complete lines precede the rest of the original. */
  state: "writing" | "partial" | "whole";
  abort: AbortController;
}

/** The replacement text that the answer gives. */
export function replacementOf({ answer, document, state, staged }: ProposedEdit): string {
  const { original, lines } = staged;
  const lead = document.lineAt(lines.start).text.slice(0, lines.start.character);
  const cleaned = cleanAnswer(answer, original, eolOf(document), lead);
  return state === "whole" ? cleaned : partialAnswer(cleaned, original);
}

/**
 * A sentence if a text in place of the range deletes code that it does not mean to delete; else undefined. The user may
 * have asked for less code, but not by *Fix* or *Write Documentation*.
 */
export function lossIn(
  { action, isProse, document, staged }: ProposedEdit,
  text: string,
): string | undefined {
  const { original, lines } = staged;
  const elision = lostByElision(original, text, document.uri.path);
  if (elision)
    return `“${elision.text.slice(0, mostShown)}” in line ${lines.start.line + elision.line} stands for code that it deletes.`;
  const isLess = action !== "edit" && !isProse && losesParts(original.split(/\r?\n/), text.split(/\r?\n/));
  return isLess ? "It leaves out parts of the selected code, which it deletes." : undefined;
}

const mostShown = 60;

export function questionOf(edit: ProposedEdit): EditQuestion {
  const { document, instruction, name, staged } = edit;
  const { range, original } = staged;
  const text = staged.sides.before;
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
    problems: edit.action === "fix" ? problemsIn(document.uri, staged.lines) : [],
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

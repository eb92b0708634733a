import * as vscode from "vscode";
import { changeDocument } from "../../platform/editor/changeDocument.ts";
import { tickTour } from "../../platform/editor/tour.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { Hunk } from "../../shared/text/lineHunks.ts";
import {
  acceptanceOf,
  hunkAt,
  isInPlace,
  lossIn,
  type ProposedEdit,
  rangeOf,
  replacementOf,
  withoutHunk,
} from "./edit.ts";
import { agreesToLoss, agreesToPartial } from "./editDialogs.ts";
import type { OpenEdits } from "./openEdits.ts";

/** The user's decisions about the edit of the active diff. */
export interface EditReview {
  /** Applies the edit, if the document still has the text that was sent. */
  accept(): Promise<void>;
  reject(): Promise<void>;
  /** Accepts or rejects the hunk at the cursor; the diff stays open while there are others. */
  acceptHunk(): Promise<void>;
  rejectHunk(): Promise<void>;
}

const changedSince = "Nothing was replaced: the text changed after the request was sent.";

export function createEditReview(
  edits: OpenEdits,
  requestAgain: (edit: ProposedEdit) => Promise<void>,
): EditReview {
  const offerCopy = async (edit: ProposedEdit, reason: string): Promise<void> => {
    const choices = ["Copy Answer", "Ask Again"];
    const sentence = `${reason} You can still compare the answer in the diff.`;
    const chosen = await vscode.window.showWarningMessage(withoutLinks(sentence), ...choices);
    if (chosen === choices[0]) await vscode.env.clipboard.writeText(replacementOf(edit));
    if (chosen === choices[1]) await requestAgain(edit);
  };
  /** False, after a message, if the document has changed since the request. */
  const canApply = async (edit: ProposedEdit): Promise<boolean> => {
    // The document may have been closed meanwhile.
    edit.document = await vscode.workspace.openTextDocument(edit.document.uri);
    const isUnchanged = isInPlace(edit);
    if (!isUnchanged) void offerCopy(edit, changedSince);
    return isUnchanged;
  };
  /** False if the text leaves out code and the user does not want that, or has changed the document meanwhile. */
  const mayLose = async (edit: ProposedEdit, text: string): Promise<boolean> => {
    const loss = lossIn(edit, text);
    return loss === undefined || ((await agreesToLoss(loss)) && canApply(edit));
  };
  const acceptHunk = async (edit: ProposedEdit, hunk: Hunk): Promise<void> => {
    const { start } = edit.range;
    const { change, text } = acceptanceOf(edit, hunk);
    const isLast = text === replacementOf(edit);
    const options = { viewColumn: edit.viewColumn, takesFocus: isLast };
    if (!(await mayLose(edit, text))) return;
    if (!(await changeDocument(edit.document, [change], options)))
      return void offerCopy(edit, `${edit.name} can't be edited.`);
    tickTour("edited");
    edit.earlier.add(edit.original);
    edit.original = text;
    edit.range = { start, end: start + text.length };
    if (isLast) await edits.close(edit);
    else edits.preview.refresh(edit.id, true);
  };
  const rejectHunk = async (edit: ProposedEdit, hunk: Hunk): Promise<void> => {
    edit.proposed = withoutHunk(edit, hunk);
    if (edit.proposed !== edit.original) return edits.preview.refresh(edit.id, true);
    await edits.close(edit);
    void vscode.window.showInformationMessage("All changes of the edit were decided.");
  };
  const decideHunk = async (decide: (edit: ProposedEdit, hunk: Hunk) => Promise<void>): Promise<void> => {
    const edit = edits.active;
    if (!edit || edit.state === "writing" || !(await canApply(edit))) return;
    const { side, line } = edits.preview.cursor();
    const hunk = hunkAt(edit, side, line);
    if (hunk) await decide(edit, hunk);
  };
  return {
    async accept() {
      const edit = edits.active;
      if (!edit || edit.state === "writing") return;
      if (edit.state === "partial" && !(await agreesToPartial())) return;
      if (!(await canApply(edit))) return;
      if (edit.state === "whole" && !(await mayLose(edit, replacementOf(edit)))) return;
      const { document, viewColumn } = edit;
      const change = { range: rangeOf(edit), text: replacementOf(edit) };
      if (!(await changeDocument(document, [change], { viewColumn })))
        return void offerCopy(edit, `${edit.name} can't be edited.`);
      tickTour("edited");
      await edits.close(edit);
    },
    async reject() {
      if (edits.active) await edits.close(edits.active);
    },
    acceptHunk: () => decideHunk(acceptHunk),
    rejectHunk: () => decideHunk(rejectHunk),
  };
}

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { isApiError } from "../../api/errors.ts";
import { changeDocument } from "../../platform/changeDocument.ts";
import { tickTour } from "../../platform/tour.ts";
import { hasService, maySend, sayFailure } from "../../session/readiness.ts";
import { contexts } from "../../shared/ids.ts";
import type { Hunk } from "../../shared/lineHunks.ts";
import { formatUsed } from "../../shared/usageFormat.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import type { EditorDeps } from "./deps.ts";
import {
  acceptanceOf,
  hunkAt,
  isInPlace,
  type ProposedEdit,
  questionOf,
  rangeOf,
  replacementOf,
  sidesOf,
  withoutHunk,
} from "./edit.ts";
import { agreesToPartial, askInstruction, offerChat, refuseReadOnly, withStop } from "./editDialogs.ts";
import { createEditPreview } from "./editPreview.ts";
import { findTarget } from "./findTarget.ts";
import { refuseEdit, refuseWindow } from "./limits.ts";
import { type ChosenModel, chosenModel } from "./models.ts";
import { type EditAction, editInstructions, editQuestion, editRules } from "./prompts.ts";
import { type StreamedText, streamText } from "./streamText.ts";
import { shiftRange } from "./trackedRange.ts";

/** Edits that wait for their answer or for the user's decision. */
export interface EditController extends vscode.Disposable {
  /** Requests an edit of the selection. Resolves when the answer has ended. */
  start(action: EditAction, instruction?: unknown): Promise<void>;
  /** Applies the edit of the active diff, if the document still has the text that was sent. */
  accept(): Promise<void>;
  reject(): Promise<void>;
  /** Accepts or rejects the hunk at the cursor; the diff stays open while there are others. */
  acceptHunk(): Promise<void>;
  rejectHunk(): Promise<void>;
  /** Sends the request again with the current text; the user may change the instruction. */
  again(instruction?: unknown): Promise<void>;
  /** Aborts running requests; received text can still be reviewed. */
  stop(): void;
}

const decide = "Accept or reject it above the diff.";
const changedSince = "Nothing was replaced: the text changed after the request was sent.";
const titles: Readonly<Record<EditAction, string>> = { fix: "Fix", document: "Document", edit: "Edit" };

export function createEditController(deps: EditorDeps): EditController {
  const edits = new Map<string, ProposedEdit>();
  const preview = createEditPreview((id) => {
    const edit = edits.get(id);
    return edit && sidesOf(edit);
  });
  const subscriptions = vscode.Disposable.from(
    preview,
    preview.onDidClose((id) => forget(edits.get(id))),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      for (const edit of edits.values()) {
        if (edit.document.uri.toString() !== document.uri.toString()) continue;
        for (const change of contentChanges) edit.range = shiftRange(edit.range, change);
        if (contentChanges.length > 0) preview.refresh(edit.id, false);
      }
    }),
  );
  const forget = (edit: ProposedEdit | undefined) => {
    if (!edit) return;
    edits.delete(edit.id);
    edit.abort.abort();
    reportRunning();
  };
  const close = async (edit: ProposedEdit) => {
    forget(edit);
    await preview.close(edit.id);
  };
  const reportRunning = () => {
    const isRunning = [...edits.values()].some(({ state }) => state === "writing");
    void vscode.commands.executeCommand("setContext", contexts.editRunning, isRunning);
  };
  const active = () => edits.get(preview.active() ?? "");

  const run = async (edit: ProposedEdit): Promise<void> => {
    edit.abort.abort();
    const abort = new AbortController();
    Object.assign(edit, {
      abort,
      answer: "",
      proposed: undefined,
      state: "writing",
      original: edit.document.getText(rangeOf(edit)),
    });
    edit.earlier.clear();
    edits.set(edit.id, edit);
    reportRunning();
    try {
      const client = await deps.session.client();
      const model = await chosenModel(client, deps.chosenModels, abort.signal);
      const question = editQuestion(questionOf(edit));
      const refused = refuseWindow(model, question.length, edit.original.length);
      if (refused) {
        await close(edit);
        return void vscode.window.showWarningMessage(withoutLinks(refused));
      }
      await preview.show({
        id: edit.id,
        document: edit.document,
        title: `${edit.name}: ${titles[edit.action]}`,
        at: rangeOf(edit).start,
        viewColumn: edit.viewColumn,
      });
      const { signal } = abort;
      const streamed = await withStop(
        `${model.name} writes: ${titles[edit.action]}, ${edit.name}`,
        abort,
        (say) =>
          streamText(client, {
            model,
            rules: editRules,
            question,
            signal,
            onText(text) {
              edit.answer = text;
              say(`${text.split("\n").length} lines`);
              preview.refresh(edit.id, false);
            },
          }),
      );
      if (edit.abort === abort && edits.has(edit.id)) await finish(edit, model, streamed);
    } catch (error) {
      // A new request or a closed tab makes this failure irrelevant.
      if (edit.abort === abort && edits.has(edit.id)) await fail(edit, error);
    }
  };
  const finish = async (edit: ProposedEdit, { name }: ChosenModel, { text, end, used }: StreamedText) => {
    edit.answer = text;
    edit.state = end === "done" ? "whole" : "partial";
    edit.proposed = replacementOf(edit);
    reportRunning();
    const facts = used ? ` ${formatUsed(used)}.` : "";
    if (edit.proposed === edit.original) {
      await close(edit);
      return void vscode.window.showInformationMessage(withoutLinks(`${name} proposes no change.${facts}`));
    }
    preview.refresh(edit.id, true);
    const isCut = end === "cut";
    const what = isCut ? "is incomplete: the rest of the original follows it" : "is ready";
    // Without buttons: the message may be visible longer than the diff.
    const message = withoutLinks(`${titles[edit.action]} by ${name} ${what}.${facts} ${decide}`);
    if (isCut) void vscode.window.showWarningMessage(message);
    else void vscode.window.showInformationMessage(message);
  };
  const fail = async (edit: ProposedEdit, error: unknown) => {
    edit.state = "partial";
    edit.proposed = replacementOf(edit);
    reportRunning();
    const isEmpty = edit.proposed === edit.original;
    if (isEmpty) await close(edit);
    else preview.refresh(edit.id, true);
    if (!isApiError(error) || error.kind !== "cancelled") return sayFailure(deps, error, () => run(edit));
    const stopped = `${titles[edit.action]} was stopped`;
    const message = isEmpty
      ? `${stopped} before the first line arrived.`
      : `${stopped}: the edit is partial. The received lines precede the rest of the original. ${decide}`;
    void vscode.window.showWarningMessage(withoutLinks(message));
  };
  const acceptHunk = async (edit: ProposedEdit, hunk: Hunk) => {
    const { start } = edit.range;
    const { change, text } = acceptanceOf(edit, hunk);
    const isLast = text === replacementOf(edit);
    const options = { viewColumn: edit.viewColumn, takesFocus: isLast };
    if (!(await changeDocument(edit.document, [change], options)))
      return void offerCopy(edit, `${edit.name} can't be edited.`);
    tickTour("edited");
    edit.earlier.add(edit.original);
    edit.original = text;
    edit.range = { start, end: start + text.length };
    if (isLast) await close(edit);
    else preview.refresh(edit.id, true);
  };
  const rejectHunk = async (edit: ProposedEdit, hunk: Hunk) => {
    edit.proposed = withoutHunk(edit, hunk);
    if (edit.proposed !== edit.original) return preview.refresh(edit.id, true);
    await close(edit);
    void vscode.window.showInformationMessage("All changes of the edit were decided.");
  };
  const decideHunk = async (on: (edit: ProposedEdit, hunk: Hunk) => Promise<void>) => {
    const edit = active();
    if (!edit || edit.state === "writing") return;
    // The document may have been closed meanwhile.
    edit.document = await vscode.workspace.openTextDocument(edit.document.uri);
    if (!isInPlace(edit)) return void offerCopy(edit, changedSince);
    const { side, line } = preview.cursor();
    const hunk = hunkAt(edit, side, line);
    if (hunk) await on(edit, hunk);
  };
  const accept = async (edit: ProposedEdit) => {
    if (edit.state === "writing") return;
    if (edit.state === "partial" && !(await agreesToPartial())) return;
    // The document may have been closed meanwhile.
    edit.document = await vscode.workspace.openTextDocument(edit.document.uri);
    if (!isInPlace(edit)) return void offerCopy(edit, changedSince);
    const { document, viewColumn } = edit;
    const change = { range: rangeOf(edit), text: replacementOf(edit) };
    if (!(await changeDocument(document, [change], { viewColumn })))
      return void offerCopy(edit, `${edit.name} can't be edited.`);
    tickTour("edited");
    await close(edit);
  };
  const offerCopy = async (edit: ProposedEdit, reason: string) => {
    const choices = ["Copy Answer", "Ask Again"];
    const chosen = await vscode.window.showWarningMessage(
      withoutLinks(`${reason} You can still compare the answer in the diff.`),
      ...choices,
    );
    if (chosen === choices[0]) await vscode.env.clipboard.writeText(replacementOf(edit));
    if (chosen === choices[1]) await run(edit);
  };

  return {
    async start(action, given) {
      const target = await findTarget();
      if (typeof target === "string") return void vscode.window.showInformationMessage(withoutLinks(target));
      const { document, range, name } = target;
      const text = document.getText(range);
      if (action !== "edit" && text.trim() === "")
        return void vscode.window.showInformationMessage("There is no text at the cursor.");
      const refused = refuseReadOnly(document, name) ?? refuseEdit(text.length);
      if (refused) return void offerChat(refused);
      const edit: ProposedEdit = {
        id: randomUUID(),
        action,
        instruction: action === "edit" ? "" : editInstructions[action],
        name,
        viewColumn: vscode.window.activeTextEditor?.viewColumn,
        document,
        range: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
        original: text,
        earlier: new Set(),
        answer: "",
        proposed: undefined,
        state: "partial",
        abort: new AbortController(),
      };
      // From here on the range follows the document, also while the instruction is typed.
      edits.set(edit.id, edit);
      if (action === "edit") edit.instruction = (await askInstruction(given, "")) ?? "";
      if (edit.instruction !== "" && (await hasService(deps)) && (await maySend(name))) await run(edit);
      else forget(edit);
    },
    async accept() {
      const edit = active();
      if (edit) await accept(edit);
    },
    async reject() {
      const edit = active();
      if (edit) await close(edit);
    },
    acceptHunk: () => decideHunk(acceptHunk),
    rejectHunk: () => decideHunk(rejectHunk),
    async again(given) {
      const edit = active();
      const instruction = edit && (await askInstruction(given, edit.instruction));
      // The diff may have been closed while the instruction was typed.
      if (!edit || instruction === undefined || !edits.has(edit.id)) return;
      edit.instruction = instruction;
      await run(edit);
    },
    stop() {
      for (const edit of edits.values()) if (edit.state === "writing") edit.abort.abort();
    },
    dispose() {
      for (const edit of edits.values()) edit.abort.abort();
      edits.clear();
      subscriptions.dispose();
    },
  };
}

import * as vscode from "vscode";
import { isCancelled } from "../../api/errors/errors.ts";
import { type ChosenModel, requestedModel } from "../../session/requestModel.ts";
import { sayFailure } from "../../session/sandbox/readiness.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import type { EditorParts } from "../deps.ts";
import { refuseWindow } from "../limits.ts";
import { type EditAction, editQuestion, editRules, proseRules } from "../target/prompts.ts";
import { formatUsed } from "../usageFormat.ts";
import { lossIn, type ProposedEdit, questionOf, replacementOf } from "./edit.ts";
import { withStop } from "./editDialogs.ts";
import type { OpenEdits } from "./openEdits.ts";
import { type StreamedText, streamText } from "./text/streamText.ts";

export const editTitles: Readonly<Record<EditAction, string>> = {
  fix: "Fix",
  document: "Documentation",
  edit: "Edit",
  rewrite: "Rewriting",
  shorten: "Shortening",
  proofread: "Proofreading",
  translate: "Translation",
  summarize: "Summary",
};
const nextStep = "Accept or reject it above the diff.";

/** Requests an edit and streams it into its diff; an earlier request for it is aborted. Shows failures. */
export async function requestEdit(deps: EditorParts, edits: OpenEdits, edit: ProposedEdit): Promise<void> {
  const abort = restart(edit);
  edits.add(edit);
  edits.updateContext();
  // A new request or a closed tab makes the result irrelevant.
  const isCurrent = () => edit.abort === abort && edits.has(edit);
  try {
    const client = await deps.session.client({ kind: "editor", resource: edit.document.uri.toString() });
    const model = await requestedModel(client, deps.chosenModels, abort.signal);
    const question = editQuestion(questionOf(edit));
    const refused = refuseWindow(model, question.length, edit.staged.original.length);
    if (refused) {
      edits.close(edit);
      return void vscode.window.showWarningMessage(withoutLinks(refused));
    }
    await edits.show(edit);
    const { signal } = abort;
    const title = `${model.name} writes: ${editTitles[edit.action]}, ${edit.name}`;
    const streamed = await withStop(title, abort, (onProgress) =>
      streamText(client, {
        model,
        rules: edit.isProse ? proseRules : editRules,
        question,
        cacheKey: deps.cacheKeys.of(client.connection.id, "edit", edit.document.uri.toString()),
        signal,
        onText(text) {
          edit.answer = text;
          onProgress(`${text.split("\n").length} lines`);
          edit.staged.propose(() => replacementOf(edit));
          edits.refresh(edit);
        },
      }),
    );
    if (isCurrent()) await finish(edits, edit, model, streamed);
  } catch (error) {
    if (isCurrent()) await fail(deps, edits, edit, error);
  }
}

function restart(edit: ProposedEdit): AbortController {
  edit.abort.abort();
  const abort = new AbortController();
  Object.assign(edit, { abort, answer: "", state: "writing" });
  edit.staged.restart();
  return abort;
}

async function finish(
  edits: OpenEdits,
  edit: ProposedEdit,
  { name }: ChosenModel,
  { text, end, used }: StreamedText,
): Promise<void> {
  edit.answer = text;
  edit.state = end === "done" ? "whole" : "partial";
  const isSame = endEdit(edits, edit);
  const facts = used ? ` ${formatUsed(used)}.` : "";
  if (isSame)
    return void vscode.window.showInformationMessage(withoutLinks(`${name} proposes no change.${facts}`));
  const isCut = end === "cut";
  const loss = isCut ? undefined : lossIn(edit, edit.staged.text);
  const result = isCut
    ? "is incomplete: the rest of the original follows it."
    : loss === undefined
      ? "is ready."
      : `leaves out code. ${loss}`;
  // Without buttons: the message may be visible longer than the diff.
  const message = withoutLinks(`${editTitles[edit.action]} by ${name} ${result}${facts} ${nextStep}`);
  if (isCut || loss !== undefined) void vscode.window.showWarningMessage(message);
  else void vscode.window.showInformationMessage(message);
}

async function fail(deps: EditorParts, edits: OpenEdits, edit: ProposedEdit, error: unknown): Promise<void> {
  edit.state = "partial";
  const isEmpty = endEdit(edits, edit);
  if (!isCancelled(error)) return sayFailure(deps, error, () => requestEdit(deps, edits, edit));
  const stopped = `${editTitles[edit.action]} was stopped`;
  const message = isEmpty
    ? `${stopped} before the first line arrived.`
    : `${stopped}: the edit is partial. The received lines precede the rest of the original. ${nextStep}`;
  void vscode.window.showWarningMessage(withoutLinks(message));
}

/** Hands an answer that has ended to the review. True, with the edit closed, if it proposes no change. */
function endEdit(edits: OpenEdits, edit: ProposedEdit): boolean {
  const { staged } = edit;
  staged.propose(replacementOf(edit));
  staged.isReady = true;
  edits.updateContext();
  const { isSame } = staged;
  if (isSame) edits.close(edit);
  else edits.refresh(edit);
  return isSame;
}

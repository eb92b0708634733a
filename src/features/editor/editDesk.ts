import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { isApiError } from "../../api/errors.ts";
import { changeDocument } from "../../platform/changeDocument.ts";
import { hasService, maySend, sayFailure } from "../../session/readiness.ts";
import { commands, contexts } from "../../shared/ids.ts";
import { formatUsed } from "../../shared/usageFormat.ts";
import { withoutLinks } from "../../shared/withoutLinks.ts";
import { type Edit, isInPlace, questionOf, rangeOf, replacementOf, sidesOf } from "./edit.ts";
import { createEditPreview } from "./editPreview.ts";
import { findTarget } from "./findTarget.ts";
import { refuseEdit, refuseWindow } from "./limits.ts";
import { type ChosenModel, chosenModel } from "./models.ts";
import { type EditAction, editInstructions, editQuestion, editRules } from "./prompts.ts";
import type { EditorDeps } from "./register.ts";
import { type StreamedText, streamText } from "./streamText.ts";
import { shiftRange } from "./trackedRange.ts";

/** Edits that wait for their answer, or for the user's. */
export interface EditDesk extends vscode.Disposable {
  /** Asks for an edit of what is selected. Resolves once the answer has ended. */
  start(action: EditAction, instruction?: unknown): Promise<void>;
  /** Puts the edit whose diff is in front in its place, if that still is what the model was asked about. */
  accept(): Promise<void>;
  reject(): Promise<void>;
  /** Asks once more, about the text as it is now. */
  again(): Promise<void>;
  /** Ends the answers under way; what has come stays to be looked at. */
  stop(): void;
}

const titles: Readonly<Record<EditAction, string>> = { fix: "Fix", document: "Document", edit: "Edit" };

export function createEditDesk(deps: EditorDeps): EditDesk {
  const edits = new Map<string, Edit>();
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
  const forget = (edit: Edit | undefined) => {
    if (!edit) return;
    edits.delete(edit.id);
    edit.abort.abort();
    tellRunning();
  };
  const close = async (edit: Edit) => {
    forget(edit);
    await preview.close(edit.id);
  };
  const tellRunning = () => {
    const isRunning = [...edits.values()].some(({ state }) => state === "writing");
    void vscode.commands.executeCommand("setContext", contexts.editRunning, isRunning);
  };
  const active = () => edits.get(preview.active() ?? "");

  const run = async (edit: Edit): Promise<void> => {
    edit.abort.abort();
    const abort = new AbortController();
    Object.assign(edit, {
      abort,
      answer: "",
      state: "writing",
      original: edit.document.getText(rangeOf(edit)),
    });
    edits.set(edit.id, edit);
    tellRunning();
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
      // Whoever asked again, or closed the tab, has done with this answer.
      if (edit.abort === abort && edits.has(edit.id)) await fail(edit, error);
    }
  };
  const finish = async (edit: Edit, { name }: ChosenModel, { text, end, used }: StreamedText) => {
    edit.answer = text;
    edit.state = end === "done" ? "whole" : "partial";
    tellRunning();
    const facts = used ? ` ${formatUsed(used)}.` : "";
    if (replacementOf(edit) === edit.original) {
      await close(edit);
      return void vscode.window.showInformationMessage(
        withoutLinks(`${name} left the text as it is.${facts}`),
      );
    }
    preview.refresh(edit.id, true);
    const cut = end === "cut" ? " The answer broke off: the rest of the original follows it." : "";
    void offer(edit, `${titles[edit.action]} by ${name} is ready.${cut}${facts}`);
  };
  const fail = async (edit: Edit, error: unknown) => {
    edit.state = "partial";
    tellRunning();
    if (replacementOf(edit) === edit.original) await close(edit);
    else preview.refresh(edit.id, true);
    if (isApiError(error) && error.kind === "cancelled") return;
    sayFailure(deps, error, () => run(edit));
  };
  const offer = async (edit: Edit, message: string) => {
    const choices = { Accept: () => accept(edit), Reject: () => close(edit), Again: () => run(edit) };
    const chosen = await vscode.window.showInformationMessage(withoutLinks(message), ...Object.keys(choices));
    // The message may outlive what it is about.
    if (chosen && !edits.has(edit.id))
      return void vscode.window.showInformationMessage("That edit has been accepted or rejected already.");
    if (chosen) await choices[chosen as keyof typeof choices]();
  };
  const accept = async (edit: Edit) => {
    if (edit.state === "writing") return;
    // The one that was asked about may have been closed meanwhile.
    edit.document = await vscode.workspace.openTextDocument(edit.document.uri);
    if (!isInPlace(edit))
      return void offerCopy(edit, "The text changed after the model was asked, so nothing is replaced.");
    const { document, viewColumn } = edit;
    const change = { range: rangeOf(edit), text: replacementOf(edit) };
    if (!(await changeDocument(document, [change], { viewColumn })))
      return void offerCopy(edit, `${edit.name} can't be changed here.`);
    await close(edit);
  };
  const offerCopy = async (edit: Edit, reason: string) => {
    const choices = ["Copy Answer", "Ask Again"];
    const chosen = await vscode.window.showWarningMessage(
      withoutLinks(`${reason} The answer stays here to be compared.`),
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
      const edit: Edit = {
        id: randomUUID(),
        action,
        instruction: action === "edit" ? "" : editInstructions[action],
        name,
        viewColumn: vscode.window.activeTextEditor?.viewColumn,
        document,
        range: { start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
        original: text,
        answer: "",
        state: "partial",
        abort: new AbortController(),
      };
      // From here on its range follows the document, also while the instruction is typed.
      edits.set(edit.id, edit);
      if (action === "edit") edit.instruction = (await askInstruction(given)) ?? "";
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
    async again() {
      const edit = active();
      if (edit) await run(edit);
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

/** Works under a message whose Cancel fires the signal. */
function withStop<Result>(
  title: string,
  abort: AbortController,
  work: (say: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: withoutLinks(title),
  };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => abort.abort());
      return work((message) => progress.report({ message }));
    }),
  );
}

async function askInstruction(given: unknown): Promise<string | undefined> {
  if (typeof given === "string" && given.trim() !== "") return given;
  const typed = await vscode.window.showInputBox({
    title: "Edit with Inference",
    prompt: "What should become of the selected text? You see the change before it is made.",
    placeHolder: "Make it async, and say in a comment why",
    ignoreFocusOut: true,
  });
  return typed?.trim() === "" ? undefined : typed;
}

function refuseReadOnly({ uri }: vscode.TextDocument, name: string): string | undefined {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false) return undefined;
  return `${name} is read-only here. Ask about it in the chat instead.`;
}

async function offerChat(refused: string): Promise<void> {
  const ask = "Ask in Chat";
  if ((await vscode.window.showWarningMessage(withoutLinks(refused), ask)) === ask)
    await vscode.commands.executeCommand(commands.editorAsk);
}

import * as vscode from "vscode";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { commands } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";

/** Runs work with a progress notification whose Cancel button aborts the signal. */
export function withStop<Result>(
  title: string,
  abort: AbortController,
  work: (onProgress: (message: string) => void) => Promise<Result>,
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

/** Asks before a partial edit is accepted. */
export async function agreesToPartial(): Promise<boolean> {
  const yes = "Accept Partial Edit";
  const detail = "The answer ended early: its complete lines precede the rest of the original.";
  return (await warnModally("This edit is partial. Accept it?", { detail }, yes)) === yes;
}

/** Asks before an edit is accepted that leaves out code; `loss` is a sentence about it. */
export async function agreesToLoss(loss: string): Promise<boolean> {
  const yes = "Accept and Delete It";
  const detail = `${loss} Ask again to get all of the code.`;
  return (await warnModally("This edit leaves out code. Accept it?", { detail }, yes)) === yes;
}

/** What a question before a request names: the marked text, and whether it is prose. */
export interface Marked {
  /** `lines 3 to 7 of notes.md`. */
  readonly where: string;
  readonly isProse: boolean;
}

export async function askInstruction(
  given: unknown,
  earlier: string,
  { where, isProse }: Marked,
): Promise<string | undefined> {
  if (typeof given === "string" && given.trim() !== "") return given;
  const typed = await vscode.window.showInputBox({
    title: earlier === "" ? "Edit with Inference" : "Ask for the Edit Again",
    value: earlier,
    prompt: `Describe the change of ${where}. You review it before it is applied.`,
    placeHolder: isProse
      ? "Make it friendlier, and say the date first"
      : "Make it async and explain why in a comment",
    ignoreFocusOut: true,
  });
  return typed?.trim() === "" ? undefined : typed;
}

const languages = [
  "English",
  "Arabic",
  "Chinese (simplified)",
  "Chinese (traditional)",
  "Dutch",
  "French",
  "German",
  "Hindi",
  "Italian",
  "Japanese",
  "Korean",
  "Polish",
  "Portuguese",
  "Spanish",
  "Turkish",
  "Ukrainian",
];

/** The language of a translation; undefined if the user gave none. */
export async function askLanguage(given: unknown, { where }: Marked): Promise<string | undefined> {
  if (typeof given === "string" && given.trim() !== "") return given.trim();
  const other = "Another Language…";
  const chosen = await vscode.window.showQuickPick([...languages, other], {
    title: "Translate with Inference",
    placeHolder: `Translate ${where} into …`,
    ignoreFocusOut: true,
  });
  if (chosen !== other) return chosen;
  const typed = await vscode.window.showInputBox({
    title: "Translate with Inference",
    prompt: `Translate ${where} into this language; name the variant if it matters.`,
    placeHolder: "Swiss German, informal",
    ignoreFocusOut: true,
  });
  return typed?.trim() || undefined;
}

export function refuseReadOnly({ uri }: vscode.TextDocument, name: string): string | undefined {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false) return undefined;
  return `${name} is read-only. Ask about it in the chat instead.`;
}

export async function offerChat(refused: string): Promise<void> {
  const ask = "Ask in Chat";
  if ((await vscode.window.showWarningMessage(withoutLinks(refused), ask)) === ask)
    await vscode.commands.executeCommand(commands.editorAsk);
}

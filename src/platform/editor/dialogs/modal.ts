import * as vscode from "vscode";
import { visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";

export interface ModalText {
  /** Text below the question, with several lines if needed. */
  readonly detail?: string;
}

/**
 * Modal dialogs. Quoted text is shown in full, with hidden characters made visible. Only this module opens modal
 * dialogs.
 */
export function warnModally(
  message: string,
  { detail }: ModalText,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(visibleLine(message), modal(detail), ...buttons);
}

export function askModally(
  message: string,
  { detail }: ModalText,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(visibleLine(message), modal(detail), ...buttons);
}

export interface ConsentButtons {
  readonly yes: string;
  /** Takes the place of the editor's "Cancel". Escape means it, too. */
  readonly no: string;
}

const copyDetails = "Copy Details";

/**
 * Asks for consent to an effect that can't be undone; true for yes. The first button has the focus and copies the question,
 * which is asked again: who types elsewhere when it appears may press Enter any number of times.
 */
export async function consentModally(
  message: string,
  { detail }: ModalText,
  { yes, no }: ConsentButtons,
): Promise<boolean> {
  const question = visibleLine(message);
  const options = modal(detail);
  const items: readonly vscode.MessageItem[] = [
    { title: copyDetails },
    { title: yes },
    { title: no, isCloseAffordance: true },
  ];
  for (;;) {
    const answer = await vscode.window.showWarningMessage(question, options, ...items);
    if (answer?.title !== copyDetails) return answer?.title === yes;
    const text = options.detail === undefined ? question : `${question}\n\n${options.detail}`;
    // The question stands, whether the clipboard takes the text or not.
    await vscode.env.clipboard.writeText(text).then(undefined, () => undefined);
  }
}

function modal(detail: string | undefined): vscode.MessageOptions {
  return { modal: true, ...(detail === undefined ? {} : { detail: visibleText(detail) }) };
}

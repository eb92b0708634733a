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

function modal(detail: string | undefined): vscode.MessageOptions {
  return { modal: true, ...(detail === undefined ? {} : { detail: visibleText(detail) }) };
}

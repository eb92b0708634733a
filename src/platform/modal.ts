import * as vscode from "vscode";
import { visibleLine, visibleText } from "../shared/visibleText.ts";

export interface ModalText {
  /** Below the question, in several lines where need be. */
  readonly detail?: string;
}

/**
 * Dialogs that stand before everything else until a person has decided. Whatever they quote is shown to its last
 * character; nothing else in this extension opens one.
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

import type * as vscode from "vscode";
import type { ChosenModels } from "../../session/chosenModels.ts";
import type { Handoff } from "../../session/handoff.ts";
import type { Session } from "../../session/session.ts";

export interface ChatDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Where conversations last, whichever folder is open. */
  readonly globalStorageUri: vscode.Uri;
  readonly chosenModels: ChosenModels;
  /** What other features have for the chat. */
  readonly handoff: Handoff;
  /** Remembers favourites. */
  readonly globalState: vscode.Memento;
  /** Remembers which conversation this window shows. */
  readonly workspaceState: vscode.Memento;
}

import type * as vscode from "vscode";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Handoff } from "../session/connection/handoff.ts";
import type { Session } from "../session/session.ts";

export interface EditorDeps {
  readonly session: Session;
  readonly chosenModels: ChosenModels;
  readonly handoff: Handoff;
  readonly log: vscode.LogOutputChannel;
}

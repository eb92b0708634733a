import type * as vscode from "vscode";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Connections } from "../session/connection/connections.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { Session } from "../session/session.ts";

export interface LanguageModelsDeps {
  readonly session: Session;
  readonly connections: Connections;
  readonly chosenModels: ChosenModels;
  readonly consents: Consents;
  /** Stores the salt of the cache keys. */
  readonly globalState: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

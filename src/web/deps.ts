import type * as vscode from "vscode";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Handoff } from "../session/connection/handoff.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { RecentResults } from "../session/recentResults.ts";
import type { Session } from "../session/session.ts";

export interface AugmentDeps {
  readonly session: Session;
  readonly handoff: Handoff;
  /** The results of other features, for the list of recent results. */
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  /** The folder of the stored results. */
  readonly globalStorageUri: vscode.Uri;
  readonly consents: Consents;
  /** Remembers how sources were cited. */
  readonly globalState: vscode.Memento;
  /** The model that answers questions about pages. */
  readonly chosenModels: ChosenModels;
}

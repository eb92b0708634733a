import type * as vscode from "vscode";
import type { Consents } from "../../session/consent/consents.ts";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface SpeechDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Sounds are stored here. */
  readonly globalStorageUri: vscode.Uri;
  /** Stores voices and choices. */
  readonly globalState: vscode.Memento;
  readonly consents: Consents;
}

import type * as vscode from "vscode";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface SpeechDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Sounds are stored here. */
  readonly globalStorageUri: vscode.Uri;
  /** Stores voices, choices, and which prices were confirmed. */
  readonly globalState: vscode.Memento;
}

import type * as vscode from "vscode";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface SpeechDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Where sounds last. */
  readonly globalStorageUri: vscode.Uri;
  /** Remembers voices, choices, and which prices were told. */
  readonly globalState: vscode.Memento;
}

import type * as vscode from "vscode";
import type { Handoff } from "../../session/handoff.ts";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface AugmentDeps {
  readonly session: Session;
  readonly handoff: Handoff;
  /** What other features keep, for the list of all. */
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  /** Where results last. */
  readonly globalStorageUri: vscode.Uri;
  /** Remembers which prices were told. */
  readonly globalState: vscode.Memento;
}

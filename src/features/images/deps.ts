import type * as vscode from "vscode";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface ImagesDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Where thumbnails last. */
  readonly globalStorageUri: vscode.Uri;
  /** Where the pictures last that are to be edited; a window without a folder has no such place of its own. */
  readonly storageUri: vscode.Uri | undefined;
  /** Remembers which prices were told. */
  readonly globalState: vscode.Memento;
  /** Remembers the folder of the pictures, and what was set in the studio. */
  readonly workspaceState: vscode.Memento;
}

import type * as vscode from "vscode";
import type { Consents } from "../../session/consent/consents.ts";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";

export interface ImagesDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Thumbnails are stored here. */
  readonly globalStorageUri: vscode.Uri;
  /** Pictures to edit are stored here; undefined in a window without a folder. */
  readonly storageUri: vscode.Uri | undefined;
  readonly consents: Consents;
  /** Stores the folder of the pictures, and the settings of the studio. */
  readonly workspaceState: vscode.Memento;
}

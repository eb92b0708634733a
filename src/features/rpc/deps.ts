import type * as vscode from "vscode";
import type { Session } from "../../session/session.ts";

/** The state that the RPC notebook shares with the other features. */
export interface RpcDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** The last runs of cells are kept there. */
  readonly globalStorageUri: vscode.Uri;
  /** The tally of an earlier version is removed from there. */
  readonly globalState: vscode.Memento;
}

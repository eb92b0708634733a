import type * as vscode from "vscode";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";

/** The state that the RPC notebook shares with the other features. */
export interface RpcDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Past runs of cells are stored in it. */
  readonly globalStorageUri: vscode.Uri;
  /** The credit counter of an earlier version is removed from it. */
  readonly globalState: vscode.Memento;
  readonly consents: Consents;
  /** The environment that was chosen for this workspace. */
  readonly workspaceState: vscode.Memento;
}

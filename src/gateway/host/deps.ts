import type * as vscode from "vscode";
import type { Handoff } from "../../session/connection/handoff.ts";
import type { Session } from "../../session/session.ts";

export interface GatewayHostDeps {
  readonly session: Session;
  /** Passes the choice of an agent to the chat. */
  readonly handoff: Handoff;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly extensionVersion: string;
  readonly globalStorageUri: vscode.Uri;
}

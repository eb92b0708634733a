import type * as vscode from "vscode";
import type { Session } from "../../session/session.ts";

export interface GatewayHostDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly extensionVersion: string;
  readonly globalStorageUri: vscode.Uri;
}

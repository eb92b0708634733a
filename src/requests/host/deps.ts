import type * as vscode from "vscode";
import type { Connections } from "../../session/connection/connections.ts";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";

export interface RequestsDeps {
  readonly session: Session;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly extensionVersion: string;
  /** The folder of the log. */
  readonly globalStorageUri: vscode.Uri;
  readonly consents: Consents;
}

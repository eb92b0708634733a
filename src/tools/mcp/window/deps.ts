import type * as vscode from "vscode";
import type { Session } from "../../../session/session.ts";
import type { DescribeWrite } from "../../chainTool.ts";

export interface McpDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  /** Stores approved prices for all windows. */
  readonly globalState: vscode.Memento;
  readonly describeWrite: DescribeWrite;
  readonly extensionVersion: string;
}

import type * as vscode from "vscode";
import type { Consents } from "../../../session/consent/consents.ts";
import type { Session } from "../../../session/session.ts";
import type { DescribeWrite } from "../../chainTool.ts";

export interface McpDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  readonly consents: Consents;
  readonly describeWrite: DescribeWrite;
  readonly extensionVersion: string;
}

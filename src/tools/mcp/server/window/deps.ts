import type * as vscode from "vscode";
import type { Consents } from "../../../../session/consent/consents.ts";
import type { Session } from "../../../../session/session.ts";
import type { ChainHelp } from "../../../chain/chainHelp.ts";
import type { DescribeWrite } from "../../../chainTool.ts";

export interface McpDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  readonly consents: Consents;
  readonly describeWrite: DescribeWrite;
  readonly chain: ChainHelp;
  readonly extensionVersion: string;
}

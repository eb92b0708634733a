import type * as vscode from "vscode";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";
import type { ChainHelp } from "../chain/chainHelp.ts";
import type { DescribeWrite } from "../chainTool.ts";

export interface ModelToolsDeps {
  readonly session: Session;
  readonly consents: Consents;
  readonly globalStorageUri: vscode.Uri;
  readonly describeWrite: DescribeWrite;
  readonly chain: ChainHelp;
  readonly log: vscode.LogOutputChannel;
}

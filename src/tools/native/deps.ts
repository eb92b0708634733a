import type * as vscode from "vscode";
import type { Session } from "../../session/session.ts";
import type { DescribeWrite } from "../chainTool.ts";

export interface ModelToolsDeps {
  readonly session: Session;
  /** Stores approved prices. */
  readonly globalState: vscode.Memento;
  readonly globalStorageUri: vscode.Uri;
  readonly describeWrite: DescribeWrite;
  readonly log: vscode.LogOutputChannel;
}

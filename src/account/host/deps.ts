import type * as vscode from "vscode";
import type { Keys } from "../../platform/keys.ts";
import type { Lazy } from "../../platform/lazy.ts";
import type { CompletionCounts } from "../../session/completionCounts.ts";
import type { Connections } from "../../session/connection/connections.ts";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";
import type { AccountNode } from "./tree/treeNode.ts";

export interface AccountDeps {
  readonly session: Session;
  readonly consents: Consents;
  readonly connections: Connections;
  readonly keys: Keys;
  readonly counts: Lazy<CompletionCounts>;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Folder of closed days of usage. */
  readonly globalStorageUri: vscode.Uri;
  /** Stores ids of created keys, and the connection that reads each account. */
  readonly globalState: vscode.Memento;
}

export type AccountViewName = "keys" | "usage" | "limits";

export type AccountTrees = Readonly<Record<AccountViewName, vscode.TreeView<AccountNode>>>;

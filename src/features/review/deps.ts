import type * as vscode from "vscode";
import type { LazyChanges } from "../../session/changes/lazyChanges.ts";

export interface ReviewDeps {
  readonly changes: LazyChanges;
  readonly log: vscode.LogOutputChannel;
}

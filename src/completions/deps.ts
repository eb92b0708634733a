import type * as vscode from "vscode";
import type { CompletionCounts } from "../session/completionCounts.ts";
import type { Session } from "../session/session.ts";
import type { CompletionConsents } from "./limits/consents.ts";

export interface CompletionsDeps {
  readonly session: Session;
  readonly consents: CompletionConsents;
  readonly counts: CompletionCounts;
  readonly log: vscode.LogOutputChannel;
}

import type * as vscode from "vscode";
import type { LazyChanges } from "../../changes/engine/lazyChanges.ts";
import type { ReviewFeature } from "../../changes/review/reviewFeature.ts";
import type { Lazy } from "../../platform/lazy.ts";
import type { ChosenModels } from "../../session/chosenModels.ts";
import type { Handoff } from "../../session/connection/handoff.ts";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";
import type { ChainHelp } from "../../tools/chain/chainHelp.ts";

export interface ChatDeps {
  readonly session: Session;
  /** Changes of files by the model. */
  readonly changes: LazyChanges;
  /** Shows the code of answers before it is written. */
  readonly review: Lazy<ReviewFeature>;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Conversations are stored here, independent of the open folder. */
  readonly globalStorageUri: vscode.Uri;
  readonly chosenModels: ChosenModels;
  /** Receives the questions of other features. */
  readonly handoff: Handoff;
  /** Stores favourites. */
  readonly globalState: vscode.Memento;
  /** Stores the id of the conversation that this window shows. */
  readonly workspaceState: vscode.Memento;
  readonly consents: Consents;
  readonly chain: ChainHelp;
  /** Keeps the inputs of MCP servers. */
  readonly secrets: vscode.SecretStorage;
  readonly extensionVersion: string;
}

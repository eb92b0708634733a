import type * as vscode from "vscode";
import type { ReviewFeature } from "../changes/review/reviewFeature.ts";
import type { Lazy } from "../platform/lazy.ts";
import type { CacheKeys } from "../session/cacheKeys.ts";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Handoff } from "../session/connection/handoff.ts";
import type { Session } from "../session/session.ts";

export interface EditorDeps {
  readonly session: Session;
  readonly chosenModels: ChosenModels;
  readonly handoff: Handoff;
  /** Shows edits before they are written. */
  readonly review: Lazy<ReviewFeature>;
  readonly log: vscode.LogOutputChannel;
}

/** What the parts of the feature share. */
export interface EditorParts extends EditorDeps {
  /** Their salt lives as long as the window, which is longer than the cache of a service. */
  readonly cacheKeys: CacheKeys;
}

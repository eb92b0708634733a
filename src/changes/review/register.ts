import * as vscode from "vscode";
import { registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { commands } from "../../shared/ids.ts";
import type { LazyChanges } from "../engine/lazyChanges.ts";

interface ReviewDeps {
  readonly changes: LazyChanges;
  readonly log: vscode.LogOutputChannel;
}

/** Registers the review of changes that agents made. It is loaded with the changes, or by the first command. */
export function registerReview({ changes, log }: ReviewDeps): vscode.Disposable {
  const feature = new Lazy(async () => {
    const [{ createReviewFeature }, pending] = await Promise.all([
      import("./reviewFeature.ts"),
      changes.load(),
    ]);
    return createReviewFeature(pending, log);
  });
  const start = () =>
    void feature.get().catch((error: unknown) => log.error("review of changes", String(error)));
  if (changes.wasPending) start();
  return vscode.Disposable.from(
    changes.onDidLoad(start),
    registerFeatureCommands(feature, {
      [commands.changesAcceptHunk]: (review, ...place) => review.decideHunk("accept", ...place),
      [commands.changesRejectHunk]: (review, ...place) => review.decideHunk("reject", ...place),
      [commands.changesAcceptFile]: (review, uri) => review.decideFile("accept", uri),
      [commands.changesRejectFile]: (review, uri) => review.decideFile("reject", uri),
      [commands.changesAcceptAll]: (review) => review.decideAll("accept"),
      [commands.changesRejectAll]: (review) => review.decideAll("reject"),
      [commands.changesNextHunk]: (review) => review.go("next"),
      [commands.changesPreviousHunk]: (review) => review.go("previous"),
      [commands.changesShowDiff]: (review, ...place) => review.showDiff(...place),
      [commands.changesShowAll]: (review) => review.showAll(),
      [commands.changesWriteCommitMessage]: (review) => review.commit(),
    }),
    feature,
  );
}

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
      [commands.reviewAcceptHunk]: (review, ...place) => review.decideHunk("accept", ...place),
      [commands.reviewRejectHunk]: (review, ...place) => review.decideHunk("reject", ...place),
      [commands.reviewAcceptFile]: (review, uri) => review.decideFile("accept", uri),
      [commands.reviewRejectFile]: (review, uri) => review.decideFile("reject", uri),
      [commands.reviewAcceptAll]: (review) => review.decideAll("accept"),
      [commands.reviewRejectAll]: (review) => review.decideAll("reject"),
      [commands.reviewNext]: (review) => review.go("next"),
      [commands.reviewPrevious]: (review) => review.go("previous"),
      [commands.reviewDiff]: (review, ...place) => review.showDiff(...place),
      [commands.reviewAll]: (review) => review.showAll(),
      [commands.reviewCommit]: (review) => review.commit(),
    }),
    feature,
  );
}

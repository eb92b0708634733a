import * as vscode from "vscode";
import { commands } from "../../shared/ids.ts";
import type { LazyChanges } from "../engine/lazyChanges.ts";
import type { ReviewFeature } from "./reviewFeature.ts";

interface ReviewDeps {
  readonly changes: LazyChanges;
  readonly log: vscode.LogOutputChannel;
}

/** Registers the review of changes that agents made. It is loaded with the changes, or by the first command. */
export function registerReview({ changes, log }: ReviewDeps): vscode.Disposable {
  let loading: Promise<ReviewFeature> | undefined;
  const load = async () => {
    const [{ createReviewFeature }, pending] = await Promise.all([
      import("./reviewFeature.ts"),
      changes.load(),
    ]);
    return createReviewFeature(pending, log);
  };
  const feature = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const start = () => void feature().catch((error: unknown) => log.error("review of changes", String(error)));
  const command = (id: string, run: (review: ReviewFeature, ...args: unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => run(await feature(), ...args));
  if (changes.wasPending) start();
  return vscode.Disposable.from(
    changes.onDidLoad(start),
    command(commands.reviewAcceptHunk, (review, ...place) => review.decideHunk("accept", ...place)),
    command(commands.reviewRejectHunk, (review, ...place) => review.decideHunk("reject", ...place)),
    command(commands.reviewAcceptFile, (review, uri) => review.decideFile("accept", uri)),
    command(commands.reviewRejectFile, (review, uri) => review.decideFile("reject", uri)),
    command(commands.reviewAcceptAll, (review) => review.decideAll("accept")),
    command(commands.reviewRejectAll, (review) => review.decideAll("reject")),
    command(commands.reviewNext, (review) => review.go("next")),
    command(commands.reviewPrevious, (review) => review.go("previous")),
    command(commands.reviewDiff, (review, ...place) => review.showDiff(...place)),
    command(commands.reviewAll, (review) => review.showAll()),
    command(commands.reviewCommit, (review) => review.commit()),
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
  );
}

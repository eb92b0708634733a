import type * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { Lazy } from "../../platform/lazy.ts";
import type { LazyChanges } from "../engine/lazyChanges.ts";
import type { ReviewFeature } from "./reviewFeature.ts";

interface ReviewDeps {
  readonly changes: LazyChanges;
  readonly log: vscode.LogOutputChannel;
}

/** Registers the review of changes that agents made. It is loaded with the changes, or by the first command. */
export function registerReview({ changes, log }: ReviewDeps): Domain<ReviewFeature> {
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
  return new Domain(feature, changes.onDidLoad(start));
}

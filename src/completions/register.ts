import * as vscode from "vscode";
import { Domain } from "../platform/domain.ts";
import { afterActivation } from "../platform/editor/afterActivation.ts";
import { Lazy } from "../platform/lazy.ts";
import { readCompletionSettings } from "../platform/settings.ts";
import type { CompletionCounts } from "../session/completionCounts.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { CompletionsFeature } from "./completionsFeature.ts";
import type { CompletionsDeps } from "./deps.ts";

interface Deps extends Omit<CompletionsDeps, "consents" | "counts"> {
  readonly counts: Lazy<CompletionCounts>;
  readonly consents: Consents;
}

/** Inline completions, off by default. The feature is loaded when they are on, or by its command. */
export function registerCompletions(deps: Deps): Domain<CompletionsFeature> {
  const feature = new Lazy(async () => {
    const { createCompletionsFeature } = await import("./completionsFeature.ts");
    return createCompletionsFeature({ ...deps, counts: await deps.counts.get() });
  });
  const update = async () => {
    if (feature.started || readCompletionSettings().isOn) (await feature.get()).update();
  };
  return new Domain(
    feature,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("inference.completions")) void update();
    }),
    afterActivation(update, (error) => deps.log.error(String(error))),
  );
}

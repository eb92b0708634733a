import * as vscode from "vscode";
import { registerFeatureCommands } from "../platform/editor/featureCommands.ts";
import { Lazy } from "../platform/lazy.ts";
import { readCompletionSettings } from "../platform/settings.ts";
import { commands } from "../shared/ids.ts";
import { createCompletionConsents } from "./consents.ts";
import type { CompletionsDeps } from "./deps.ts";

/** Inline completions, off by default. The feature is loaded when they are on, or by its command. */
export function registerCompletions({
  globalState,
  ...others
}: Omit<CompletionsDeps, "consents"> & { readonly globalState: vscode.Memento }): vscode.Disposable {
  const deps: CompletionsDeps = { ...others, consents: createCompletionConsents(globalState) };
  const feature = new Lazy(async () =>
    (await import("./completionsFeature.ts")).createCompletionsFeature(deps),
  );
  const update = async () => {
    if (feature.started || readCompletionSettings().isOn) (await feature.get()).update();
  };
  // After the activation, which must not wait for it.
  const starting = setImmediate(() => void update());
  return vscode.Disposable.from(
    registerFeatureCommands(feature, {
      [commands.completionsConfigure]: (completions) => completions.configure(),
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("inference.completions")) void update();
    }),
    { dispose: () => clearImmediate(starting) },
    feature,
  );
}

import * as vscode from "vscode";
import { readCompletionSettings } from "../platform/settings.ts";
import { commands } from "../shared/ids.ts";
import type { CompletionsFeature } from "./completionsFeature.ts";
import { createCompletionConsents } from "./consents.ts";
import type { CompletionsDeps } from "./deps.ts";

/** Inline completions, off by default. The feature is loaded when they are on, or by its command. */
export function registerCompletions({
  globalState,
  ...others
}: Omit<CompletionsDeps, "consents"> & { readonly globalState: vscode.Memento }): vscode.Disposable {
  const deps: CompletionsDeps = { ...others, consents: createCompletionConsents(globalState) };
  let loading: Promise<CompletionsFeature> | undefined;
  const load = async () => {
    const { createCompletionsFeature } = await import("./completionsFeature.ts");
    return createCompletionsFeature(deps);
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const update = async () => {
    if (loading || readCompletionSettings().isOn) (await feature()).update();
  };
  // After the activation, which must not wait for it.
  const starting = setImmediate(() => void update());
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.completionsConfigure, async () => (await feature()).configure()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("inference.completions")) void update();
    }),
    {
      dispose() {
        clearImmediate(starting);
        void loading?.then((loaded) => loaded.dispose());
      },
    },
  );
}

import * as vscode from "vscode";
import { Domain } from "../platform/domain.ts";
import { Lazy } from "../platform/lazy.ts";
import { languageModelVendor, switchConnection } from "../shared/names/ids.ts";
import type { LanguageModelsDeps } from "./deps.ts";
import type { LanguageModels, ListedModel } from "./languageModels.ts";

/**
 * Offers the models of all connections to VS Code's own chat and to other extensions. The code is loaded when the editor
 * first asks for a model of a connection.
 */
export function registerLanguageModels(deps: LanguageModelsDeps): Domain<LanguageModels> {
  const changed = new vscode.EventEmitter<void>();
  const feature = new Lazy(async () => (await import("./languageModels.ts")).createLanguageModels(deps));
  const hasConnection = () => deps.session.active !== undefined || deps.connections.stored().length > 0;
  const provider: vscode.LanguageModelChatProvider<ListedModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // The editor asks without `silent` only after "Add Models".
      if (!silent) await vscode.commands.executeCommand(switchConnection);
      return hasConnection() ? [...(await (await feature.get()).list())] : [];
    },
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) =>
      (await feature.get()).respond(model, messages, options, progress, token),
    provideTokenCount: async (model, text) => (await feature.get()).countTokens(model, text),
  };
  return new Domain(
    feature,
    changed,
    deps.session.onDidChangeActive(() => {
      void feature.started?.then((models) => models.refresh());
      changed.fire();
    }),
    vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider),
  );
}

import * as vscode from "vscode";
import { registerFeatureCommands } from "../platform/editor/featureCommands.ts";
import { Lazy } from "../platform/lazy.ts";
import { commands, languageModelVendor } from "../shared/ids.ts";
import type { LanguageModelsDeps } from "./deps.ts";
import type { ListedModel } from "./languageModels.ts";

/**
 * Offers the models of all connections to VS Code's own chat and to other extensions. The code is loaded when the editor
 * first asks for a model of a connection.
 */
export function registerLanguageModels(deps: LanguageModelsDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const feature = new Lazy(async () => (await import("./languageModels.ts")).createLanguageModels(deps));
  const hasConnection = () => deps.session.active !== undefined || deps.connections.stored().length > 0;
  const provider: vscode.LanguageModelChatProvider<ListedModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // The editor asks without `silent` only after "Add Models".
      if (!silent) await vscode.commands.executeCommand(commands.connectionSwitch);
      return hasConnection() ? [...(await (await feature.get()).list())] : [];
    },
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) =>
      (await feature.get()).respond(model, messages, options, progress, token),
    provideTokenCount: async (model, text) => (await feature.get()).countTokens(model, text),
  };
  return vscode.Disposable.from(
    changed,
    vscode.commands.registerCommand(commands.languageModelsUseInVsCode, async () =>
      (await import("./nativeChat.ts")).useInNativeChat(),
    ),
    registerFeatureCommands(feature, {
      [commands.languageModelsChooseExtensions]: (models) => models.chooseExtensions(),
    }),
    deps.session.onDidChangeActive(() => {
      void feature.started?.then((models) => models.refresh());
      changed.fire();
    }),
    vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider),
  );
}

import * as vscode from "vscode";
import { commands, languageModelVendor } from "../shared/ids.ts";
import type { LanguageModelsDeps } from "./deps.ts";
import type { LanguageModels, ListedModel } from "./languageModels.ts";

/**
 * Offers the models of all connections to VS Code's own chat and to other extensions. The code is loaded when the editor
 * first asks for a model of a connection.
 */
export function registerLanguageModels(deps: LanguageModelsDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<LanguageModels> | undefined;
  const load = async () => {
    const { createLanguageModels } = await import("./languageModels.ts");
    return createLanguageModels(deps);
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const hasConnection = () => deps.session.active !== undefined || deps.connections.stored().length > 0;
  const provider: vscode.LanguageModelChatProvider<ListedModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    async provideLanguageModelChatInformation({ silent }) {
      // The editor asks without `silent` only after "Add Models".
      if (!silent) await vscode.commands.executeCommand(commands.connectionSwitch);
      return hasConnection() ? [...(await (await feature()).list())] : [];
    },
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) =>
      (await feature()).respond(model, messages, options, progress, token),
    provideTokenCount: async (model, text) => (await feature()).countTokens(model, text),
  };
  return vscode.Disposable.from(
    changed,
    vscode.commands.registerCommand(commands.modelUseInVsCode, async () =>
      (await import("./nativeChat.ts")).useInNativeChat(),
    ),
    vscode.commands.registerCommand(commands.modelExtensions, async () =>
      (await feature()).chooseExtensions(),
    ),
    deps.session.onDidChangeActive(() => {
      void loading?.then((loaded) => loaded.refresh());
      changed.fire();
    }),
    vscode.lm.registerLanguageModelChatProvider(languageModelVendor, provider),
  );
}

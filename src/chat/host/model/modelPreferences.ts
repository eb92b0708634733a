import * as vscode from "vscode";
import { settings } from "../../../shared/names/ids.ts";
import { type ModelIdList, type ModelPreferences, readPresets, withPreset } from "../controls.ts";

const keys: Readonly<Record<ModelIdList, string>> = {
  favourite: "chat.favouriteModels",
  recent: "chat.recentModels",
};

/** Presets are stored in the settings, model lists in the global state. */
export function createModelPreferences(globalState: vscode.Memento): ModelPreferences {
  const written = () => vscode.workspace.getConfiguration().get<unknown>(settings.chatPresets);
  return {
    presets: () => readPresets(written()),
    onDidChangePresets: (listener) =>
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settings.chatPresets)) listener();
      }),
    async savePreset({ settings: stored, model }) {
      const names = readPresets(written()).presets.map(({ name }) => name);
      const name = await vscode.window.showInputBox({
        title: "Save as Preset",
        prompt: "Name of the preset",
        ignoreFocusOut: true,
        validateInput: (text) => nameProblem(text, names),
      });
      if (name === undefined) return;
      const next = withPreset(written(), {
        name: name.trim(),
        settings: stored,
        ...(model === undefined ? {} : { model }),
      });
      const target = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration().update(settings.chatPresets, next, target);
    },
    async openPresets() {
      await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
        revealSetting: { key: settings.chatPresets, edit: true },
      });
    },
    modelIds: (list) => globalState.get<readonly string[]>(keys[list], []),
    setModelIds: (list, ids) => void globalState.update(keys[list], ids),
  };
}

function nameProblem(
  text: string,
  names: readonly string[],
): string | vscode.InputBoxValidationMessage | undefined {
  const name = text.trim();
  if (name === "") return "The name must not be empty.";
  if (name.length > 80) return `The name must have at most 80 characters, not ${name.length}.`;
  if (!names.includes(name)) return undefined;
  return {
    message: `“${name}” already exists and will be replaced.`,
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

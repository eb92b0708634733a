import * as vscode from "vscode";
import { askModally } from "../platform/editor/dialogs/modal.ts";
import { withProgress } from "../platform/editor/dialogs/progress.ts";
import { untilAborted } from "../shared/untilAborted.ts";

/** Settings and commands of the editor. Not every version and product has them. */
const utilityModel = "chat.byokUtilityModelDefault";
const chatOff = "chat.disableAIFeatures";
const manageModels = "workbench.action.chat.manage";
const openChat = "workbench.action.chat.open";
const chatExtension = "github.copilot-chat";

const continueButton = "Continue";
const openButton = "Open Chat";
const startMs = 60_000;

/**
 * Prepares VS Code's own chat for these models: its utility model, and the chat itself where it is still switched off.
 * A utility model that the user chose is kept.
 */
export async function useInNativeChat(): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const known = new Set(await vscode.commands.getCommands(true));
  if (settings.get(chatOff) === true) return tellOff();
  if (!known.has(manageModels)) {
    void vscode.window.showErrorMessage(
      "This version of VS Code has no chat for models of extensions. Use the Inference chat, or install a newer version.",
    );
    return;
  }
  const chosen = settings.inspect(utilityModel);
  const setsUtility = chosen?.defaultValue !== undefined && chosen.globalValue === undefined;
  const isOff = !vscode.extensions.getExtension(chatExtension);
  const steps = [
    setsUtility
      ? `The user setting ${utilityModel} is set to mainAgent: the chosen model also writes titles and summaries, and these requests are charged, too.`
      : "",
    isOff ? "Chat: Manage Language Models is run, which switches VS Code's chat on." : "",
    "Then choose a model of Inference in the model picker of VS Code's chat. Your budgets apply there.",
  ];
  const detail = steps.filter(Boolean).join("\n");
  const answer = await askModally("Use these models in VS Code's chat?", { detail }, continueButton);
  if (answer !== continueButton) return;
  if (setsUtility) await settings.update(utilityModel, "mainAgent", vscode.ConfigurationTarget.Global);
  if (isOff) await vscode.commands.executeCommand(manageModels);
  // Before its extension runs, VS Code's chat asks for a GitHub account instead of answering.
  const isOn = await withProgress("VS Code's chat starts", startChat).catch(() => false);
  if (isOn && !isOff) return void vscode.commands.executeCommand(openChat);
  const ready = isOn
    ? "VS Code's chat is ready. Choose"
    : "VS Code's chat is still starting. When it is ready, choose";
  const sentence = `${ready} a model of Inference in its model picker.`;
  if ((await vscode.window.showInformationMessage(sentence, openButton)) === openButton)
    await vscode.commands.executeCommand(openChat);
}

/** Waits until the extension of the chat runs. Rejects if that takes too long, or on abort. */
async function startChat(signal: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const appeared = Promise.withResolvers<vscode.Extension<unknown>>();
  const look = () => {
    const extension = vscode.extensions.getExtension(chatExtension);
    if (extension) appeared.resolve(extension);
  };
  // The editor enables the extension a moment after the command.
  const watching = vscode.extensions.onDidChange(look);
  look();
  try {
    const extension = await untilAborted(appeared.promise, limit);
    await untilAborted(extension.activate(), limit);
    return true;
  } finally {
    watching.dispose();
  }
}

async function tellOff(): Promise<void> {
  const show = "Show Setting";
  const sentence = `VS Code's own chat is switched off by the setting ${chatOff}. Turn that setting off, and try again.`;
  if ((await vscode.window.showErrorMessage(sentence, show)) === show)
    await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${chatOff}`);
}

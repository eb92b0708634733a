import * as vscode from "vscode";
import { showExplanation } from "../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import { readSettings } from "../platform/settings.ts";
import { sandboxConnection } from "../session/connection/connections.ts";
import type { LocalModelScan } from "../session/session.ts";
import { settings } from "../shared/names/ids.ts";
import { checkModelServer } from "../shared/web/modelServer.ts";
import type { ConnectionDeps } from "./deps.ts";

const title = "Use a Local Model";

/**
 * Scans for language model servers on this machine, and lets the sandbox use one of their models. True if one was
 * chosen.
 */
export async function useLocalModel(deps: ConnectionDeps): Promise<boolean> {
  const { session, connections, chosenModels } = deps;
  const found = await scan(deps);
  if (!found) return false;
  const { models, problems } = found;
  if (models.length === 0) return (await offerAgain(problems)) && useLocalModel(deps);
  const model = models.length === 1 ? models[0] : await pick(models);
  if (!model) return false;
  chosenModels.set(sandboxConnection.id, model.id);
  await connections.setActive(sandboxConnection.id);
  session.refresh();
  return true;
}

/** Undefined if it was cancelled, or if the sandbox does not start. */
async function scan({ session }: ConnectionDeps): Promise<LocalModelScan | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const stop = new AbortController();
  try {
    return await vscode.window.withProgress(
      { location, title: "Searching for language models on this machine", cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => stop.abort());
        return session.findLocalModels(stop.signal);
      },
    );
  } catch (error) {
    if (!stop.signal.aborted)
      await showExplanation(explain(error, { service: sandboxConnection.name, kind: "sandbox" }));
    return undefined;
  }
}

async function offerAgain(problems: readonly string[]): Promise<boolean> {
  const [again, change] = ["Search Again", "Change Addresses"];
  const why = problems.length === 0 ? "No address is set." : problems.join(" ");
  const chosen = await vscode.window.showInformationMessage(
    `No language model was found on this machine. ${why} Start Ollama or the server of LM Studio with a model, then search again.`,
    again,
    change,
  );
  if (chosen === change) await openAddresses();
  return chosen === again;
}

async function pick(models: LocalModelScan["models"]): Promise<LocalModelScan["models"][number] | undefined> {
  const items = models.map((model) => ({ label: model.name, model }));
  const placeHolder = "Select a model. It costs nothing, and no data leaves this machine.";
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.model;
}

/** Reports the addresses in the settings that are refused, with the reason. */
export async function reportWrongServers(): Promise<void> {
  const problems = readSettings().sandbox.modelServers.flatMap((address, index) => {
    const check = checkModelServer(address);
    return check.ok ? [] : [`${settings.sandboxModelServers}[${index}]: ${check.problem}`];
  });
  if (problems.length === 0) return;
  const change = "Change Addresses";
  if ((await vscode.window.showErrorMessage(problems.join(" "), change)) === change) await openAddresses();
}

async function openAddresses(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", settings.sandboxModelServers);
}

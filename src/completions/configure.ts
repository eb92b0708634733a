import * as vscode from "vscode";
import { visibleItem } from "../platform/editor/dialogs/ask.ts";
import { askModally } from "../platform/editor/dialogs/modal.ts";
import { runErrorAction } from "../platform/errors/errorActions.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import { readCompletionSettings, writeUserSetting } from "../platform/settings.ts";
import { originOf } from "../session/connection/baseUrl.ts";
import { hasService, sayFailure } from "../session/sandbox/readiness.ts";
import type { Client } from "../session/session.ts";
import type { ModelCard } from "../shared/chat/chatModels.ts";
import { formatUsd } from "../shared/money/formatUsd.ts";
import { commands, settings } from "../shared/names/ids.ts";
import type { CompletionController } from "./completionController.ts";
import { type CompletionModels, completionModels } from "./completionModel.ts";
import type { CompletionsDeps } from "./deps.ts";
import { neededFor } from "./limits/consents.ts";
import { pickCompletionModel } from "./pickCompletionModel.ts";

interface Action extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** The menu: on and off, the model, the reason of a failure with its next steps. */
export async function configureCompletions(
  deps: CompletionsDeps,
  running: CompletionController | undefined,
): Promise<void> {
  if (!(await hasService(deps))) return;
  try {
    const client = await deps.session.client({ kind: "completion" });
    const models = await completionModels(client);
    const card = await chosenCard(models);
    // With a model that is not listed, another one has to be chosen first.
    if (running?.state.kind === "asks" && card) return await askForConsent(deps, client, card, running);
    const { isOn, hourUsd } = readCompletionSettings();
    const isPlayMoney = deps.session.active?.kind === "sandbox";
    const limit = hourUsd === 0 ? "no limit per hour" : `at most ${formatUsd(hourUsd, isPlayMoney)} per hour`;
    const title = `Inline Completions: ${isOn ? "on" : "off"}, ${limit}`;
    const items = actionsOf(deps, client, { models, card }, running).map((one) => ({
      ...one,
      ...visibleItem(one),
    }));
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: "Choose an action" });
    await chosen?.run();
  } catch (error) {
    sayFailure(deps, error, () => configureCompletions(deps, running));
  }
}

/** Who gets what, and its price. No answer leaves everything as it is: nothing is sent. */
async function askForConsent(
  { consents }: CompletionsDeps,
  { connection }: Client,
  card: ModelCard,
  running: CompletionController,
): Promise<void> {
  const { hourUsd } = readCompletionSettings();
  const { name, kind, baseUrl } = connection;
  const [allow, off] = ["Allow", "Turn Completions Off"];
  const isPlayMoney = kind === "sandbox";
  const limit =
    hourUsd === 0 ? "There is no limit per hour." : `At most ${formatUsd(hourUsd, isPlayMoney)} per hour.`;
  const detail = [
    `The text around the cursor and parts of open tabs go to ${name}${baseUrl === "" ? "" : ` (${originOf(baseUrl) ?? baseUrl})`}.`,
    `Model: ${card.name}, ${priceText(card)}. ${limit}`,
  ];
  const answer = await askModally(
    `Send code to ${name} while you type?`,
    { detail: detail.join("\n") },
    allow,
    off,
  );
  if (answer === off) return writeUserSetting(settings.completionsEnabled, false);
  if (answer !== allow) return;
  await consents.give(connection, neededFor(card));
  running.reset();
}

/** The model of the settings; undefined if the service does not list it. */
async function chosenCard(models: CompletionModels): Promise<ModelCard | undefined> {
  // Without the service's names, another model can be chosen.
  const named = await models.find(readCompletionSettings().model).catch(() => undefined);
  return named?.card;
}

function actionsOf(
  deps: CompletionsDeps,
  client: Client,
  { models, card: current }: { readonly models: CompletionModels; readonly card: ModelCard | undefined },
  running: CompletionController | undefined,
): Action[] {
  const { isOn, model } = readCompletionSettings();
  const set = (value: boolean) => writeUserSetting(settings.completionsEnabled, value);
  const { connection } = client;
  /** The item names the receiver and the price, so choosing it is the consent. */
  const turnOn = async () => {
    if (current) await deps.consents.give(connection, neededFor(current));
    await set(true);
  };
  const description = current ? `${current.name} · ${priceText(current)}` : `${model} is not listed`;
  const detail = `While you type, the text around the cursor and parts of open tabs go to ${connection.name}.`;
  return [
    ...failureActions(deps, running),
    isOn
      ? { label: "$(circle-slash) Turn Off", run: () => set(false) }
      : { label: "$(sparkle) Turn On", description, detail, run: turnOn },
    {
      label: "$(server) Choose Model…",
      ...(isOn ? { description } : {}),
      run: () => chooseModel(deps, client, models, running),
    },
    {
      label: "$(settings-gear) Settings",
      description: "languages, delay, limit per hour",
      run: () => vscode.commands.executeCommand("workbench.action.openSettings", "inference.completions"),
    },
    {
      label: "$(graph) Accepted Completions and Their Cost",
      run: () => vscode.commands.executeCommand(commands.accountOpenDashboard),
    },
  ];
}

function failureActions({ session }: CompletionsDeps, running: CompletionController | undefined): Action[] {
  const { active } = session;
  if (!running || !active || (running.state.kind !== "failed" && running.state.kind !== "capped")) return [];
  if (running.state.kind === "capped") return [];
  const { sentence, actions } = explain(running.state.error, { service: active.name, kind: active.kind });
  const again: Action = { label: "$(refresh) Try Again", detail: sentence, run: () => running.reset() };
  const steps = actions.flatMap(({ id, label }) =>
    id === "retry" ? [] : [{ label: `$(arrow-right) ${label}`, run: () => runErrorAction(id) }],
  );
  return [again, ...steps];
}

async function chooseModel(
  { consents }: CompletionsDeps,
  { connection }: Client,
  models: CompletionModels,
  running: CompletionController | undefined,
): Promise<void> {
  const { model } = readCompletionSettings();
  const chosen = await pickCompletionModel(models, model, priceText);
  if (chosen === undefined) return;
  const card = (await models.find(chosen).catch(() => undefined))?.card;
  // Its price was shown. Whether code may be sent to the service at all is a question of its own.
  if (card && consents.of(connection)) await consents.give(connection, neededFor(card));
  await writeUserSetting(settings.completionsModel, chosen);
  running?.reset();
}

function priceText({ inputUsd, outputUsd, isPlayMoney }: ModelCard): string {
  if (inputUsd === undefined || outputUsd === undefined) return "no listed price";
  const play = isPlayMoney ? ", play money" : "";
  return `${formatUsd(inputUsd)} in, ${formatUsd(outputUsd)} out per million tokens${play}`;
}

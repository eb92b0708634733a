import * as vscode from "vscode";
import { isDefaultModel, type Model } from "../../../api/endpoints/models.ts";
import { plainLine } from "../../../platform/editor/dialogs/pickLines.ts";
import { optionalMember } from "../../../shared/members.ts";
import { isPlainId } from "../../programs/agentPrograms.ts";
import type { ConfigModel } from "../../programs/configuration/programConfig.ts";
import type { GatewayMenu } from "./gatewayMenu.ts";

/**
 * Asks for the model that an agent is to use; those that can't call functions are not listed, nor ids that are
 * more than a name where they are typed or pasted. Undefined if cancelled.
 */
export async function chooseModel({ session }: GatewayMenu): Promise<ConfigModel | undefined> {
  const { api } = await session.client({ kind: "gateway" });
  const { data } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "Reading the models…" },
    () => api.models.list({}),
  );
  const able = data.filter(
    ({ id, model_spec }) => isPlainId(id) && model_spec?.capabilities?.supportsFunctionCalling !== false,
  );
  const items = [...able].sort(defaultFirst).map((model) => ({
    label: plainLine(model.model_spec?.name ?? model.id),
    description: plainLine(model.id),
    detail: model.model_spec?.privacy === "private" ? "private" : "",
    model,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Model",
    placeHolder: "The model that the agent is to use",
    matchOnDescription: true,
  });
  return picked && chosen(picked.model);
}

/** Sizes that are no positive integers are left out. */
function chosen({ id, context_length, model_spec }: Model): ConfigModel {
  const sizeIn = (value: number | null | undefined) =>
    Number.isSafeInteger(value) && (value ?? 0) > 0 ? (value ?? undefined) : undefined;
  return {
    model: id,
    ...optionalMember("contextTokens", sizeIn(model_spec?.availableContextTokens ?? context_length)),
    ...optionalMember("answerTokens", sizeIn(model_spec?.maxCompletionTokens)),
  };
}

function defaultFirst(one: Model, other: Model): number {
  return Number(isDefaultModel(other)) - Number(isDefaultModel(one));
}

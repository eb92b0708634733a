import type { Model } from "../api/endpoints/models.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Client } from "../session/session.ts";
import { inputText, type ToolInput } from "./serviceTool.ts";

export interface ModelChoice {
  /** The service's types of model. */
  readonly type: string;
  /** `make pictures`. */
  readonly purpose: string;
  /** USD of the call with a model; undefined if no price is listed. */
  readonly usdOf: (model: Model) => number | undefined;
}

/** Models that a refusal lists. */
const mostNamed = 20;

/** The model that the input names, else the service's default, else the cheapest. Throws Refusal or ApiError. */
export async function chooseModel(
  input: ToolInput,
  { api, connection }: Client,
  signal: AbortSignal,
  { type, purpose, usdOf }: ModelChoice,
): Promise<{ readonly model: Model; readonly usd: number | undefined }> {
  const { data } = await api.models.list({ type: "all" }, { signal });
  const fitting = data.filter((model) => model.type === type && model.model_spec?.offline !== true);
  const name = inputText(input, "model");
  if (fitting.length === 0)
    throw new Refusal(`Nothing was sent. ${connection.name} lists no model that can ${purpose}.`);
  if (name !== "") {
    const model = fitting.find(({ id }) => id === name);
    if (model) return { model, usd: usdOf(model) };
    const ids = fitting.slice(0, mostNamed).map(({ id }) => id);
    throw new Refusal(
      `Nothing was sent. model: ${connection.name} lists no model ${name.slice(0, 100)} that can ${purpose}. It lists: ${ids.join(", ")}.`,
    );
  }
  const priced = fitting.map((model) => ({ model, usd: usdOf(model) }));
  const cheapest = priced.reduce((best, one) =>
    (one.usd ?? Infinity) < (best.usd ?? Infinity) ? one : best,
  );
  return priced.find(({ model }) => model.model_spec?.traits?.includes("default")) ?? cheapest;
}

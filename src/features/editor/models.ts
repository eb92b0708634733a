import type { Model } from "../../api/endpoints/models.ts";
import type { ChosenModels } from "../../session/chosenModels.ts";
import type { Client } from "../../session/session.ts";

/** The model that an action asks, as far as it is known. */
export interface ChosenModel {
  /** As the request names it. */
  readonly id: string;
  readonly name: string;
  /** Tokens of prompt and answer together; undefined where the service does not say. */
  readonly contextTokens: number | undefined;
  readonly model: Model | undefined;
}

/** Any model that the service holds fit, by trait (spec E10: a model may be named by one). */
const anyModel = "default";

const listings = new WeakMap<Client, Promise<readonly Model[]>>();

/** The model chosen in the chat for this connection, else the service's default. Works without a listing, too. */
export async function chosenModel(
  client: Client,
  chosen: ChosenModels,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const models = await listModels(client, signal);
  const id = chosen.get(client.connection.id);
  const known = models.find((model) => model.id === id);
  const model = known ?? models.find(({ model_spec }) => model_spec?.traits?.includes(anyModel));
  // A chosen model that is listed no more is not asked for: the service would refuse it.
  const asked = known || models.length === 0 ? (id ?? anyModel) : (model?.id ?? anyModel);
  return {
    id: asked,
    name: model?.model_spec?.name || asked,
    contextTokens: model?.model_spec?.availableContextTokens ?? model?.context_length ?? undefined,
    model,
  };
}

/** Listed once per client; a listing that failed is tried again next time, and missed by nobody. */
async function listModels(client: Client, signal: AbortSignal): Promise<readonly Model[]> {
  const known = listings.get(client);
  if (known) return known;
  try {
    const { data } = await client.api.models.list({}, { signal });
    listings.set(client, Promise.resolve(data));
    return data;
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}

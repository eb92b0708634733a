import type { Model } from "../api/endpoints/models.ts";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Client } from "../session/session.ts";

/** The model of a request, with its listed data. */
export interface ChosenModel {
  /** As in the request. */
  readonly id: string;
  readonly name: string;
  /** Context length in tokens, for prompt and answer together; undefined if the service does not report it. */
  readonly contextTokens: number | undefined;
  readonly model: Model | undefined;
}

/** A model that the service chooses by trait (spec E10: a trait is accepted as a model). */
const anyModel = "default";

const listings = new WeakMap<Client, Promise<readonly Model[]>>();

/** The model chosen in the chat for this connection, else the service's default. Works without a listing. */
export async function chosenModel(
  client: Client,
  chosen: ChosenModels,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const id = chosen.get(client.connection.id);
  const models = await listModels(client, id, signal);
  const listed = models.find((model) => model.id === id);
  const model = listed ?? models.find(({ model_spec }) => model_spec?.traits?.includes(anyModel));
  // A model that is no longer listed would be refused by the service.
  const modelId = listed || models.length === 0 ? (id ?? anyModel) : (model?.id ?? anyModel);
  return {
    id: modelId,
    name: model?.model_spec?.name || modelId,
    contextTokens: model?.model_spec?.availableContextTokens ?? model?.context_length ?? undefined,
    model,
  };
}

/**
 * Cached per client, unless it lacks the chosen model: a server on this machine may have been started since. A failed
 * listing is optional, and is tried again next time.
 */
async function listModels(
  client: Client,
  chosenId: string | undefined,
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const cached = await listings.get(client);
  if (cached && (chosenId === undefined || cached.some(({ id }) => id === chosenId))) return cached;
  try {
    const { data } = await client.api.models.list({}, { signal });
    listings.set(client, Promise.resolve(data));
    return data;
  } catch (error) {
    if (signal.aborted) throw error;
    return cached ?? [];
  }
}

import type { Model } from "../api/endpoints/models.ts";
import { noNames, resolveName } from "../shared/chat/modelNames.ts";
import { untilAborted } from "../shared/untilAborted.ts";
import type { ChosenModels } from "./chosenModels.ts";
import { defaultModelId, toModelCards } from "./modelCards.ts";
import type { Client } from "./session.ts";

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

/**
 * The model chosen in the chat for this connection, by its id or by a typed name, else the service's default. Works without
 * a listing.
 */
export async function requestedModel(
  client: Client,
  chosen: ChosenModels,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { id: connectionId } = client.connection;
  const id = chosen.get(connectionId);
  const listing = await listModels(client, id, signal);
  const models = new Map(listing.map((model) => [model.id, model]));
  if (id !== undefined && !models.has(id) && chosen.isTyped(connectionId)) {
    const names = await untilAborted(
      client.prices.names().catch(() => noNames),
      signal,
    );
    const { modelId } = resolveName(id, (other) => models.has(other), names);
    return toChosen(id, id, models.get(modelId));
  }
  const listed = id === undefined ? undefined : models.get(id);
  const model = listed ?? standardOf(client, listing);
  // A model that is no longer listed would be refused by the service.
  const modelId = listed || listing.length === 0 ? (id ?? anyModel) : (model?.id ?? anyModel);
  return toChosen(modelId, model?.model_spec?.name || modelId, model);
}

/** A model on this machine before the sandbox's own, as in the chat. */
function standardOf({ connection }: Client, listing: readonly Model[]): Model | undefined {
  const cards = toModelCards(listing, connection);
  const isMarked = cards.some(({ isLocal, traits }) => isLocal || traits.includes(anyModel));
  const id = isMarked ? defaultModelId(cards) : undefined;
  return listing.find((model) => model.id === id);
}

function toChosen(id: string, name: string, model: Model | undefined): ChosenModel {
  const contextTokens = model?.model_spec?.availableContextTokens ?? model?.context_length ?? undefined;
  return { id, name, contextTokens, model };
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

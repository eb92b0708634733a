import type { ChatRequest } from "../api/endpoints/chat/chatRequest.ts";
import type { Model } from "../api/endpoints/models.ts";
import { ApiError } from "../api/errors/errors.ts";
import { upperUsd } from "../api/money/upperPrice.ts";
import { toModelCards } from "../session/modelCards.ts";
import type { Client } from "../session/session.ts";
import type { ModelCard, Models } from "../shared/chat/chatModels.ts";
import {
  type CompletionQuestion,
  completionPrompt,
  completionRules,
} from "../shared/chat/completionPrompt.ts";
import { type NamedModel, namedModel, noNames } from "../shared/chat/modelNames.ts";

/** The text models of one client that are online, the most suitable for completions first. */
export interface CompletionModels {
  readonly cards: readonly ModelCard[];
  /**
   * What an id or another name stands for, with the card of its model if that is listed; the card keeps the name as its id.
   * Without a name, the most suitable model. Rejects if the service's names are needed and can't be read.
   */
  find(name: string): Promise<NamedModel>;
  /** The model of this name. Throws ApiError `not-found` with the next step. */
  choose(name: string): Promise<ModelCard>;
  /** Upper bound in USD; undefined if the model has no listed price. */
  mostUsd(request: ChatRequest): number | undefined;
}

const listingMs = 30_000;
const listings = new WeakMap<Client, Promise<CompletionModels>>();

/** Loaded once for each client. A failed listing is tried again. */
export function completionModels(client: Client): Promise<CompletionModels> {
  const cached = listings.get(client);
  if (cached) return cached;
  // Not ended by the next key: typing would never let it finish.
  const signal = AbortSignal.timeout(listingMs);
  const loading = client.api.models.list({}, { signal }).then(({ data }) => toCompletionModels(client, data));
  listings.set(client, loading);
  loading.catch(() => listings.delete(client));
  return loading;
}

function toCompletionModels(client: Client, models: readonly Model[]): CompletionModels {
  const { connection, dialect } = client;
  const texts = models.filter(({ type }) => !type || type === "text");
  const cards = toModelCards(texts, connection)
    .filter(({ offline }) => !offline)
    .sort((a, b) => rank(a) - rank(b) || priceOf(a) - priceOf(b));
  const listed: Models = { status: "ready", cards };
  let lists = noNames;
  const find: CompletionModels["find"] = async (name) => {
    const [first] = cards;
    if (name === "") return { by: "id", modelId: first?.id ?? "", features: {}, card: first };
    if (namedModel(listed, { status: "unread" }, name).by !== "id") lists = await client.prices.names();
    const named = namedModel(listed, { status: "ready", lists }, name);
    return named.card ? { ...named, card: { ...named.card, id: name } } : named;
  };
  return {
    cards,
    find,
    async choose(name) {
      const { card } = await find(name);
      if (card) return card;
      // A server on this machine may have been started since.
      listings.delete(client);
      const reason =
        name === ""
          ? `${connection.name} lists no text model`
          : `${connection.name} does not list the model ${name} of the setting inference.completions.model`;
      throw new ApiError("not-found", reason, { endpoint: "models.list", mayHaveArrived: false });
    },
    mostUsd: (request) => {
      const price = { by: "tokens" } as const;
      const prices = { models, usdPerCredit: dialect.usdPerCredit, names: lists };
      return upperUsd({ endpoint: "chat.complete", price, input: request }, prices);
    },
  };
}

/**
 * A model on this machine comes first, one for code before the others. Then one that the service calls fast; one that has
 * to think, or that may change, last.
 */
function rank({ traits, capabilities, beta, inputUsd, isLocal }: ModelCard): number {
  if (isLocal)
    return -3 + (capabilities.includes("code") ? 0 : 1) + (capabilities.includes("reasoning") ? 1 : 0);
  if (traits.includes("fastest")) return 0;
  return 1 + (capabilities.includes("reasoning") ? 1 : 0) + (beta ? 2 : 0) + (inputUsd === undefined ? 4 : 0);
}

/** A completion reads about ten times as much as it writes. */
function priceOf({ inputUsd = 0, outputUsd = 0 }: ModelCard): number {
  return 10 * inputUsd + outputUsd;
}

/** Tokens of an answer. */
const longest = { one: 64, several: 224 } as const;

/** The request of a completion: short, with little chance in it, and without reasoning where the model can do without. */
export function toCompletionRequest(card: ModelCard, question: CompletionQuestion): ChatRequest {
  return {
    model: card.id,
    messages: [
      { role: "system", content: completionRules },
      { role: "user", content: completionPrompt(question) },
    ],
    max_completion_tokens: longest[question.lines],
    temperature: 0.1,
    stop: [question.lines === "one" ? "\n\n" : "\n\n\n"],
    ...withoutReasoning(card),
  };
}

function withoutReasoning({ capabilities, reasoningEfforts }: ModelCard) {
  const service_parameters = { include_venice_system_prompt: false } as const;
  if (!capabilities.includes("reasoning")) return { service_parameters };
  const least = (["none", "minimal", "low"] as const).find((effort) => reasoningEfforts.includes(effort));
  return {
    service_parameters: { ...service_parameters, disable_thinking: true, strip_thinking_response: true },
    ...(least ? { reasoning_effort: least } : {}),
  };
}

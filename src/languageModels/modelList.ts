import type * as vscode from "vscode";
import type { Connection } from "../session/connection/connection.ts";
import { defaultModelId, toModelCards } from "../session/modelCards.ts";
import type { Session } from "../session/session.ts";
import type { ModelCard } from "../shared/chat/chatModels.ts";
import { splitModelId } from "../shared/chat/modelId.ts";
import { formatUsd } from "../shared/money/formatUsd.ts";
import { untypedInformation } from "./messages/untypedApi.ts";

/** A model as the editor lists it. The editor hands it back with each request. */
export interface ListedModel extends vscode.LanguageModelChatInformation {
  readonly connectionId: string;
  /** Id at the service. */
  readonly modelId: string;
  readonly reasoningEfforts: readonly string[];
}

export interface ModelCards {
  /** The text models of a connection that are online; none if the list can't be read. */
  get(connection: Connection): Promise<readonly ModelCard[]>;
  clear(): void;
}

/** The editor asks at each `selectChatModels` of any extension. */
const freshMs = 10 * 60_000;
/** Back off after a failure, so that these calls don't hammer the service. */
const failedMs = 30_000;
/** A connection that does not answer in this time must not delay the others. */
const listingMs = 10_000;

/** The lists of models, cached. A failure is reported once and cached for a shorter time. */
export function createModelCards(
  session: Pick<Session, "clientOf">,
  onFailure: (connection: Connection, error: unknown) => void,
  now = Date.now,
): ModelCards {
  const cached = new Map<string, { readonly cards: Promise<readonly ModelCard[]>; untilMs: number }>();
  const load = async (connection: Connection) => {
    const { api } = await session.clientOf(connection, { kind: "nativeChat" });
    const { data } = await api.models.list({}, { signal: AbortSignal.timeout(listingMs) });
    const texts = data.filter(({ type }) => !type || type === "text");
    const cards = toModelCards(texts, connection).filter(({ offline }) => !offline);
    // The editor identifies models by their ids. Of several with one id, the first is listed.
    const listed = new Map<string, ModelCard>();
    for (const card of cards) if (!listed.has(card.id)) listed.set(card.id, card);
    return [...listed.values()];
  };
  return {
    get(connection) {
      const found = cached.get(connection.id);
      if (found && now() < found.untilMs) return found.cards;
      const cards = load(connection).catch((error: unknown) => {
        entry.untilMs = now() + failedMs;
        onFailure(connection, error);
        return [];
      });
      const entry = { cards, untilMs: now() + freshMs };
      cached.set(connection.id, entry);
      return cards;
    },
    clear: () => cached.clear(),
  };
}

/**
 * The models on this machine, those that the service marks with a trait, such as `default` or `most_intelligent`, and the
 * one chosen in the chat. All models of a service that marks none.
 */
export function recommendedModels(
  cards: readonly ModelCard[],
  chosen: string | undefined,
): readonly ModelCard[] {
  const isMarked = ({ traits }: ModelCard) => traits.length > 0;
  if (!cards.some(isMarked)) return cards;
  const standard = defaultModelId(cards);
  const base = chosen && splitModelId(chosen).id;
  return cards.filter((card) => card.isLocal || isMarked(card) || card.id === base || card.id === standard);
}

/** Tokens, for models whose context the service does not state. */
const assumedContext = 32_768;

/** The editor's information about a model. `order` is the position of its connection. */
export function toListedModel(connection: Connection, card: ModelCard, order: number): ListedModel {
  const isPlayMoney = connection.kind === "sandbox";
  const context = card.contextTokens ?? assumedContext;
  // Prompt and answer share the context.
  const quarter = Math.floor(context / 4);
  const maxOutputTokens = Math.min(card.maxAnswerTokens ?? quarter, quarter);
  const pricing = priceText(card, isPlayMoney);
  return {
    ...untypedInformation({ card, group: { label: connection.name, order }, pricing }),
    id: `${connection.id}/${card.id}`,
    name: `${card.name} · ${connection.name}`,
    family: card.id,
    version: "1",
    detail: [connection.name, pricing].filter(Boolean).join(" · "),
    tooltip: tooltipOf(card, connection, pricing),
    maxInputTokens: context - maxOutputTokens,
    maxOutputTokens,
    capabilities: {
      imageInput: card.capabilities.includes("vision"),
      toolCalling: card.capabilities.includes("tools"),
    },
    connectionId: connection.id,
    modelId: card.id,
    reasoningEfforts: card.reasoningEfforts,
  };
}

function priceText({ inputUsd, outputUsd }: ModelCard, isPlayMoney: boolean): string | undefined {
  if (inputUsd === undefined || outputUsd === undefined) return undefined;
  // First, because the editor cuts the text in a narrow column.
  const play = isPlayMoney ? "Play money: " : "";
  return `${play}${formatUsd(inputUsd)} in, ${formatUsd(outputUsd)} out per million tokens`;
}

function tooltipOf(card: ModelCard, connection: Connection, pricing: string | undefined): string {
  const { contextTokens, maxAnswerTokens, cachedInputUsd, retiresAt, replacedBy } = card;
  const tokens = (count: number) => count.toLocaleString("en");
  const facts = [
    contextTokens === undefined ? "" : `Context: ${tokens(contextTokens)} tokens`,
    maxAnswerTokens === undefined ? "" : `Longest answer: ${tokens(maxAnswerTokens)} tokens`,
    pricing ? `Price: ${pricing}` : "The service lists no price.",
    pricing && cachedInputUsd !== undefined ? `Cached input: ${formatUsd(cachedInputUsd)}` : "",
    card.privacy ? `Privacy: ${card.privacy}` : "",
    retiresAt ? `Retires: ${retiresAt.slice(0, 10)}` : "",
    replacedBy === undefined ? "" : `Replaced by: ${replacedBy}`,
    `Paid over the connection ${connection.name}`,
  ];
  return [card.description ?? "", ...facts].filter(Boolean).join("\n");
}

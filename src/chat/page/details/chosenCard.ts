import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import type { ChatPageDeps } from "../chatDeps.ts";

/** The card of the selected model; undefined until the models are loaded. */
export function chosenCard({ store }: Pick<ChatPageDeps, "store">): ModelCard | undefined {
  return cardOf({ store }, store.field("modelId"));
}

export function cardOf(
  { store }: Pick<ChatPageDeps, "store">,
  modelId: string | null,
): ModelCard | undefined {
  const models = store.field("models");
  return models.status === "ready" ? models.cards.find(({ id }) => id === modelId) : undefined;
}

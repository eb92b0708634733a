import type { ModelCard } from "../../shared/chatModels.ts";
import type { ChatDeps } from "./chatDeps.ts";

/** The card of the model that would be asked; undefined until the listing is here. */
export function chosenCard({ store }: Pick<ChatDeps, "store">): ModelCard | undefined {
  return cardOf({ store }, store.field("modelId"));
}

export function cardOf({ store }: Pick<ChatDeps, "store">, modelId: string | null): ModelCard | undefined {
  const models = store.field("models");
  return models.status === "ready" ? models.cards.find(({ id }) => id === modelId) : undefined;
}

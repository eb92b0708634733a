import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { namedModel } from "../../../shared/chat/modelNames.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

/** The card of the selected model, or of the one that a typed name stands for; undefined until the models are loaded. */
export function chosenCard({ store }: Pick<ChatPageDeps, "store">): ModelCard | undefined {
  return cardOf({ store }, store.field("modelId"));
}

export function cardOf(
  { store }: Pick<ChatPageDeps, "store">,
  modelId: string | null,
): ModelCard | undefined {
  const [models, names] = [store.field("models"), store.field("names")];
  return modelId === null ? undefined : namedModel(models, names, modelId).card;
}

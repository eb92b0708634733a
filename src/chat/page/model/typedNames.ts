import type { ModelCard, Models } from "../../../shared/chat/chatModels.ts";
import { type ModelNames, namedModel, standsForText } from "../../../shared/chat/modelNames.ts";

/** A row of the picker: a model, or a typed name with what it stands for. */
export interface PickerCard extends ModelCard {
  readonly standsFor?: string;
}

/** Characters; the host takes no longer id of a model. */
export const longestName = 200;

/** The row of a name that is no model's id: price, context and abilities are those of its model, if that is known. */
export function namedCard(models: Models, names: ModelNames, name: string): PickerCard {
  const named = namedModel(models, names, name);
  const { card } = named;
  return {
    ...(card ?? {
      capabilities: [],
      reasoningEfforts: [],
      traits: [],
      beta: false,
      offline: false,
    }),
    id: name,
    name,
    standsFor: standsForText(named, names.status),
  };
}

/** The typed names that the list shows beside the models: those in use, and earlier ones that this service knows. */
export function namedCards(
  models: Models,
  names: ModelNames,
  inUse: readonly string[],
  earlier: readonly string[],
): readonly PickerCard[] {
  if (models.status !== "ready") return [];
  const listed = new Set(models.cards.map(({ id }) => id));
  const isKnown = (name: string) => namedModel(models, names, name).by !== undefined;
  return [...new Set([...inUse, ...earlier])]
    .filter((name) => !listed.has(name) && (inUse.includes(name) || isKnown(name)))
    .map((name) => namedCard(models, names, name));
}

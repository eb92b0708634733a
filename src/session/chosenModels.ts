import type { Memento } from "vscode";

/** The last chosen chat model of each connection, by the connection's id. */
export interface ChosenModels {
  get(connectionId: string): string | undefined;
  /**
   * True if the user has typed the name, so that no list has to have it: a trait, another vendor's name, or a model with a
   * suffix.
   */
  isTyped(connectionId: string): boolean;
  set(connectionId: string, modelId: string, isTyped?: boolean): void;
}

const chosenModelsKey = "chat.models";
const typedModelsKey = "chat.typedModels";

/** Stored in the global Memento. */
export function createChosenModels(state: Memento): ChosenModels {
  const all = (key: string) => state.get<Readonly<Record<string, string>>>(key, {});
  const get = (connectionId: string) => all(chosenModelsKey)[connectionId];
  return {
    get,
    isTyped(connectionId) {
      const typed = all(typedModelsKey)[connectionId];
      return typed !== undefined && typed === get(connectionId);
    },
    set(connectionId, modelId, isTyped = false) {
      void state.update(chosenModelsKey, { ...all(chosenModelsKey), [connectionId]: modelId });
      if (isTyped) void state.update(typedModelsKey, { ...all(typedModelsKey), [connectionId]: modelId });
    },
  };
}

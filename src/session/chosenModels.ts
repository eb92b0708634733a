import type { Memento } from "vscode";

/** The last chosen chat model of each connection, by the connection's id. */
export interface ChosenModels {
  get(connectionId: string): string | undefined;
  set(connectionId: string, modelId: string): void;
}

const chosenModelsKey = "chat.models";

/** Stored in the global Memento. */
export function createChosenModels(state: Memento): ChosenModels {
  const all = () => state.get<Readonly<Record<string, string>>>(chosenModelsKey, {});
  return {
    get: (connectionId) => all()[connectionId],
    set: (connectionId, modelId) => void state.update(chosenModelsKey, { ...all(), [connectionId]: modelId }),
  };
}

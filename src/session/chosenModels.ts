import type { Memento } from "vscode";

/** The chat model last chosen for each connection, by the connection's id. */
export interface ChosenModels {
  get(connectionId: string): string | undefined;
  set(connectionId: string, modelId: string): void;
}

const chosenModelsKey = "chat.models";

/** Kept in the editor's global state. */
export function createChosenModels(state: Memento): ChosenModels {
  const all = () => state.get<Readonly<Record<string, string>>>(chosenModelsKey, {});
  return {
    get: (connectionId) => all()[connectionId],
    set: (connectionId, modelId) => void state.update(chosenModelsKey, { ...all(), [connectionId]: modelId }),
  };
}

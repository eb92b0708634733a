import type { Memento } from "vscode";
import type { SpeechChoice } from "../../protocol/speechProtocol.ts";

/** The last options of the player, for each connection and model. */
export interface Choices {
  lastModel(connectionId: string): string | undefined;
  get(connectionId: string, modelId: string): SpeechChoice | undefined;
  set(connectionId: string, choice: SpeechChoice): void;
}

interface Stored {
  readonly modelId: string;
  readonly byModel: Readonly<Record<string, SpeechChoice>>;
}

const choicesKey = "speech.choices";

/** Stored in the global state. */
export function createChoices(state: Memento): Choices {
  const all = () => state.get<Readonly<Record<string, Stored>>>(choicesKey, {});
  return {
    lastModel: (connectionId) => all()[connectionId]?.modelId,
    get: (connectionId, modelId) => all()[connectionId]?.byModel[modelId],
    set(connectionId, choice) {
      const byModel = { ...all()[connectionId]?.byModel, [choice.modelId]: choice };
      void state.update(choicesKey, { ...all(), [connectionId]: { modelId: choice.modelId, byModel } });
    },
  };
}

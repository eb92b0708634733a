import { ApiError } from "../../api/errors/errors.ts";
import type { Session } from "../../session/session.ts";
import { type SpeechChange, SpeechChoice, type SpeechModelCard } from "../protocol/speechProtocol.ts";
import { type SpeechRequest, toSpeechRequest } from "./sound/speechRequest.ts";
import type { Choices } from "./voices/choices.ts";
import type { ClonedVoice, ClonedVoices } from "./voices/clonedVoices.ts";
import { firstChoice, firstModel, fitted, toSpeechModel } from "./voices/speechModel.ts";

/** The speech models of a connection, and the options of the selected one. */
interface LoadedSpeechModels {
  readonly connectionId: string;
  readonly cards: readonly SpeechModelCard[];
  readonly model: SpeechModelCard;
  readonly choice: SpeechChoice;
}

/** Speech models: loaded from the service, selected in the player, with stored options per model. */
export interface SpeechModels {
  readonly loaded: LoadedSpeechModels | undefined;
  /** Loads the models if necessary. Throws ApiError; `not-found` if the service has no speech model. */
  ensure(): Promise<LoadedSpeechModels>;
  /** Applies a change; another model restores its stored options. False: the value is not available. */
  choose(change: SpeechChange): boolean;
  /** Applies a complete choice, including the model. */
  restore(choice: SpeechChoice): void;
  /** Cloned voices of the selected model. */
  clonedVoices(): readonly ClonedVoice[];
  toRequest(text: string, changes?: Partial<SpeechChoice>): SpeechRequest;
  /** USD of a number of characters; undefined if no price is listed. */
  usdOf(characters: number): number | undefined;
  /** The connection has changed. */
  forget(): void;
}

export interface SpeechModelsDeps {
  readonly session: Session;
  readonly choices: Choices;
  readonly voices: ClonedVoices;
}

export function createSpeechModels({ session, choices, voices }: SpeechModelsDeps): SpeechModels {
  let loaded: LoadedSpeechModels | undefined;
  const choiceFor = (model: SpeechModelCard, connectionId: string) => {
    const usable = voices.of(connectionId, model.id).filter(({ isGone }) => !isGone);
    const handles = usable.map(({ handle }) => handle);
    return fitted(choices.get(connectionId, model.id) ?? firstChoice(model), model, handles);
  };
  const load = async (): Promise<LoadedSpeechModels> => {
    const { api, connection } = await session.client({ kind: "speech" });
    const { data } = await api.models.list({ type: "tts" });
    const listed = data.filter(({ model_spec: spec }) => !spec?.offline);
    const cards = listed.map(toSpeechModel);
    const last = choices.lastModel(connection.id);
    const model = cards.find(({ id }) => id === last) ?? firstModel(listed);
    if (!model)
      throw new ApiError("not-found", "the service lists no speech models", { mayHaveArrived: false });
    return { connectionId: connection.id, cards, model, choice: choiceFor(model, connection.id) };
  };
  const chosen = () => {
    if (!loaded) throw new Error("no speech model is chosen");
    return loaded;
  };
  return {
    get loaded() {
      return loaded;
    },
    async ensure() {
      loaded ??= await load();
      return loaded;
    },
    choose(change) {
      const { data: choice } = SpeechChoice.safeParse({ ...loaded?.choice, ...change });
      const model = loaded?.cards.find(({ id }) => id === choice?.modelId);
      if (!loaded || !model || !choice) return false;
      const { connectionId } = loaded;
      const next = model.id === loaded.model.id ? choice : choiceFor(model, connectionId);
      loaded = { ...loaded, model, choice: next };
      choices.set(connectionId, next);
      return true;
    },
    restore(choice) {
      const model = loaded?.cards.find(({ id }) => id === choice.modelId);
      if (!loaded || !model) return;
      choices.set(loaded.connectionId, choice);
      loaded = { ...loaded, model, choice: choiceFor(model, loaded.connectionId) };
    },
    clonedVoices: () => (loaded ? voices.of(loaded.connectionId, loaded.model.id) : []),
    toRequest(text, changes = {}) {
      const { choice, model } = chosen();
      return toSpeechRequest(text, { ...choice, ...changes }, model);
    },
    usdOf(characters) {
      const price = loaded?.model.usdPerMillion;
      return price === undefined ? undefined : (characters * price) / 1_000_000;
    },
    forget() {
      loaded = undefined;
    },
  };
}

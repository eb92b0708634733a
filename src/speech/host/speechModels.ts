import type { Api } from "../../api/call/client.ts";
import type { Model } from "../../api/endpoints/models.ts";
import { ApiError } from "../../api/errors/errors.ts";
import type { Table } from "../../api/table.ts";
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

export interface SpeechModelsDeps {
  readonly session: Session;
  readonly choices: Choices;
  readonly voices: ClonedVoices;
}

/** Speech models: loaded from the service, selected in the player, with stored options per model. */
export class SpeechModels {
  readonly #deps: SpeechModelsDeps;
  #loaded: LoadedSpeechModels | undefined;

  constructor(deps: SpeechModelsDeps) {
    this.#deps = deps;
  }

  get loaded(): LoadedSpeechModels | undefined {
    return this.#loaded;
  }

  /** Loads the models if necessary. Throws ApiError; `not-found` if the service has no speech model. */
  async ensure(): Promise<LoadedSpeechModels> {
    this.#loaded ??= await this.#load();
    return this.#loaded;
  }

  /** Applies a change; another model restores its stored options. False: the value is not available. */
  choose(change: SpeechChange): boolean {
    const { data: choice } = SpeechChoice.safeParse({ ...this.#loaded?.choice, ...change });
    const model = this.#loaded?.cards.find(({ id }) => id === choice?.modelId);
    if (!this.#loaded || !model || !choice) return false;
    const { connectionId } = this.#loaded;
    const next = model.id === this.#loaded.model.id ? choice : this.#choiceFor(model, connectionId);
    this.#loaded = { ...this.#loaded, model, choice: next };
    this.#deps.choices.set(connectionId, next);
    return true;
  }

  /** Applies a complete choice, including the model. */
  restore(choice: SpeechChoice): void {
    const model = this.#loaded?.cards.find(({ id }) => id === choice.modelId);
    if (!this.#loaded || !model) return;
    this.#deps.choices.set(this.#loaded.connectionId, choice);
    this.#loaded = { ...this.#loaded, model, choice: this.#choiceFor(model, this.#loaded.connectionId) };
  }

  /** Cloned voices of the selected model. */
  clonedVoices(): readonly ClonedVoice[] {
    return this.#loaded ? this.#deps.voices.of(this.#loaded.connectionId, this.#loaded.model.id) : [];
  }

  toRequest(text: string, changes: Partial<SpeechChoice> = {}): SpeechRequest {
    const { choice, model } = this.#chosen();
    return toSpeechRequest(text, { ...choice, ...changes }, model);
  }

  /** USD of a number of characters; undefined if no price is listed. */
  usdOf(characters: number): number | undefined {
    const price = this.#loaded?.model.usdPerMillion;
    return price === undefined ? undefined : (characters * price) / 1_000_000;
  }

  /** The connection has changed. */
  forget(): void {
    this.#loaded = undefined;
  }

  #choiceFor(model: SpeechModelCard, connectionId: string) {
    const usable = this.#deps.voices.of(connectionId, model.id).filter(({ isGone }) => !isGone);
    const handles = usable.map(({ handle }) => handle);
    return fitted(this.#deps.choices.get(connectionId, model.id) ?? firstChoice(model), model, handles);
  }

  async #load(): Promise<LoadedSpeechModels> {
    const { api, connection } = await this.#deps.session.client({ kind: "speech" });
    const { data } = await api.models.list({ type: "tts" });
    const online = data.filter(({ model_spec: spec }) => !spec?.offline);
    const listed = await withVoices(online, api);
    const cards = listed.map(toSpeechModel);
    const last = this.#deps.choices.lastModel(connection.id);
    const model = cards.find(({ id }) => id === last) ?? firstModel(listed);
    if (!model)
      throw new ApiError("not-found", "the service lists no speech models", { mayHaveArrived: false });
    return { connectionId: connection.id, cards, model, choice: this.#choiceFor(model, connection.id) };
  }

  #chosen(): LoadedSpeechModels {
    if (!this.#loaded) throw new Error("no speech model is chosen");
    return this.#loaded;
  }
}

/** The models with the voices that only their own records have (spec E7). The public service has no such records. */
async function withVoices(models: readonly Model[], api: Api<Table>): Promise<readonly Model[]> {
  const known: Model[] = [];
  for (const [index, model] of models.entries()) {
    const hasVoices = (model.model_spec?.voices ?? []).length > 0;
    const detail = hasVoices ? model : await api.models.read({ id: model.id }).catch(() => undefined);
    // Each refusal counts in the failure budget.
    if (!detail) return [...known, ...models.slice(index)];
    known.push({ ...model, model_spec: { ...model.model_spec, voices: detail.model_spec?.voices } });
  }
  return known;
}

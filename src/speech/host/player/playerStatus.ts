import type * as vscode from "vscode";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Session } from "../../../session/session.ts";
import type { PlayerProblem, PlayerState, SpeechChoice } from "../../protocol/speechProtocol.ts";
import type { SpeechModels } from "../speechModels.ts";
import { type ClonedVoices, toVoiceCard } from "../voices/clonedVoices.ts";
import { isVoiceRefusal, voiceProblem } from "../voices/voiceProblem.ts";
import { type Current, charactersIn } from "./current.ts";
import type { PlayerView } from "./playerView.ts";

/** Used while no model is known. */
export const nothingChosen: SpeechChoice = {
  modelId: "",
  voice: "",
  format: "mp3",
  speed: 1,
  language: "",
  style: "",
  temperature: null,
  topP: null,
};

export interface PlayerStatusDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly view: PlayerView;
  readonly models: SpeechModels;
  readonly voices: ClonedVoices;
  readonly current: () => Current | undefined;
  readonly isAway: () => boolean;
}

/** The state that the player shows, with its problem. */
export class PlayerStatus {
  readonly #deps: PlayerStatusDeps;
  #modelsProblem = "";
  #problem: PlayerProblem | undefined;

  constructor(deps: PlayerStatusDeps) {
    this.#deps = deps;
  }

  post(): void {
    this.#deps.view.post({
      v: 1,
      type: "state",
      state: toPlayerState(this.#deps, this.#modelsProblem, this.#problem),
    });
  }

  /** Shows or clears a problem. */
  setProblem(next: PlayerProblem | undefined): void {
    this.#problem = next;
    this.post();
  }

  /** Logs an error and shows it. `voice` is that of the request. */
  fail(error: unknown, voice: string): void {
    const { session, log, models } = this.#deps;
    const { loaded } = models;
    if (!loaded || !isVoiceRefusal(error, voice)) {
      this.setProblem(this.#toProblem(error));
      return;
    }
    log.error("the service refused the voice", error instanceof Error ? error : String(error));
    const cloned = this.#deps.voices.find(voice);
    void this.#deps.voices.setGone(voice, true).then(() => this.post());
    this.setProblem(
      voiceProblem({
        ...loaded,
        voice,
        name: cloned?.name,
        service: session.active?.name ?? "The service",
      }),
    );
  }

  /** Loads the models, and shows them or the reason that they can't be loaded. */
  async showModels(): Promise<void> {
    try {
      await this.#deps.models.ensure();
      this.#modelsProblem = "";
    } catch (error) {
      this.#modelsProblem = this.#toProblem(error).sentence;
    }
    this.post();
  }

  /** Clears all problems without posting the state. */
  clear(): void {
    this.#problem = undefined;
    this.#modelsProblem = "";
  }

  #toProblem(error: unknown): PlayerProblem {
    this.#deps.log.error("the speech request failed", error instanceof Error ? error : String(error));
    const { active } = this.#deps.session;
    return explain(error, active ? { service: active.name, kind: active.kind } : { service: "The service" });
  }
}

function toPlayerState(
  { session, models, current, isAway }: PlayerStatusDeps,
  modelsProblem: string,
  problem: PlayerProblem | undefined,
): PlayerState {
  const reading = current();
  const characters = charactersIn(reading?.target.sentences.map(({ text }) => text) ?? []);
  return {
    service: session.active?.name ?? "",
    isFree: session.active?.kind === "sandbox",
    models: models.loaded?.cards ?? [],
    modelsProblem,
    choice: models.loaded?.choice ?? nothingChosen,
    clonedVoices: models.clonedVoices().map((voice) => toVoiceCard(voice, Date.now())),
    characters,
    totalUsd: models.usdOf(characters),
    spentUsd: reading?.spentUsd,
    problem,
    isAway: isAway(),
  };
}

import type * as vscode from "vscode";
import { explain } from "../../platform/errorMessage.ts";
import type { Session } from "../../session/session.ts";
import type { PlayerProblem, PlayerState, SpeechChoice } from "../protocol/speechProtocol.ts";
import { type Current, charactersIn } from "./current.ts";
import type { PlayerView } from "./playerView.ts";
import type { SpeechModels } from "./speechModels.ts";
import { type ClonedVoices, toVoiceCard } from "./voices/clonedVoices.ts";
import { isVoiceRefusal, voiceProblem } from "./voices/voiceProblem.ts";

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

/** The state that the player shows, with its problem. */
export interface PlayerStatus {
  post(): void;
  /** Shows or clears a problem. */
  setProblem(problem: PlayerProblem | undefined): void;
  /** Logs an error and shows it. `voice` is that of the request. */
  fail(error: unknown, voice: string): void;
  /** Loads the models, and shows them or the reason that they can't be loaded. */
  showModels(): Promise<void>;
  /** Clears all problems without posting the state. */
  clear(): void;
}

export interface PlayerStatusDeps {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  readonly view: PlayerView;
  readonly models: SpeechModels;
  readonly voices: ClonedVoices;
  readonly current: () => Current | undefined;
  readonly isAway: () => boolean;
}

export function createPlayerStatus(deps: PlayerStatusDeps): PlayerStatus {
  const { session, log, view, models } = deps;
  let modelsProblem = "";
  let problem: PlayerProblem | undefined;
  const toProblem = (error: unknown): PlayerProblem => {
    log.error("the speech request failed", error instanceof Error ? error : String(error));
    const { active } = session;
    return explain(error, active ? { service: active.name, kind: active.kind } : { service: "The service" });
  };
  const status: PlayerStatus = {
    post: () => view.post({ v: 1, type: "state", state: toPlayerState(deps, modelsProblem, problem) }),
    setProblem(next) {
      problem = next;
      status.post();
    },
    fail(error, voice) {
      const { loaded } = models;
      if (!loaded || !isVoiceRefusal(error, voice)) return status.setProblem(toProblem(error));
      log.error("the service refused the voice", error instanceof Error ? error : String(error));
      const cloned = deps.voices.find(voice);
      void deps.voices.setGone(voice, true).then(status.post);
      status.setProblem(
        voiceProblem({
          ...loaded,
          voice,
          name: cloned?.name,
          service: session.active?.name ?? "The service",
        }),
      );
    },
    async showModels() {
      try {
        await models.ensure();
        modelsProblem = "";
      } catch (error) {
        modelsProblem = toProblem(error).sentence;
      }
      status.post();
    },
    clear() {
      problem = undefined;
      modelsProblem = "";
    },
  };
  return status;
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

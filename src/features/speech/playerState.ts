import type { Session } from "../../session/session.ts";
import type { PlayerProblem, PlayerState, SpeechChoice } from "../../shared/speechProtocol.ts";
import { type Current, charactersIn } from "./current.ts";
import type { SpeechModels } from "./speechModels.ts";
import { toVoiceCard } from "./voices/clonedVoices.ts";

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

export interface PlayerFacts {
  readonly session: Session;
  readonly models: SpeechModels;
  readonly modelsProblem: string;
  readonly current: Current | undefined;
  readonly problem: PlayerProblem | undefined;
  readonly isAway: boolean;
}

/** The player's state without the sound. */
export function toPlayerState({
  session,
  models,
  modelsProblem,
  current,
  problem,
  isAway,
}: PlayerFacts): PlayerState {
  const characters = charactersIn(current?.target.sentences.map(({ text }) => text) ?? []);
  return {
    service: session.active?.name ?? "",
    isFree: session.active?.kind === "sandbox",
    models: models.loaded?.cards ?? [],
    modelsProblem,
    choice: models.loaded?.choice ?? nothingChosen,
    clonedVoices: models.clonedVoices().map((voice) => toVoiceCard(voice, Date.now())),
    characters,
    totalUsd: models.usdOf(characters),
    spentUsd: current?.spentUsd,
    problem,
    isAway,
  };
}

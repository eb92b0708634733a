import * as z from "zod";
import type { ErrorActionId } from "../../shared/errorActions.ts";
import type { TopUp } from "../../shared/money/topUp.ts";
import { type SpeechFormat, speechFormats } from "../../shared/sound/speechFormats.ts";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Support of a model for a parameter; `unknown` if the list of models does not state it. */
export type Support = "yes" | "no" | "unknown";

/** A speech model as the player shows it. */
export interface SpeechModelCard {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly voices: readonly string[];
  readonly formats: readonly SpeechFormat[];
  readonly style: Support;
  readonly temperature: Support;
  readonly topP: Support;
  /** Undefined if it can't clone voices. */
  readonly cloning: VoiceCloning | undefined;
  /** Undefined if the list states no price. */
  readonly usdPerMillion: number | undefined;
}

export interface VoiceCloning {
  /** Empty if unknown. */
  readonly formats: readonly string[];
  readonly minSeconds: number;
  /** 0 if the service states none. */
  readonly retentionDays: number;
}

const optionalNumber = (low: number, high: number) => z.number().min(low).max(high).nullable();

/** Parameters of speech (spec E7). Null and empty texts leave the choice to the model. */
export const SpeechChoice = z.strictObject({
  modelId: z.string().max(200),
  voice: z.string().max(200),
  format: z.enum(speechFormats),
  speed: z.number().min(0.25).max(4),
  language: z.string().max(32),
  style: z.string().max(500),
  temperature: optionalNumber(0, 2),
  topP: optionalNumber(0, 1),
});
export type SpeechChoice = z.infer<typeof SpeechChoice>;

/** A partial change. The host merges it, because the page may not have the latest values. */
export const SpeechChange = SpeechChoice.partial();
export type SpeechChange = z.infer<typeof SpeechChange>;

/** A voice that was cloned from a sample. */
export interface ClonedVoiceCard {
  readonly handle: string;
  readonly name: string;
  /** `today`, `3 days old`, with the service's note on its expiry. */
  readonly age: string;
}

/** The state of the player apart from the sound. */
export interface PlayerState {
  /** The name of the connection. */
  readonly service: string;
  readonly isFree: boolean;
  readonly models: readonly SpeechModelCard[];
  /** The reason that there are no models; empty while they load or if there are any. */
  readonly modelsProblem: string;
  readonly choice: SpeechChoice;
  /** The voices of the chosen model. */
  readonly clonedVoices: readonly ClonedVoiceCard[];
  /** Characters of the text. */
  readonly characters: number;
  /** Cost of the whole text in USD; undefined if the price is unknown. */
  readonly totalUsd: number | undefined;
  /** Paid so far, in USD. */
  readonly spentUsd: number | undefined;
  readonly problem: PlayerProblem | undefined;
  /** True if the highlighted sentence is not visible. */
  readonly isAway: boolean;
}

export interface PlayerProblem {
  readonly sentence: string;
  readonly actions: readonly { readonly id: ErrorActionId | PlayerAction; readonly label: string }[];
  /** How to top up the wallet that could not pay. */
  readonly topUp?: TopUp;
}
/** Actions of the view to solve a problem, run by the host. */
type PlayerAction = "saveFile" | "readOn" | "otherVoice";

/** Host → view. Sounds have an id; a clip covers the sentences from `first` to `last`. */
export type ToPlayer =
  | { readonly v: 1; readonly type: "state"; readonly state: PlayerState }
  | {
      readonly v: 1;
      readonly type: "load";
      readonly reading: string;
      readonly title: string;
      readonly sentences: readonly string[];
      /** The sentences that begin a paragraph, and those that begin a heading, in order. */
      readonly paragraphs: readonly number[];
      readonly headings: readonly number[];
      /** The first sentence. Playback starts at once if the browser permits autoplay. */
      readonly index: number;
      readonly plays: boolean;
    }
  /** Clips after this sentence are outdated. */
  | { readonly v: 1; readonly type: "forget"; readonly reading: string; readonly after: number }
  | {
      readonly v: 1;
      readonly type: "clip";
      readonly reading: string;
      readonly clip: string;
      readonly first: number;
      readonly last: number;
      /** Media type for playback. */
      readonly mime: string;
      readonly format: SpeechFormat;
      readonly streams: boolean;
    }
  | { readonly v: 1; readonly type: "piece"; readonly clip: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly v: 1; readonly type: "clipEnd"; readonly clip: string }
  | {
      readonly v: 1;
      readonly type: "clipFailed";
      readonly reading: string;
      readonly clip: string;
      readonly index: number;
    }
  | { readonly v: 1; readonly type: "control"; readonly control: PlayerControl }
  | {
      readonly v: 1;
      readonly type: "preview";
      readonly voice: string;
      /** Undefined if the request failed. */
      readonly bytes: Uint8Array<ArrayBuffer> | undefined;
      readonly mime: string;
    };

/** Where a reading may skip to. */
export const skips = [
  "forward",
  "back",
  "nextParagraph",
  "previousParagraph",
  "nextHeading",
  "previousHeading",
] as const;
export type Skip = (typeof skips)[number];

export type PlayerControl = "play" | "pause" | "toggle" | "next" | "previous" | Skip;

const id = z.string().min(1).max(200);
const index = z.int().min(0).max(1_000_000);

/** View → host, by name. */
const bodies = {
  /** The page has loaded. It can play and stream these formats. */
  ready: z.strictObject({ plays: z.array(z.enum(speechFormats)), streamsMp3: z.boolean() }),
  /**
   * Requests the sound of a sentence and soon that of the next. The page has the clips that begin at these sentences.
   */
  want: z.strictObject({ reading: id, index, has: z.array(index).max(1000) }),
  /** The current sentence. */
  at: z.strictObject({ reading: id, index }),
  playing: z.strictObject({ reading: id, isPlaying: z.boolean() }),
  ended: z.strictObject({ reading: id }),
  /** A sound that this page can't play. */
  unplayable: z.strictObject({ reading: id, clip: id, index, format: z.enum(speechFormats) }),
  choose: z.strictObject({ change: SpeechChange }),
  preview: z.strictObject({ voice: z.string().max(200) }),
  cloneVoice: z.strictObject({}),
  forgetVoice: z.strictObject({ handle: id }),
  /** Reveals the current sentence in the editor. */
  comeBack: z.strictObject({}),
  save: z.strictObject({}),
  stop: z.strictObject({}),
  reloadModels: z.strictObject({}),
  act: z.strictObject({ action: z.string().max(40), index: index.nullable() }),
};

export type FromPlayer = ViewMessage<typeof bodies>;

/** Parses a message of the player; undefined if it is invalid for this version. */
export function parseFromPlayer(message: unknown): FromPlayer | undefined {
  return parseViewMessage(bodies, message);
}

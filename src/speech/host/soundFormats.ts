import * as vscode from "vscode";
import type { SpeechFormat } from "../../shared/sound/speechFormats.ts";
import type { PlayerProblem, SpeechModelCard } from "../protocol/speechProtocol.ts";
import { formatNames } from "./formats/audioFormat.ts";

/** Formats that the player can play, as reported by the browser and by failed attempts. */
export interface SoundFormats {
  /** Set when the page has reported its formats. */
  readonly isKnown: boolean;
  learn(plays: readonly SpeechFormat[], streamsMp3: boolean): void;
  /** A received sound could not be played. Returns the problem with its actions. */
  refuse(format: SpeechFormat, model: SpeechModelCard | undefined): PlayerProblem;
  /** True if it is played while it arrives. */
  streams(format: SpeechFormat): boolean;
  /** The format if it is playable, else the model's first playable one, else the format anyway. */
  playable(format: SpeechFormat, model: SpeechModelCard): SpeechFormat;
  /** A playable format, or `save` for a file; asks if the selected one can't be played. */
  settle(format: SpeechFormat, model: SpeechModelCard): Promise<SpeechFormat | "save" | undefined>;
}

export function createSoundFormats(): SoundFormats {
  let plays: ReadonlySet<SpeechFormat> = new Set();
  let streamsMp3 = false;
  const refused = new Set<SpeechFormat>();
  const canPlay = (format: SpeechFormat) => plays.has(format) && !refused.has(format);
  return {
    get isKnown() {
      return plays.size > 0;
    },
    learn(formats, streams) {
      plays = new Set(formats);
      streamsMp3 = streams;
    },
    refuse(format, model) {
      refused.add(format);
      const other = model?.formats.find(canPlay);
      const readOn = other && ({ id: "readOn", label: `Read On as ${formatNames[other]}` } as const);
      return {
        sentence: `${formatNames[format]} can't be played here. The received audio is stored and can be saved at no cost.`,
        actions: [{ id: "saveFile", label: "Save as File…" }, ...(readOn ? [readOn] : [])],
      };
    },
    streams: (format) => format === "mp3" && streamsMp3,
    playable: (format, { formats }) => (canPlay(format) ? format : (formats.find(canPlay) ?? format)),
    async settle(format, { formats }) {
      if (canPlay(format)) return format;
      const other = formats.find(canPlay);
      const listen = other && `Listen as ${formatNames[other]}`;
      const save = "Save as File…";
      const message = `${formatNames[format]} can't be played here. Nothing was sent.`;
      const answer = await vscode.window.showWarningMessage(message, ...(listen ? [listen] : []), save);
      if (answer === undefined) return undefined;
      return answer === save ? "save" : other;
    },
  };
}

import * as vscode from "vscode";
import type { SpeechFormat } from "../../shared/speechFormats.ts";
import type { PlayerProblem, SpeechModelCard } from "../../shared/speechProtocol.ts";
import { formatNames } from "./formats/audioFormat.ts";

/** What the player can play, as it said and as it turned out. */
export interface SoundFormats {
  /** Set once the page has said what it can do. */
  readonly isKnown: boolean;
  learn(plays: readonly SpeechFormat[], streamsMp3: boolean): void;
  /** It came, and could not be played. Says so, with the ways out. */
  refuse(format: SpeechFormat, model: SpeechModelCard | undefined): PlayerProblem;
  /** Whether it is heard while it arrives. */
  streams(format: SpeechFormat): boolean;
  /** The format itself where it is played, else the first of the model's that is, else the format all the same. */
  playable(format: SpeechFormat, model: SpeechModelCard): SpeechFormat;
  /** A format that is heard, or `save` for a file instead; asks where the chosen one can't be played. */
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
        sentence: `This editor can't play ${formatNames[format]} after all. What came is kept, and can be saved without paying again.`,
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
      const message = `This editor can't play ${formatNames[format]}. Nothing has been sent yet.`;
      const answer = await vscode.window.showWarningMessage(message, ...(listen ? [listen] : []), save);
      if (answer === undefined) return undefined;
      return answer === save ? "save" : other;
    },
  };
}

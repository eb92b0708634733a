import * as vscode from "vscode";
import type { SpeechFormat } from "../../shared/sound/speechFormats.ts";
import type { PlayerProblem, SpeechModelCard } from "../protocol/speechProtocol.ts";
import { formatNames } from "./formats/audioFormat.ts";

/** Formats that the player can play, as reported by the browser and by failed attempts. */
export class SoundFormats {
  #plays: ReadonlySet<SpeechFormat> = new Set();
  #streamsMp3 = false;
  readonly #refused = new Set<SpeechFormat>();
  readonly #canPlay = (format: SpeechFormat) => this.#plays.has(format) && !this.#refused.has(format);

  /** Set when the page has reported its formats. */
  get isKnown(): boolean {
    return this.#plays.size > 0;
  }

  learn(formats: readonly SpeechFormat[], streams: boolean): void {
    this.#plays = new Set(formats);
    this.#streamsMp3 = streams;
  }

  /** A received sound could not be played. Returns the problem with its actions. */
  refuse(format: SpeechFormat, model: SpeechModelCard | undefined): PlayerProblem {
    this.#refused.add(format);
    const other = model?.formats.find(this.#canPlay);
    const readOn = other && ({ id: "readOn", label: `Read On as ${formatNames[other]}` } as const);
    return {
      sentence: `${formatNames[format]} can't be played here. The received audio is stored and can be saved at no cost.`,
      actions: [{ id: "saveFile", label: "Save as File…" }, ...(readOn ? [readOn] : [])],
    };
  }

  /** True if it is played while it arrives. */
  streams(format: SpeechFormat): boolean {
    return format === "mp3" && this.#streamsMp3;
  }

  /** The format if it is playable, else the model's first playable one, else the format anyway. */
  playable(format: SpeechFormat, { formats }: SpeechModelCard): SpeechFormat {
    return this.#canPlay(format) ? format : (formats.find(this.#canPlay) ?? format);
  }

  /** A playable format, or `save` for a file; asks if the selected one can't be played. */
  async settle(
    format: SpeechFormat,
    { formats }: SpeechModelCard,
  ): Promise<SpeechFormat | "save" | undefined> {
    if (this.#canPlay(format)) return format;
    const other = formats.find(this.#canPlay);
    const listen = other && `Listen as ${formatNames[other]}`;
    const save = "Save as File…";
    const message = `${formatNames[format]} can't be played here. Nothing was sent.`;
    const answer = await vscode.window.showWarningMessage(message, ...(listen ? [listen] : []), save);
    if (answer === undefined) return undefined;
    return answer === save ? "save" : other;
  }
}

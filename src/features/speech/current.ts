import type { SpeechChoice } from "../../shared/speechProtocol.ts";
import type { ReadTarget } from "./readTarget.ts";
import type { Reading } from "./sound/reading.ts";
import type { StoredReading } from "./sound/readingStore.ts";
import type { SpeechModels } from "./speechModels.ts";

/** What is being read. */
export interface Current {
  readonly id: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly target: ReadTarget;
  readonly reading: Reading;
  /** How it was asked for last. */
  choice: SpeechChoice;
  spentUsd: number;
}

/** As the service counts: by code points. */
export function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + [...text].length, 0);
}

export function toStored({ id, atMs, target, reading, choice }: Current): StoredReading {
  const { title, uri, sentences } = target;
  const { passages, index } = reading;
  const place = uri ? { uri: uri.toString() } : {};
  return {
    v: 1,
    id,
    atMs,
    title,
    ...place,
    sentences: [...sentences],
    passages: [...passages],
    choice,
    index,
  };
}

/** What is told before texts are paid for. */
export function toPrice(
  texts: readonly string[],
  models: SpeechModels,
): { readonly usd: number | undefined; readonly detail: string } {
  const characters = charactersIn(texts);
  const { name, usdPerMillion } = models.loaded?.model ?? {};
  const price = usdPerMillion === undefined ? "" : ` at $${usdPerMillion} per million`;
  const detail = `${characters.toLocaleString("en-US")} characters${price}, spoken by ${name}. What you skip is not paid for, nor what you heard before.`;
  return { usd: models.usdOf(characters), detail };
}

import { decimalText } from "../../../shared/money/exact.ts";
import type { SpeechChoice } from "../../protocol/speechProtocol.ts";
import type { ReadTarget } from "../reading/readTarget.ts";
import type { Reading } from "../sound/reading.ts";
import type { StoredReading } from "../sound/readingStore.ts";
import type { SpeechModels } from "../speechModels.ts";

/** The text that is being read. */
export interface Current {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly target: ReadTarget;
  readonly reading: Reading;
  /** The options of the last request. */
  choice: SpeechChoice;
  spentUsd: number;
}

/** Counted in code points, as the service does. */
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

/** Price and details for the confirmation. */
export function toPrice(
  texts: readonly string[],
  models: SpeechModels,
): { readonly usd: number | undefined; readonly detail: string } {
  const characters = charactersIn(texts);
  const { name, usdPerMillion } = models.loaded?.model ?? {};
  const price = usdPerMillion === undefined ? "" : ` at $${decimalText(usdPerMillion)} per million`;
  const detail = `${characters.toLocaleString("en-US")} characters${price}, spoken by ${name}. Skipped sentences and sentences heard before are not billed.`;
  return { usd: models.usdOf(characters), detail };
}

import type { Api } from "../../api/client.ts";
import { isApiError } from "../../api/errors.ts";
import type { Table } from "../../api/table.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import { formatUsd } from "../../shared/formatUsd.ts";
import type { GenerationOutcome, GenerationRun, PictureFacts } from "../../shared/studioState.ts";
import type { Gallery } from "./gallery.ts";
import { choicesOf, type ImageRequest } from "./imageRequest.ts";
import { type Made, makePicture } from "./makePicture.ts";
import { said } from "./outcomes.ts";
import { pictureName } from "./pictureNames.ts";

/** One request and the target of its picture. */
export interface Making {
  readonly api: Api<Table>;
  readonly service: string;
  readonly request: ImageRequest;
  readonly model: string;
  readonly prompt: string;
  readonly inputs: readonly string[];
  readonly costUsd: number | undefined;
  readonly isPlayMoney: boolean;
  readonly gallery: Gallery;
}

/** A picture that was paid for and is not written yet. */
export interface PendingPicture {
  readonly name: string;
  readonly data: Uint8Array;
  readonly facts: PictureFacts;
}

export interface GenerateAndSaveDeps {
  readonly signal: AbortSignal;
  readonly progress: (step: Partial<GenerationRun>) => void;
  readonly explain: (error: unknown) => Explanation;
  readonly report: (error: unknown) => void;
  readonly now: () => number;
}

export interface MakingEnded {
  readonly outcome: GenerationOutcome;
  /** Set if the picture could not be written. */
  readonly pending?: PendingPicture;
}

const blocked =
  "The service blocked this picture: its content is not allowed. Nothing was saved. Change the prompt and try again.";
const blurred =
  "The service blurred this picture: it found adult content. To get it unblurred, clear “Blur adult content” and generate it again.";
const stopped = "Stopped. The service may still charge for the request.";

/** Requests a picture and saves it with its metadata. Reports failures in the outcome; never throws. */
export async function generateAndSave(making: Making, deps: GenerateAndSaveDeps): Promise<MakingEnded> {
  const { signal, progress, explain, report, now } = deps;
  let made: Made;
  try {
    const onProgress = (received: number, total = 0) => progress({ phase: "receiving", received, total });
    made = await makePicture(making.api, making.request, { signal, onProgress });
  } catch (error) {
    if (isApiError(error) && error.kind === "cancelled") return { outcome: said("said", stopped) };
    report(error);
    const { sentence, actions } = explain(error);
    const suggestion = (isApiError(error) && error.details.suggestedPrompt) || "";
    return { outcome: { ...said("failed", sentence), actions, suggestion } };
  }
  if (made.kind === "blocked") return { outcome: said("blocked", blocked) };
  progress({ phase: "saving" });
  const pending = toPending(making, made, now());
  const note = made.isBlurred ? ` ${blurred}` : "";
  try {
    const name = await making.gallery.add(pending.name, pending.data, pending.facts);
    const cost = making.costUsd === undefined ? "" : `, ${formatUsd(making.costUsd, making.isPlayMoney)}`;
    return { outcome: { ...said("kept", `Saved as ${name}${cost}.${note}`), picture: name } };
  } catch (error) {
    report(error);
    return { outcome: unsavedOutcome(pending.name, error), pending };
  }
}

function toPending(making: Making, made: Extract<Made, { kind: "picture" }>, atMs: number): PendingPicture {
  const { prompt, model, service, inputs, costUsd, isPlayMoney, request } = making;
  const { width, height, type } = made.head;
  const facts: PictureFacts = {
    prompt,
    model,
    seed: made.seed ?? null,
    costUsd: costUsd ?? null,
    isPlayMoney,
    at: new Date(atMs).toISOString(),
    way: request.way,
    width,
    height,
    service,
    isBlurred: made.isBlurred,
    choices: choicesOf(request),
    inputs,
  };
  return { name: pictureName(prompt, atMs, type), data: made.data, facts };
}

/** The picture is only in memory. */
export function unsavedOutcome(picture: string, error: unknown): GenerationOutcome {
  const why = error instanceof Error ? error.message : String(error);
  const text = `The picture was generated, but could not be saved: ${why}. Save it before you close this window.`;
  return { ...said("unsaved", text), picture };
}

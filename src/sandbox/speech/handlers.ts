import { speechCharge } from "../billing/ledger/charge.ts";
import { json } from "../http/reply.ts";
import { bytesOf, file, type MediaHandler, type MediaState, mediaCharge } from "../media.ts";
import { badField, Refusal } from "../refusal.ts";
import { type SpeechModel, toVoiceModel } from "./models.ts";
import { readSpeech, readVoiceUpload, toSpeechOrder } from "./requests.ts";
import type { WrittenFormat } from "./sound.ts";

/** wire.md section 7. */
const contentTypes: Readonly<Record<WrittenFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

/** POST /audio/speech (spec E7): a whole file, or a stream. Charged when the first piece is ready. */
export const createSpeech: MediaHandler = async (state, call) => {
  const startedMs = state.now();
  const { workerPool, voices, speechProgram } = state.media;
  const request = readSpeech(call.input);
  const model = modelOf(state, request.model);
  const order = toSpeechOrder(request, model, voices, speechProgram);
  const pieces = workerPool.pieces("speak", order, call.signal);
  // Errors occur at the first piece, while a status can still be sent.
  const { value: first } = await pieces.next();
  const characters = [...request.input].length;
  const spent = mediaCharge(state, call, startedMs);
  state.billing.charge(
    speechCharge({ ...spent, model: model.id, characters, usdPerMillion: model.usdPerMillion }),
  );
  const contentType = contentTypes[order.format];
  if (!order.streaming) {
    await pieces.return(undefined);
    return file(first ?? new Uint8Array(), contentType);
  }
  const body = {
    kind: "bytes",
    contentType,
    length: undefined,
    pieces: startingWith(first, pieces),
  } as const;
  return { status: 200, headers: {}, body };
};

async function* startingWith(first: Uint8Array | undefined, rest: AsyncGenerator<Uint8Array>) {
  try {
    if (first) yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** POST /audio/voices (wire.md section 1): makes a voice of one model from a sample. */
export const createVoice: MediaHandler = async (state, { input }) => {
  const { file: part, model: name } = readVoiceUpload(input);
  const model = modelOf(state, name);
  if (!model.clonesVoices) throw badField(["model"], `${model.id} can't clone voices`);
  const { id } = state.media.voices.add(model.id, await bytesOf(part, ["file"]));
  return json({ id, model: model.id });
};

function modelOf({ catalog }: MediaState, name: string): SpeechModel {
  const record = catalog.models.find(({ id, type }) => id === name && type === "tts");
  if (record) return toVoiceModel(record);
  throw new Refusal(404, `The model ${name} does not exist`, { param: "model" });
}

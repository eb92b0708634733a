import { bytesOf, file, type MediaHandler, type MediaState } from "../media.ts";
import { badField, Refusal } from "../refusal.ts";
import type { WrittenFormat } from "./formats/writtenFormats.ts";
import { type SpeechModel, toSpeechModel } from "./models.ts";
import { readSpeech, readVoiceUpload, toSpeechOrder } from "./requests.ts";

/** wire.md section 7. */
const contentTypes: Readonly<Record<WrittenFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

/** POST /audio/speech (spec E7): a whole file, or the file as it is spoken. */
export const createSpeech: MediaHandler = async (state, { input, signal }) => {
  const { workshop, voices, speechProgram } = state.media;
  const request = readSpeech(input);
  const order = toSpeechOrder(request, modelOf(state, request.model), voices, speechProgram);
  const contentType = contentTypes[order.format];
  if (!order.streaming) return file(await workshop.run("speak", order, signal), contentType);
  const pieces = workshop.pieces("speak", order, signal);
  // Whatever refuses to work does so at the first piece, while a status can still be sent.
  const first = await pieces.next();
  const body = {
    kind: "bytes",
    contentType,
    length: undefined,
    pieces: startingWith(first.value, pieces),
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

/** POST /audio/voices (wire.md section 1): a sample becomes a voice of one model. */
export const createVoice: MediaHandler = async (state, { input }) => {
  const { file: part, model: name } = readVoiceUpload(input);
  const model = modelOf(state, name);
  if (!model.clonesVoices) throw badField(["model"], `${model.id} can't clone voices`);
  const { id } = state.media.voices.add(model.id, await bytesOf(part, ["file"]));
  return { status: 200, headers: {}, body: { kind: "json", value: { id, model: model.id } } };
};

function modelOf({ catalog }: MediaState, name: string): SpeechModel {
  const record = catalog.models.find(({ id, type }) => id === name && type === "tts");
  if (record) return toSpeechModel(record);
  throw new Refusal(404, `The model ${name} does not exist`, { param: "model" });
}

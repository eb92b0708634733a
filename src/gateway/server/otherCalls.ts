import type { Model } from "../../api/endpoints/models.ts";
import { type Members, optionalMember } from "../../shared/members.ts";
import { stringIn } from "../../shared/stringIn.ts";
import { countTokens } from "../formats/messages/countTokens.ts";
import type { GatewayRequest } from "./gatewayDeps.ts";
import { checkPrivate, overService } from "./overService.ts";
import { readJsonBody } from "./readJsonBody.ts";
import { Refused } from "./refused.ts";
import { writeBytes, writeJson } from "./writeAnswer.ts";

/** `GET /v1/models`: the text models, in the shape of OpenAI with the members of Anthropic's. */
export async function runModels(request: GatewayRequest): Promise<void> {
  await overService(request, undefined, async ({ api }, options) => {
    const { data } = await api.models.list({}, options);
    const models = data.map(toWireModel);
    const ends = { first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null, has_more: false };
    await writeJson(request.res, { object: "list", data: models, ...ends });
  });
}

/** `GET /v1/models/MODEL`: one of that list. `written`: its id as the address has it. */
export async function runModel(request: GatewayRequest, written: string): Promise<void> {
  await overService(request, undefined, async ({ api }, options) => {
    const { data } = await api.models.list({}, options);
    const id = unescaped(written);
    const found = data.find((model) => model.id === id);
    if (!found) throw new Refused({ status: 404, sentence: noModel(id), field: "model" });
    await writeJson(request.res, toWireModel(found));
  });
}

function noModel(id: string): string {
  return `The service lists no text model ${JSON.stringify(id.slice(0, 200))}. Choose one of GET /v1/models.`;
}

function unescaped(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function toWireModel({ id, created, owned_by, model_spec }: Model) {
  return {
    id,
    object: "model",
    type: "model",
    created: created ?? 0,
    created_at: new Date((created ?? 0) * 1000).toISOString(),
    owned_by: owned_by ?? "",
    display_name: model_spec?.name ?? id,
  };
}

/** `POST /v1/messages/count_tokens`: an upper estimate. Nothing is sent, and it costs nothing. */
export async function runCountTokens({ message, res }: GatewayRequest): Promise<void> {
  await writeJson(res, countTokens(await readJsonBody(message)));
}

/** `POST /v1/images/generations` (spec E11). Members that the route lacks are refused by name. */
export async function runImage(request: GatewayRequest): Promise<void> {
  const input = withoutNulls(await readJsonBody(request.message));
  await overService(request, undefined, async (service, options) => {
    const { api } = service;
    await checkPrivate(service, request.client, [stringIn(input.model)]);
    // The row checks it.
    await writeJson(
      request.res,
      await api.images.generate(input as Parameters<typeof api.images.generate>[0], options),
    );
  });
}

/** `POST /v1/audio/speech` (spec E7): the bytes of the sound, as they arrive. */
export async function runSpeech(request: GatewayRequest): Promise<void> {
  const { stream_format: form = "audio", ...input } = withoutNulls(await readJsonBody(request.message));
  if (form !== "audio") throw new Refused({ status: 400, field: "stream_format", sentence: noEvents });
  await overService(request, undefined, async (service, options) => {
    const { api } = service;
    await checkPrivate(service, request.client, [stringIn(input.model)]);
    const { contentType, body } = await api.audio.speech(
      input as Parameters<typeof api.audio.speech>[0],
      options,
    );
    await writeBytes(request.res, contentType, body, options.signal);
  });
}

/** `POST /v1/embeddings`: a vector for each text. Tokens of other models, as some clients send them, are refused. */
export async function runEmbeddings(request: GatewayRequest): Promise<void> {
  const input = withoutNulls(await readJsonBody(request.message));
  await overService(request, undefined, async (service, options) => {
    const { api } = service;
    await checkPrivate(service, request.client, [stringIn(input.model)]);
    const reply = await api.embeddings.create(input as Parameters<typeof api.embeddings.create>[0], options);
    const { usage, data, ...others } = reply;
    const vectors = data.map((item) => ({ object: "embedding", ...item }));
    const counts = usage && { prompt_tokens: usage.prompt_tokens, total_tokens: usage.prompt_tokens };
    await writeJson(request.res, {
      ...others,
      object: "list",
      data: vectors,
      ...optionalMember("usage", counts),
    });
  });
}

const noEvents =
  "stream_format: has to be audio, because the service sends sound without events. Nothing was sent.";

function withoutNulls(body: Members): Members {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

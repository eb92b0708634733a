import { imageCharge } from "../billing/ledger/charge.ts";
import type { ModelRecord } from "../catalog/modelRecord.ts";
import type { Reply } from "../http/reply.ts";
import { bytesOf, file, type MediaCall, type MediaHandler, type MediaState, mediaCharge } from "../media.ts";
import { badField, Refusal } from "../refusal.ts";
import { findingOf } from "./drawing/finding.ts";
import type { InputImage, Shape } from "./edit.ts";
import { checkInputImage } from "./inputImage.ts";
import { type EditModel, toEditModel } from "./models.ts";
import type { PictureFile } from "./pictureFile.ts";
import { readTextImage } from "./readTextImage.ts";
import {
  checkAgainst,
  type EditRequest,
  readEdit,
  readGeneration,
  readMultiEdit,
  toDrawing,
  toEditOrder,
} from "./requests.ts";

/** POST /images/generations (spec E11). An unknown model falls back to the default one. A blank picture is free. */
export const generateImage: MediaHandler = async (state, call) => {
  const startedMs = state.now();
  const request = readGeneration(call.input);
  const models = modelsOf(state, "image");
  const model = models.find(({ id }) => id === request.model) ?? defaultOf(models);
  const picture = await state.media.workerPool.run("drawPicture", toDrawing(request), call.signal);
  const choice = { resolution: "1K", quality: undefined, inputs: 0 };
  if (!picture.contentViolation) charge(state, call, { model, choice, startedMs });
  const encoded = Buffer.from(picture.bytes).toString("base64");
  const url = `data:${picture.contentType};base64,${encoded}`;
  const item = request.response_format === "url" ? { url } : { b64_json: encoded };
  const created = Math.floor(state.now() / 1000);
  const value = { created, data: [item] };
  // The header Accept-Encoding (spec E11).
  return {
    status: 200,
    headers: safetyHeaders(state, picture),
    body: { kind: "json", value, mayCompress: true },
  };
};

/** POST /image/edit (spec E13). Without a ratio the result keeps the aspect ratio of the picture. */
export const editImage: MediaHandler = (state, call) => {
  const request = readEdit(call.input);
  const models = modelsOf(state, "inpaint");
  return edited(state, call, request, modelFor(request, models, defaultOf(models)), () => ({ kind: "own" }));
};

/** POST /image/multi-edit (spec E5). Without a ratio it uses the supported one closest to the first picture. */
export const multiEditImage: MediaHandler = (state, call) => {
  const request = readMultiEdit(call.input);
  const models = modelsOf(state, "inpaint");
  const combining = models.find(({ model_spec }) => model_spec.constraints?.combineImages === true);
  const model = modelFor(request, models, combining ?? defaultOf(models));
  return edited(state, call, request, model, ({ ratios }) => ({ kind: "closest", ratios }));
};

async function edited(
  state: MediaState,
  call: MediaCall,
  request: EditRequest,
  record: ModelRecord,
  autoShape: (model: EditModel) => Shape,
): Promise<Reply> {
  const startedMs = state.now();
  const model = toEditModel(record);
  checkAgainst(model, request);
  refuseForbidden(request.prompt);
  const images = await readImages(request, call.signal);
  const order = toEditOrder(request, model, images, autoShape(model));
  const picture = await state.media.workerPool.run("editPicture", order, call.signal);
  const { resolution, quality } = order;
  const choice = { resolution, quality, inputs: images.length };
  charge(state, call, { model: record, choice, startedMs });
  return file(picture.bytes, picture.contentType, safetyHeaders(state, picture));
}

async function readImages({ images }: EditRequest, signal: AbortSignal): Promise<readonly InputImage[]> {
  const read: InputImage[] = [];
  for (const { path, image } of images) {
    const bytes = await (typeof image === "string"
      ? readTextImage(image, path, signal)
      : bytesOf(image, path));
    checkInputImage(bytes, path);
    read.push({ path, bytes });
  }
  return read;
}

interface Made {
  readonly model: ModelRecord;
  readonly choice: PriceChoice;
  readonly startedMs: number;
}

function charge(state: MediaState, call: MediaCall, { model, choice, startedMs }: Made): void {
  const spent = mediaCharge(state, call, startedMs);
  state.billing.charge(
    imageCharge({ ...spent, model: model.id, images: 1, usdPerImage: imageUsd(model, choice) }),
  );
}

function modelsOf(state: MediaState, type: string): readonly ModelRecord[] {
  return state.catalog.models.filter((model) => model.type === type);
}

function defaultOf(models: readonly ModelRecord[]): ModelRecord {
  const model = models.find(({ model_spec }) => model_spec.traits.includes("default")) ?? models[0];
  if (!model) throw new Refusal(503, "The sandbox has no model for this");
  return model;
}

/** spec E5, E13: `modelId` is an enumeration, `model` is any text. */
function modelFor(
  { model }: EditRequest,
  models: readonly ModelRecord[],
  fallback: ModelRecord,
): ModelRecord {
  if (!model) return fallback;
  const found = models.find(({ id }) => id === model.id);
  if (found) return found;
  if (model.member === "model")
    throw new Refusal(404, `The model ${model.id} does not exist`, { param: "model" });
  throw badField(["modelId"], `Invalid option: expected one of ${models.map(({ id }) => id).join("|")}`);
}

/** wire.md section 7: a blocked edit is a 422. */
function refuseForbidden(prompt: string): void {
  if (findingOf(prompt) !== "forbidden") return;
  const members = { suggested_prompt: "Describe the change without the forbidden content" };
  throw new Refusal(422, "The prompt asks for content that is not allowed", { members });
}

/** Under the dialect's own prefix, as the RPC headers are (wire.md section 7 names venice's). */
function safetyHeaders(
  { dialect }: MediaState,
  { blurred, contentViolation }: PictureFile,
): Record<string, string> {
  const prefix = dialect.rpcHeaderPrefix.toLowerCase();
  return {
    [`${prefix}is-blurred`]: String(blurred),
    [`${prefix}is-content-violation`]: String(contentViolation),
  };
}

/** The parameters that an image's price depends on. */
interface PriceChoice {
  readonly resolution: string;
  readonly quality: string | undefined;
  /** Input images, the base image included. */
  readonly inputs: number;
}

interface Leaf {
  readonly usd: number;
}

/** The prices of images in a listing (wire.md section 4). */
interface Pricing {
  readonly generation?: Leaf;
  readonly inpaint?: Leaf;
  readonly resolutions?: Readonly<Record<string, Leaf>>;
  readonly quality?: Readonly<Record<string, Readonly<Record<string, Leaf>>>>;
  readonly inputImages?: { readonly included: number; readonly additional: Leaf };
}

/** USD for one picture, by tier and resolution if the model has such prices (spec E5). */
export function imageUsd(
  record: { readonly model_spec: { readonly pricing: object } },
  choice: PriceChoice,
): number {
  const pricing: Pricing = record.model_spec.pricing;
  const tiered = pricing.quality?.[choice.resolution]?.[choice.quality ?? "high"];
  const base = tiered ?? pricing.resolutions?.[choice.resolution] ?? pricing.generation ?? pricing.inpaint;
  const { included, additional } = pricing.inputImages ?? { included: choice.inputs, additional: { usd: 0 } };
  return (base?.usd ?? 0) + Math.max(0, choice.inputs - included) * additional.usd;
}

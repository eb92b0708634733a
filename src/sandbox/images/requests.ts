import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import { type FilePart, isFilePart } from "../http/request/filePart.ts";
import { badField } from "../refusal.ts";
import { findingOf } from "./drawing/finding.ts";
import type { EditOrder, InputImage, Shape } from "./edit.ts";
import type { ImagePlan } from "./generate.ts";
import type { EditModel } from "./models.ts";
import type { PictureFormat } from "./pictureFile.ts";

const Generation = z.strictObject({
  prompt: z.string().min(1).max(1500),
  model: z.string().optional(),
  n: z.literal(1).optional(),
  size: z
    .enum(["auto", "256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "1792x1024", "1024x1792"])
    .default("auto"),
  output_format: z.enum(["jpeg", "png", "webp"]).default("png"),
  response_format: z.enum(["b64_json", "url"]).default("b64_json"),
  moderation: z.enum(["auto", "low"]).default("auto"),
  background: z.enum(["transparent", "opaque", "auto"]).optional(),
  output_compression: z.int().min(0).max(100).optional(),
  quality: z.enum(["auto", "high", "medium", "low", "hd", "standard"]).optional(),
  style: z.enum(["vivid", "natural"]).optional(),
  user: z.string().optional(),
});
export type Generation = z.infer<typeof Generation>;

/** spec E11. */
export function readGeneration(input: unknown): Generation {
  return checkRequest(Generation, input);
}

export function toDrawing({ prompt, size, output_format, moderation }: Generation): ImagePlan {
  const [width = 1024, height = 1024] = size === "auto" ? [] : size.split("x").map(Number);
  const finding = findingOf(prompt);
  return {
    prompt,
    seed: 0,
    size: { width, height },
    format: output_format,
    finding: finding === "adult" && moderation === "low" ? "fine" : finding,
  };
}

const image = z.custom<string | FilePart>(
  (value) => (typeof value === "string" ? value !== "" : isFilePart(value)),
  "Must be a file, a base64 string or an http(s) URL",
);

const editMembers = {
  prompt: z.string().min(1).max(32_768),
  aspect_ratio: z.string().optional(),
  output_format: z
    .enum(["jpeg", "jpg", "png", "webp"])
    .transform((format): PictureFormat => (format === "jpg" ? "jpeg" : format))
    .optional(),
  resolution: z.string().min(1).max(10).default("1K"),
  quality: z.enum(["low", "medium", "high"]).optional(),
  safe_mode: z.boolean().default(true),
  /** Only on venice. The sandbox ignores it. */
  enhance_prompt: z.boolean().optional(),
};

const Edit = z.strictObject({
  ...editMembers,
  image,
  model: z.string().min(1).optional(),
  modelId: z.string().min(1).optional(),
});
const MultiEdit = z.strictObject({
  ...editMembers,
  images: z.array(image).min(1),
  modelId: z.string().min(1).optional(),
});

/** A request of either edit route. */
export interface EditRequest {
  readonly prompt: string;
  readonly model: { readonly member: "model" | "modelId"; readonly id: string } | undefined;
  readonly images: readonly { readonly path: InputImage["path"]; readonly image: string | FilePart }[];
  readonly aspect_ratio?: string | undefined;
  readonly output_format?: PictureFormat | undefined;
  readonly resolution: string;
  readonly quality?: "low" | "medium" | "high" | undefined;
  readonly safe_mode: boolean;
}

/** spec E13. */
export function readEdit(input: unknown): EditRequest {
  const { image: only, model, modelId, ...rest } = checkRequest(Edit, input);
  const named = model === undefined ? namedModel("modelId", modelId) : namedModel("model", model);
  return { ...rest, images: [{ path: ["image"], image: only }], model: named };
}

/** spec E5. */
export function readMultiEdit(input: unknown): EditRequest {
  const { images, modelId, ...rest } = checkRequest(MultiEdit, input);
  const listed = images.map((one, index) => ({ path: ["images", index], image: one }));
  return { ...rest, images: listed, model: namedModel("modelId", modelId) };
}

function namedModel(member: "model" | "modelId", id: string | undefined): EditRequest["model"] {
  return id === undefined ? undefined : { member, id };
}

/** Throws a 400 if the model does not support the request. */
export function checkAgainst(model: EditModel, request: EditRequest): void {
  const { prompt, images, aspect_ratio: ratio = "auto", resolution } = request;
  if (prompt.length > model.promptLimit) {
    throw badField(
      ["prompt"],
      `Too big: ${prompt.length} characters, ${model.id} takes ${model.promptLimit}`,
    );
  }
  if (images.length > model.mostImages) {
    throw badField(["images"], `Too big: ${images.length} images, ${model.id} takes ${model.mostImages}`);
  }
  if (ratio !== "auto" && !model.ratios.includes(ratio)) {
    throw badField(["aspect_ratio"], `Invalid option: expected one of auto|${model.ratios.join("|")}`);
  }
  if (!model.resolutions.includes(resolution)) {
    throw badField(["resolution"], `Invalid option: expected one of ${model.resolutions.join("|")}`);
  }
}

export function toEditOrder(
  request: EditRequest,
  model: EditModel,
  images: readonly InputImage[],
  autoShape: Shape,
): EditOrder {
  const { prompt, aspect_ratio: ratio = "auto", resolution, quality, output_format, safe_mode } = request;
  const finding = findingOf(prompt);
  return {
    images,
    prompt,
    shape: ratio === "auto" ? autoShape : { kind: "named", ratio },
    resolution,
    quality: model.qualities ? (quality ?? "high") : undefined,
    format: output_format ?? (resolution === "1K" ? "png" : "jpeg"),
    finding: finding === "adult" && !safe_mode ? "fine" : finding,
  };
}

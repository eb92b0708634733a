import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { imageInput } from "./files.ts";
import { listOf } from "./list.ts";

/** `4:3` is also accepted if the model lists it, except in edits of the public service (wire.md sections 2 and 11). */
const AspectRatio = z.enum(["auto", "1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5", "4:3"]);
const ImageFormat = z.enum(["jpeg", "jpg", "png", "webp"]);
const ImageQuality = z.enum(["low", "medium", "high"]);

const edits = {
  prompt: z.string().min(1).max(32_768),
  aspect_ratio: AspectRatio.optional(),
  output_format: ImageFormat.optional(),
  quality: ImageQuality.optional(),
  resolution: z.string().min(1).max(10).optional(),
  safe_mode: z.boolean().optional(),
  /** True if the service may improve the prompt. */
  enhance_prompt: z.boolean().optional(),
};

const post = { method: "POST", auth: "inference", resend: "billed", price: { by: "image" } } as const;

export const images = {
  /** POST /images/generations (spec E11); `/image/generations` after a 404. */
  generate: endpoint({
    ...post,
    path: "/images/generations",
    otherPath: "/image/generations",
    encode: "json",
    decode: "json",
    input: z.strictObject({
      prompt: z.string().min(1).max(1500),
      model: z.string().min(1).optional(),
      n: z.literal(1).optional(),
      size: z
        .enum(["auto", "256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "1792x1024", "1024x1792"])
        .optional(),
      output_format: z.enum(["jpeg", "png", "webp"]).optional(),
      response_format: z.enum(["b64_json", "url"]).optional(),
      moderation: z.enum(["auto", "low"]).optional(),
      background: z.enum(["transparent", "opaque", "auto"]).optional(),
      output_compression: z.int().min(0).max(100).optional(),
      quality: z.enum(["auto", "high", "medium", "low", "hd", "standard"]).optional(),
      style: z.enum(["vivid", "natural"]).optional(),
      user: z.string().optional(),
    }),
    output: z.looseObject({
      created: z.number(),
      data: listOf(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })),
    }),
  }),
  /** POST /image/edit (spec E13; path from wire.md section 1). A file is sent as multipart, text as JSON. */
  edit: endpoint({
    ...post,
    path: "/image/edit",
    wallet: true,
    encode: "multipart",
    decode: "binary",
    accept: "image/*, application/json",
    input: z.strictObject({
      ...edits,
      image: imageInput,
      model: z.string().min(1).optional(),
      /** Deprecated alias of `model`. */
      modelId: z.string().min(1).optional(),
    }),
    output: z.unknown(),
  }),
  /** POST /image/multi-edit (spec E5): the first image is the base, the others are layers or masks. */
  multiEdit: endpoint({
    ...post,
    path: "/image/multi-edit",
    wallet: true,
    encode: "json",
    decode: "binary",
    accept: "image/*, application/json",
    input: z.strictObject({
      ...edits,
      /** The dialect and the model limit their number. */
      images: z.array(imageInput).min(1),
      modelId: z.string().min(1).optional(),
    }),
    output: z.unknown(),
  }),
};

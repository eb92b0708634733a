import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { free } from "../money/price.ts";
import { listOf } from "./list.ts";

/** A price in both currencies. The unit depends on the member (wire.md section 4). */
export const Price = z.looseObject({ usd: z.number().nullish(), diem: z.number().nullish() });
export type Price = z.infer<typeof Price>;

const flag = z.boolean().nullish();

export const ModelCapabilities = z.looseObject({
  optimizedForCode: flag,
  quantization: z.string().nullish(),
  supportsFunctionCalling: flag,
  supportsReasoning: flag,
  supportsReasoningEffort: flag,
  reasoningEffortOptions: z.array(z.string()).nullish(),
  supportsResponseSchema: flag,
  supportsVision: flag,
  supportsMultipleImages: flag,
  maxImages: z.number().nullish(),
  supportsAudioInput: flag,
  supportsVideoInput: flag,
  supportsWebSearch: flag,
  supportsLogProbs: flag,
  supportsTeeAttestation: flag,
  supportsE2EE: flag,
  supportsXSearch: flag,
  voice_cloning: z.unknown().optional(),
});
export type ModelCapabilities = z.infer<typeof ModelCapabilities>;

const ModelSpec = z.looseObject({
  name: z.string().nullish(),
  description: z.string().nullish(),
  /** `private` or `anonymized`; any other value counts as not private. */
  privacy: z.string().nullish(),
  offline: flag,
  betaModel: flag,
  traits: z.array(z.string()).nullish(),
  regionRestrictions: z.array(z.string()).nullish(),
  deprecation: z
    .looseObject({
      date: z.string().nullish(),
      removesAt: z.string().nullish(),
      replacementModelId: z.string().nullish(),
    })
    .nullish(),
  /** Tokens. */
  availableContextTokens: z.number().nullish(),
  /** Tokens. */
  maxCompletionTokens: z.number().nullish(),
  capabilities: ModelCapabilities.nullish(),
  constraints: z.record(z.string(), z.unknown()).nullish(),
  /** Leaves are prices: text per million tokens, speech per million characters, images per image. */
  pricing: z.record(z.string(), z.unknown()).nullish(),
  voices: z.array(z.string()).nullish(),
  supported_formats: z.array(z.string()).nullish(),
  default_format: z.string().nullish(),
  supportsPromptParam: flag,
  supportsTemperatureParam: flag,
  supportsTopPParam: flag,
  voice_cloning: z.unknown().optional(),
});

export const Model = z.looseObject({
  id: z.string().min(1),
  object: z.string().nullish(),
  /** Open enum: text, image, tts, asr, embedding, inpaint, upscale, video, music … */
  type: z.string().nullish(),
  owned_by: z.string().nullish(),
  /** Unix time in seconds. */
  created: z.number().nullish(),
  context_length: z.number().nullish(),
  model_spec: ModelSpec.nullish(),
});
export type Model = z.infer<typeof Model>;

/** Of the record, only what the list may lack. */
const ModelDetail = z.looseObject({
  id: z.string(),
  model_spec: z.looseObject({ voices: z.array(z.string()).nullish() }).nullish(),
});

/** Trait or other vendor's model name → model id. An entry that names no id is left out. */
const ModelMap = z.looseObject({
  object: z.string().nullish(),
  data: z
    .record(z.string(), z.unknown())
    .transform(
      (map) =>
        Object.fromEntries(Object.entries(map).filter(([, id]) => typeof id === "string")) as Readonly<
          Record<string, string>
        >,
    ),
});

const OfType = z.strictObject({ type: z.string().min(1).optional() });

const listing = {
  method: "GET",
  auth: "public",
  encode: "query",
  decode: "json",
  resend: "reading",
  price: free,
} as const;

export const models = {
  /** GET /models (spec, Model records; wire.md section 4). Without a type it returns text models only. */
  list: endpoint({
    ...listing,
    path: "/models",
    input: OfType,
    output: z.looseObject({ object: z.string().nullish(), type: z.string().nullish(), data: listOf(Model) }),
  }),
  /**
   * GET /models/{id} (spec E7: it lists the voices of a model). The public service has none (wire.md section 1): the list
   * has the voices there.
   */
  read: endpoint({
    ...listing,
    path: "/models/{id}",
    input: z.strictObject({ id: z.string().min(1) }),
    output: ModelDetail,
  }),
  /** GET /models/traits (wire.md section 1): trait → model id. */
  traits: endpoint({ ...listing, path: "/models/traits", input: OfType, output: ModelMap }),
  /** GET /models/compatibility_mapping (wire.md section 1): another vendor's model name → model id. */
  compatibilityMapping: endpoint({
    ...listing,
    path: "/models/compatibility_mapping",
    input: OfType,
    output: ModelMap,
  }),
};

/** The model that the service uses where none is chosen. */
export function isDefaultModel({ model_spec }: Model): boolean {
  return model_spec?.traits?.includes("default") === true;
}

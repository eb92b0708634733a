import * as z from "zod";
import { isBelievableUsage } from "../../shared/money/believable.ts";
import { endpoint } from "../endpoint.ts";
import { listOf } from "./list.ts";

/** Token counts. They decide the price, so counts that no call can have make them invalid. */
const Usage = z
  .looseObject({ prompt_tokens: z.number(), total_tokens: z.number().nullish() })
  .transform((usage) => ({ ...usage, completion_tokens: 0 }))
  .refine(isBelievableUsage, { error: "is not possible" });

/** Texts in one call, at most. */
const maxTexts = 2048;
const text = z.string().min(1);

export const embeddings = {
  /** POST /embeddings (api-missing.md): one vector for each text. Tokens instead of texts are refused. */
  create: endpoint({
    method: "POST",
    path: "/embeddings",
    auth: "inference",
    encode: "json",
    decode: "json",
    resend: "billed",
    price: { by: "inputTokens" },
    input: z.strictObject({
      model: z.string().min(1),
      input: z.union([text, z.array(text).min(1).max(maxTexts)]),
      dimensions: z.int().min(1).optional(),
      encoding_format: z.enum(["float", "base64"]).optional(),
      user: z.string().optional(),
    }),
    output: z.looseObject({
      object: z.string().nullish(),
      model: z.string().nullish(),
      /** Numbers, or little-endian 32-bit floats in base64. */
      data: listOf(
        z.looseObject({ index: z.number(), embedding: z.union([z.array(z.number()), z.string()]) }),
      ),
      usage: Usage.nullish().catch(undefined),
    }),
  }),
};

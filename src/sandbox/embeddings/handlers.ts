import * as z from "zod";
import { embeddingCharge } from "../billing/ledger/charge.ts";
import { countTokens } from "../chat/reply/tokens.ts";
import { checkRequest } from "../checkRequest.ts";
import { json } from "../http/reply.ts";
import { type MediaHandler, mediaCharge } from "../media.ts";
import { badField, Refusal } from "../refusal.ts";
import { inBase64, vectorOf } from "./vector.ts";

const text = z.string().min(1);
const Texts = z.strictObject({
  model: z.string().min(1),
  input: z.union([text, z.array(text).min(1).max(2048)]),
  dimensions: z.int().min(1).optional(),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  user: z.string().optional(),
});
/** What the model's record says of it. */
const Facts = z.object({
  embeddingDimensions: z.number(),
  maxInputTokens: z.number(),
  pricing: z.object({ input: z.object({ usd: z.number() }) }),
});

/** POST /embeddings (api-missing.md). The tokens of all texts are charged. */
export const createEmbeddings: MediaHandler = (state, call) => {
  const startedMs = state.now();
  const { model: name, input, dimensions, encoding_format: format } = checkRequest(Texts, call.input);
  const model = state.catalog.models.find(({ id, type }) => id === name && type === "embedding");
  if (!model) throw new Refusal(404, `The model ${name} does not exist`, { param: "model" });
  const { embeddingDimensions, maxInputTokens, pricing } = Facts.parse(model.model_spec);
  if (dimensions !== undefined && dimensions > embeddingDimensions)
    throw badField(["dimensions"], `${model.id} has ${embeddingDimensions} dimensions at most`);
  const texts = [input].flat();
  const counts = texts.map(countTokens);
  const place = counts.findIndex((count) => count > maxInputTokens);
  if (place >= 0) throw badField(["input", place], `A text has at most ${maxInputTokens} tokens`);
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  const spent = mediaCharge(state, call, startedMs);
  state.billing.charge(
    embeddingCharge({ ...spent, model: model.id, tokens, usdPerMillion: pricing.input.usd }),
  );
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, dimensions ?? embeddingDimensions);
    return { object: "embedding", index, embedding: format === "base64" ? inBase64(vector) : [...vector] };
  });
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return json({ object: "list", data, model: model.id, usage });
};

import * as z from "zod";
import { imageAmount } from "../../api/money/estimate.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { parseDraft, parseFromStudio, parseStrokes } from "../protocol/studioProtocol.ts";
import type { PictureFacts } from "../protocol/studioState.ts";

/**
 * Schemas for messages, files and listings of the studio. They are in the bundle that contains zod already: a copy
 * of it would be larger than the studio itself.
 */
export const imageSchemas = { imageAmount, parseDraft, parseFromStudio, parseStrokes, parseFacts };
export type ImageSchemas = typeof imageSchemas;

const Facts = z.looseObject({
  v: z.literal(1),
  prompt: z.string(),
  model: z.string(),
  seed: z.number().nullable().catch(null),
  costUsd: z.number().nullable().catch(null),
  isPlayMoney: z.boolean().catch(false),
  at: z.iso.datetime(),
  way: z.enum(["generate", "edit", "combine"]),
  width: z.number(),
  height: z.number(),
  service: z.string().catch(""),
  isBlurred: z.boolean().catch(false),
  choices: z.record(z.string(), z.union([z.string(), z.boolean()])).catch({}),
  inputs: z.array(z.string()).catch([]),
});

/** Reads the file of facts beside a picture; undefined if it is damaged, of another program or of a later version. */
export function parseFacts(text: string): PictureFacts | undefined {
  const parsed = Facts.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { v: _, ...facts } = parsed.data;
  return facts;
}

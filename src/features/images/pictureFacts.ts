import * as z from "zod";
import type { PictureFacts } from "../../shared/studioState.ts";

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

/** What stands beside a picture; undefined for a file that is damaged, someone else's or of a later version. */
export function parseFacts(text: string): PictureFacts | undefined {
  try {
    const parsed = Facts.safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    const { v: _, ...facts } = parsed.data;
    return facts;
  } catch {
    return undefined;
  }
}

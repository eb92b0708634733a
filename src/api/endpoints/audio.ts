import * as z from "zod";
import { endpoint } from "../endpoint.ts";
import { free } from "../money/price.ts";
import { fileUpTo25Mb } from "./files.ts";

export const AudioFormat = z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]);
export type AudioFormat = z.infer<typeof AudioFormat>;

export const audio = {
  /** POST /audio/speech (spec E7; names from wire.md section 7): one file, or sentence by sentence. */
  speech: endpoint({
    method: "POST",
    path: "/audio/speech",
    auth: "inference",
    wallet: true,
    encode: "json",
    decode: "binary",
    accept: "audio/*, application/json",
    resend: "billed",
    price: { by: "characters" },
    input: z.strictObject({
      input: z.string().min(1).max(4096),
      model: z.string().min(1),
      voice: z.string().min(1).optional(),
      response_format: AudioFormat.optional(),
      speed: z.number().min(0.25).max(4).optional(),
      streaming: z.boolean().optional(),
      language: z.string().min(2).max(32).optional(),
      prompt: z.string().max(500).optional(),
      temperature: z.number().min(0).max(2).optional(),
      top_p: z.number().min(0).max(1).optional(),
    }),
    output: z.unknown(),
  }),
  /** POST /audio/voices (wire.md section 1): clones a voice from a sample, for one model. */
  createVoice: endpoint({
    method: "POST",
    path: "/audio/voices",
    auth: "inference",
    encode: "multipart",
    decode: "json",
    resend: "billed",
    price: free,
    input: z.strictObject({ file: fileUpTo25Mb, model: z.string().min(1) }),
    output: z.looseObject({ id: z.string(), model: z.string() }),
  }),
};

import { endpoint } from "../../endpoint.ts";
import { createReasoningSplit } from "../../reasoningSplit.ts";
import { ChatChunk, ChatCompletion, chunkOfCompletion } from "./chatReply.ts";
import { ChatRequest } from "./chatRequest.ts";
import { isPlainChunk } from "./plainChunk.ts";

const completions = {
  method: "POST",
  path: "/chat/completions",
  auth: "inference",
  encode: "json",
  input: ChatRequest,
  resend: "unanswered",
  price: { by: "tokens" },
} as const;

export const chat = {
  /** POST /chat/completions without streaming (spec E10). */
  complete: endpoint({ ...completions, decode: "json", output: ChatCompletion }),
  /** POST /chat/completions with `stream: true` (wire.md section 5). */
  stream: endpoint({
    ...completions,
    decode: "events",
    fixed: { stream: true },
    output: ChatChunk,
    eventOf: chunkOfCompletion,
    isPlain: isPlainChunk,
    shaper: createReasoningSplit,
  }),
};

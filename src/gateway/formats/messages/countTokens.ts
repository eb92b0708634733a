import type { ChatRequest, ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import { estimateImageTokens, tokensPerMessage, upperTokens } from "../../../shared/chat/tokenEstimate.ts";
import type { Members } from "../../../shared/members.ts";
import { readBody } from "./readBody.ts";

/** The largest picture, in pixels, that a model looks at. */
const largestSide = 1568;
/** Characters of base64 per token of a document, which is made of letters, fonts and pictures. */
const dataPerToken = 16;

/**
 * The answer of POST /v1/messages/count_tokens: an estimate, rather too many than too few, without a call of the
 * service. Throws ApiError `invalid-request` as for the message itself.
 */
export function countTokens(body: Members): { readonly input_tokens: number } {
  const { messages, tools, response_format } = readBody(body, true).request;
  const offered = [tools, response_format].map((value) => (value ? upperTokens(JSON.stringify(value)) : 0));
  const tokens = [...messages.map(tokensOfMessage), ...offered].reduce((sum, count) => sum + count, 0);
  return { input_tokens: tokens };
}

function tokensOfMessage({ content, ...others }: ChatRequest["messages"][number]): number {
  const { role: _, ...members } = others;
  const rest = Object.keys(members).length > 0 ? upperTokens(JSON.stringify(members)) : 0;
  const parts = typeof content === "string" ? upperTokens(content) : (content ?? []).reduce(add, 0);
  return tokensPerMessage + rest + parts;
}

function add(sum: number, part: ContentPart): number {
  if (part.type === "text") return sum + upperTokens(part.text);
  if (part.type === "image_url") return sum + estimateImageTokens(largestSide, largestSide);
  return sum + (part.type === "file" ? Math.ceil(part.file.file_data.length / dataPerToken) : 0);
}

import { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { checkInput } from "../../../api/validate.ts";
import { isMembers, type Members } from "../../../shared/members.ts";
import type { AgentFormat } from "../agentFormat.ts";
import { createChatWriter } from "./chatWriter.ts";
import { errorBody } from "./errorBody.ts";

/** `POST /v1/chat/completions` as OpenAI defines it. Members that the chat route lacks are refused by name. */
export const chatFormat: AgentFormat = {
  read(body, context) {
    const { stream, ...members } = knownOnly(body);
    checkStream(stream);
    const request = checkInput("gateway.chat", ChatRequest, members);
    const isStreamed = stream === true;
    const hasUsage = request.stream_options?.include_usage === true;
    const { model, prompt_cache_key: session } = request;
    return {
      request,
      isStreamed,
      ...(session ? { session } : {}),
      openWriter: () =>
        createChatWriter({ model, newId: context.newId, now: context.now, isStreamed, hasUsage }),
    };
  },
  errorBody,
};

function checkStream(stream: unknown): void {
  if (stream === undefined || typeof stream === "boolean") return;
  checkInput("gateway.chat", ChatRequest.pick({ logprobs: true }).strict(), { stream });
}

/** The values by which these members say nothing. */
const sayNothing: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['"auto"', '"default"'],
  logit_bias: ["{}"],
  modalities: ['["text"]'],
};

/** Without members that say nothing, with the names of the specification. */
function knownOnly(body: Members): Members {
  const said = Object.entries(body).filter(([name, value]) => value !== null && !saysNothing(name, value));
  const { venice_parameters, promptCacheKey, messages, ...members } = Object.fromEntries(said);
  return {
    ...(promptCacheKey === undefined ? {} : { prompt_cache_key: promptCacheKey }),
    ...members,
    ...(venice_parameters === undefined ? {} : { service_parameters: venice_parameters }),
    messages: Array.isArray(messages) ? messages.map(readMessage) : messages,
  };
}

function saysNothing(name: string, value: unknown): boolean {
  return Object.hasOwn(sayNothing, name) && (sayNothing[name]?.includes(JSON.stringify(value)) ?? false);
}

/** Clients send answers back as they got them, with members that are null or empty, and with other names of the reasoning. */
function readMessage(message: unknown): unknown {
  if (!isMembers(message)) return message;
  const said = Object.entries(message).filter(
    ([name, value]) => (value !== null || name === "content") && !isEmptyList(name, value),
  );
  const { reasoning, refusal, content, ...members } = Object.fromEntries(said);
  if (message.role !== "assistant") return { ...Object.fromEntries(said), ...withoutEmptyParts(content) };
  return {
    ...members,
    ...(content === undefined ? {} : { content }),
    // A refusal is what the assistant said.
    ...(refusal === undefined ? {} : { content: content ?? refusal }),
    ...(reasoning === undefined || members.reasoning_content ? {} : { reasoning_content: reasoning }),
  };
}

/** Some clients send an empty text beside a picture, which the public service refuses. */
function withoutEmptyParts(content: unknown): { readonly content?: unknown } {
  if (!Array.isArray(content)) return {};
  const parts = content.filter((part) => !(isMembers(part) && part.type === "text" && part.text === ""));
  return { content: parts.length > 0 ? parts : "" };
}

function isEmptyList(name: string, value: unknown): boolean {
  return (name === "annotations" || name === "tool_calls") && Array.isArray(value) && value.length === 0;
}

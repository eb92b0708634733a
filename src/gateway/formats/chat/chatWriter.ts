import type {
  ChatChunk,
  ChatCompletion,
  ReplyMessage,
  Usage,
} from "../../../api/endpoints/chat/chatReply.ts";
import { AnswerBuilder } from "../../../api/stream/chatAnswer.ts";
import { definedMembers } from "../../../shared/members.ts";
import type { AnswerWriter, WireEvent } from "../agentFormat.ts";
import { cutOffEvent, doneEvent, failureEvent } from "./dataEvents.ts";

interface ChatWriterOptions {
  readonly model: string;
  /** For a service that names none. */
  readonly id: string;
  readonly now: () => number;
  /** A stream is not joined, so that its text is not kept. */
  readonly isStreamed: boolean;
  /** True if a stream ends with the token counts. */
  readonly hasUsage: boolean;
}

/** Passes chunks on in the shape of OpenAI, and joins them for a client that asked for no stream. */
export function createChatWriter({ model, id, now, isStreamed, hasUsage }: ChatWriterOptions): AnswerWriter {
  const head = { id, created: Math.floor(now() / 1000), model };
  const builder = new AnswerBuilder();
  let usage: Usage | undefined;
  const event = (members: object): WireEvent => ({
    data: JSON.stringify({ ...head, object: "chat.completion.chunk", ...members }),
  });
  return {
    begin: () => [],
    add(chunk) {
      if (!isStreamed) builder.add(chunk);
      if (chunk.id) head.id = chunk.id;
      if (chunk.created) head.created = chunk.created;
      if (chunk.model) head.model = chunk.model;
      if (chunk.usage) usage = chunk.usage;
      return chunk.choices.length > 0 ? [event({ choices: chunk.choices.map(toWireChoice) })] : [];
    },
    end(end) {
      if (end === "truncated") return [cutOffEvent];
      return [...(hasUsage && usage ? [event({ choices: [], usage })] : []), doneEvent];
    },
    fail: ({ status, sentence }) => [failureEvent(status, sentence)],
    whole: () => toWhole(builder.answer(), head),
  };
}

function toWireChoice({ index, delta, finish_reason, logprobs }: ChatChunk["choices"][number]): object {
  const { ends_reasoning: _, ...said } = delta;
  return definedMembers({ index, delta: said, finish_reason: finish_reason ?? null, logprobs });
}

function toWhole(answer: ChatCompletion, head: object): object {
  const { usage } = answer;
  const choices = answer.choices.map(({ index, message, finish_reason, logprobs }) => ({
    index,
    message: toWholeMessage(message),
    finish_reason: finish_reason ?? null,
    logprobs: logprobs ?? null,
  }));
  return { ...head, object: "chat.completion", choices, ...(usage ? { usage } : {}) };
}

function toWholeMessage({
  ends_reasoning: _,
  role,
  content,
  refusal,
  tool_calls: calls,
  ...others
}: ReplyMessage) {
  const made = calls?.map(({ index: _place, ...call }) => call);
  return definedMembers({
    role: role ?? "assistant",
    content: content ?? null,
    refusal: refusal ?? null,
    ...others,
    tool_calls: made?.length ? made : undefined,
  });
}

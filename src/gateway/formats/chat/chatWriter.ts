import type {
  ChatChunk,
  ChatCompletion,
  ReplyMessage,
  Usage,
} from "../../../api/endpoints/chat/chatReply.ts";
import { AnswerBuilder } from "../../../api/stream/chatAnswer.ts";
import { definedMembers } from "../../../shared/members.ts";
import type { AnswerWriter, WireEvent } from "../agentFormat.ts";
import { type AnswerEnd, answerEnd } from "../answerEnd.ts";
import { CallIds } from "../callIds.ts";
import { CallFragments, noArguments } from "./callFragments.ts";
import { cutOffEvent, doneEvent, failureEvent } from "./dataEvents.ts";

interface ChatWriterOptions {
  readonly model: string;
  readonly newId: (prefix: string) => string;
  readonly now: () => number;
  /** A stream is not joined, so that its text is not kept. */
  readonly isStreamed: boolean;
  /** True if a stream ends with the token counts. */
  readonly hasUsage: boolean;
}

/** One answer of a stream. */
interface StreamedChoice {
  readonly calls: CallFragments;
  /** As the service said it. */
  reason: string | undefined;
}

type Choice = ChatChunk["choices"][number];

/**
 * Passes chunks on in the shape of OpenAI, and joins them for a client that asked for no stream. Libraries want more than most
 * services send: a role at the beginning of each answer, calls with id, type and number, and a known reason at its end.
 */
export function createChatWriter(options: ChatWriterOptions): AnswerWriter {
  const { model, newId, now, isStreamed, hasUsage } = options;
  const head = { id: newId("chatcmpl-"), created: Math.floor(now() / 1000), model };
  const builder = new AnswerBuilder();
  const choices = new Map<number, StreamedChoice>();
  let usage: Usage | undefined;
  const event = (members: object): WireEvent => ({
    data: JSON.stringify({ ...head, object: "chat.completion.chunk", ...members }),
  });
  const chunkOf = (index: number, delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index, delta, finish_reason }] });
  const toWireChoice = ({ index, delta, finish_reason, logprobs }: Choice) => {
    const known = choices.get(index);
    const choice = known ?? { calls: new CallFragments(newId), reason: undefined };
    choices.set(index, choice);
    choice.reason = finish_reason ?? choice.reason;
    const { ends_reasoning: _, role, tool_calls, ...said } = delta;
    const calls = (tool_calls ?? []).flatMap((fragment) => choice.calls.add(fragment) ?? []);
    const wire = definedMembers({
      ...(known ? {} : { role: role || "assistant" }),
      ...said,
      tool_calls: calls.length > 0 ? calls : undefined,
    });
    if (Object.keys(wire).length === 0 && !logprobs) return [];
    return [definedMembers({ index, delta: wire, finish_reason: null, logprobs })];
  };
  /** What is left of each answer, and why it is over. */
  const finish = (): WireEvent[] => {
    // A service that sent nothing gave an empty answer.
    const opened = choices.size === 0 ? toWireChoice({ index: 0, delta: { content: "" } }) : [];
    const ended = [...choices].flatMap(([index, { calls, reason }]) => {
      const end = answerEnd(reason, calls.hasCalls);
      const left = calls.end(end === "length");
      return [...(left.length > 0 ? [chunkOf(index, { tool_calls: left })] : []), chunkOf(index, {}, end)];
    });
    return [...(opened.length > 0 ? [event({ choices: opened })] : []), ...ended];
  };
  return {
    begin: () => [],
    add(chunk) {
      if (!isStreamed) builder.add(chunk);
      if (chunk.id) head.id = chunk.id;
      if (chunk.created) head.created = chunk.created;
      if (chunk.model) head.model = chunk.model;
      if (chunk.usage) usage = chunk.usage;
      const written = isStreamed ? chunk.choices.flatMap(toWireChoice) : [];
      return written.length > 0 ? [event({ choices: written })] : [];
    },
    end(end) {
      const isOver = [...choices.values()].every(({ reason }) => reason !== undefined) && choices.size > 0;
      if (end === "truncated" && !isOver) return [cutOffEvent];
      if (!isStreamed) return [];
      const counts = hasUsage && usage ? [event({ choices: [], usage: toUsage(usage) })] : [];
      return [...finish(), ...counts, doneEvent];
    },
    fail: ({ status, sentence }) => [failureEvent(status, sentence)],
    whole: () => toWhole(builder.answer(), head, newId),
  };
}

/** Not all services state the sum, which clients add up. */
function toUsage(usage: Usage): Usage {
  return { ...usage, total_tokens: usage.total_tokens ?? usage.prompt_tokens + usage.completion_tokens };
}

function toWhole(
  { usage, choices }: ChatCompletion,
  head: object,
  newId: ChatWriterOptions["newId"],
): object {
  const answers = choices.length > 0 ? choices : [{ index: 0, message: {}, finish_reason: null }];
  const written = answers.map(
    ({ index, message, finish_reason, logprobs }: ChatCompletion["choices"][number]) => {
      const end = answerEnd(finish_reason, Boolean(message.tool_calls?.length));
      return {
        index,
        message: toWholeMessage(message, end, newId),
        finish_reason: end,
        logprobs: logprobs ?? null,
      };
    },
  );
  const counts = usage ? { usage: toUsage(usage) } : {};
  return { ...head, object: "chat.completion", choices: written, ...counts };
}

function toWholeMessage(
  { ends_reasoning: _, role, content, refusal, tool_calls: calls, ...others }: ReplyMessage,
  end: AnswerEnd,
  newId: ChatWriterOptions["newId"],
) {
  const ids = new CallIds(() => newId("call_"));
  const made = calls?.map(({ index: _place, function: inner, ...call }) => ({
    ...call,
    id: ids.next(call.id),
    ...(inner ? { function: { ...inner, arguments: inner.arguments || noArguments(end === "length") } } : {}),
  }));
  return definedMembers({
    role: role || "assistant",
    content: content ?? null,
    refusal: refusal ?? null,
    ...others,
    tool_calls: made?.length ? made : undefined,
  });
}

import type { ChatChunk, Usage } from "../../../api/endpoints/chat/chatReply.ts";
import type { AnswerWriter, WireEvent } from "../agentFormat.ts";
import { answerEnd } from "../answerEnd.ts";
import { cutOffEvent, doneEvent, failureEvent } from "../chat/dataEvents.ts";
import { joinChances, type TextChances, toTextChances } from "./textChances.ts";

interface TextWriterOptions {
  readonly model: string;
  /** For a service that names none. */
  readonly id: string;
  readonly now: () => number;
  /** A stream is not joined, so that its text is not kept. */
  readonly isStreamed: boolean;
  /** The prompt, if each answer begins with it; else empty. */
  readonly echo: string;
  /** True if a stream ends with the token counts. */
  readonly hasUsage: boolean;
}

/** The parts of an answer, kept where it is not streamed. */
interface TextChoice {
  readonly texts: string[];
  /** Characters before the next part. */
  length: number;
  readonly chances: TextChances[];
  reason: string | null;
}

type Choice = ChatChunk["choices"][number];

/** Writes the text of an answer in the shape of `text_completion`. Reasoning is left out: the format has no place for it. */
export function createTextWriter({
  model,
  id,
  now,
  isStreamed,
  echo,
  hasUsage,
}: TextWriterOptions): AnswerWriter {
  const head = { id, object: "text_completion", created: Math.floor(now() / 1000), model };
  const choices = new Map<number, TextChoice>();
  let usage: Usage | undefined;
  const event = (members: object): WireEvent => ({ data: JSON.stringify({ ...head, ...members }) });
  const add = (choice: Choice) => {
    const kept = choices.get(choice.index);
    const known = kept ?? { texts: [], length: 0, chances: [], reason: null };
    choices.set(choice.index, known);
    const text = (kept ? "" : echo) + textOf(choice);
    const chances = toTextChances(choice.logprobs, known.length);
    const reason = choice.finish_reason ? answerEnd(choice.finish_reason, false) : null;
    known.length += text.length;
    known.reason = reason ?? known.reason;
    if (!isStreamed) {
      known.texts.push(text);
      if (chances) known.chances.push(chances);
    }
    return { text, index: choice.index, logprobs: chances ?? null, finish_reason: reason };
  };
  /** The reason of each answer for which the service has said none. */
  const finish = (): WireEvent[] => {
    const left = [...choices].filter(([, { reason }]) => reason === null);
    for (const [, choice] of left) choice.reason = answerEnd(null, false);
    if (left.length === 0) return [];
    return [
      event({
        choices: left.map(([index, { reason }]) => ({
          text: "",
          index,
          logprobs: null,
          finish_reason: reason,
        })),
      }),
    ];
  };
  return {
    begin: () => [],
    add(chunk) {
      if (chunk.id) head.id = chunk.id;
      if (chunk.created) head.created = chunk.created;
      if (chunk.model) head.model = chunk.model;
      if (chunk.usage) usage = chunk.usage;
      const written = chunk.choices.map(add);
      const said = written.filter(({ text, finish_reason }) => text !== "" || finish_reason !== null);
      return said.length > 0 ? [event({ choices: said })] : [];
    },
    end(end) {
      if (end === "truncated") return [cutOffEvent];
      const ended = finish();
      return [...ended, ...(hasUsage && usage ? [event({ choices: [], usage })] : []), doneEvent];
    },
    fail: ({ status, sentence }) => [failureEvent(status, sentence)],
    whole: () => ({ ...head, choices: [...choices].map(toWhole), ...(usage ? { usage } : {}) }),
  };
}

function toWhole([index, { texts, chances, reason }]: readonly [number, TextChoice]): object {
  return { text: texts.join(""), index, logprobs: joinChances(chances) ?? null, finish_reason: reason };
}

/** A model's reason for a refusal is its answer. */
function textOf({ delta }: Choice): string {
  return `${delta.content ?? ""}${delta.refusal ?? ""}`;
}

import type { ChatMessage, ChatRequest, ContentPart } from "../../api/endpoints/chatRequest.ts";
import type { Message } from "../../shared/chatState.ts";

/** What is asked of a model: the path that ends with the question. */
export interface Question {
  readonly model: string;
  readonly path: readonly Message[];
  /** What goes along with the questions of the path, by their ids. */
  readonly parts: ReadonlyMap<string, readonly ContentPart[]>;
}

/** The question as the service takes it (spec E10). */
export function toChatRequest({ model, path, parts }: Question): ChatRequest {
  return {
    model,
    messages: [...path.flatMap((message) => toRequestMessages(message, parts)), ...toGoOn(path.at(-1))],
    stream_options: { include_usage: true },
    // Its own prompt would cost over a thousand tokens a turn, and speaks of other things than code.
    service_parameters: { include_venice_system_prompt: false },
  };
}

/** Answers that never came are left out. */
function toRequestMessages(message: Message, parts: Question["parts"]): ChatMessage[] {
  if (message.role === "user") {
    const attached = parts.get(message.id) ?? [];
    const { text } = message;
    return [{ role: "user", content: attached.length === 0 ? text : [...attached, { type: "text", text }] }];
  }
  return message.text === "" ? [] : [{ role: "assistant", content: message.text }];
}

/** An answer at the end is one that broke off. */
function toGoOn(last: Message | undefined): ChatMessage[] {
  if (last?.role !== "assistant" || last.text === "") return [];
  return [{ role: "user", content: goOn }];
}

const goOn =
  "Your answer broke off. Go on exactly where it ended, in the middle of the word if need be. Repeat nothing, and say nothing about it.";

import type { ChatMessage, ChatRequest } from "../../api/endpoints/chatRequest.ts";
import type { Message } from "../../shared/chatState.ts";

/** What is asked of a model: the path that ends with the question. */
export interface Question {
  readonly model: string;
  readonly path: readonly Message[];
}

/** The question as the service takes it (spec E10). */
export function toChatRequest({ model, path }: Question): ChatRequest {
  return {
    model,
    messages: [...path.flatMap(toRequestMessages), ...toGoOn(path.at(-1))],
    stream_options: { include_usage: true },
    // Its own prompt would cost over a thousand tokens a turn, and speaks of other things than code.
    service_parameters: { include_venice_system_prompt: false },
  };
}

/** Answers that never came are left out. */
function toRequestMessages(message: Message): ChatMessage[] {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  return message.text === "" ? [] : [{ role: "assistant", content: message.text }];
}

/** An answer at the end is one that broke off. */
function toGoOn(last: Message | undefined): ChatMessage[] {
  if (last?.role !== "assistant" || last.text === "") return [];
  return [{ role: "user", content: goOn }];
}

const goOn =
  "Your answer broke off. Go on exactly where it ended, in the middle of the word if need be. Repeat nothing, and say nothing about it.";

import type { Called } from "../../../api/call/record/callRecorder.ts";
import { isMembers, type Members } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { answerText } from "../bodyText.ts";

/** Values of attributes; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A part of a message, as the conventions for generative AI name its members. */
type Part =
  | { readonly type: "text"; readonly content: string }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "tool_call_response"; readonly id: string; readonly response: string };

interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly finish_reason?: string;
}

/** What was asked and answered, as JSON text. Spans of OTLP have no structured attributes everywhere. */
export function contentAttributes({ attempts }: Called): Attributes {
  const last = attempts.at(-1);
  const request = parseJson(last?.request?.text ?? "");
  const { response } = last ?? {};
  const asked = isMembers(request) ? messagesIn(request) : [];
  const answered = response?.text === undefined ? [] : answersIn(response.text, answerText(response));
  return {
    "gen_ai.input.messages": asked.length === 0 ? undefined : JSON.stringify(asked),
    "gen_ai.output.messages": answered.length === 0 ? undefined : JSON.stringify(answered),
  };
}

function messagesIn({ messages, prompt, input }: Members): Message[] {
  if (Array.isArray(messages)) return messages.filter(isMembers).map(toMessage);
  const text = [prompt, input].find((value): value is string => typeof value === "string");
  return text === undefined ? [] : [{ role: "user", parts: [{ type: "text", content: text }] }];
}

function toMessage({ role, content, tool_calls: calls, tool_call_id: answered }: Members): Message {
  const name = typeof role === "string" ? role : "user";
  const texts = Array.isArray(content) ? content.map(textOfPart) : [textOfPart(content)];
  const text = texts.filter((part) => part !== "").join("\n");
  if (typeof answered === "string")
    return { role: name, parts: [{ type: "tool_call_response", id: answered, response: text }] };
  const said: Part[] = text === "" ? [] : [{ type: "text", content: text }];
  return { role: name, parts: [...said, ...(Array.isArray(calls) ? calls.flatMap(toToolCall) : [])] };
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isMembers(part)) return "";
  return typeof part.text === "string" ? part.text : `[${String(part.type)}]`;
}

function toToolCall(call: unknown): Part[] {
  if (!isMembers(call) || !isMembers(call.function)) return [];
  const { name, arguments: given } = call.function;
  return [
    {
      type: "tool_call",
      id: String(call.id ?? ""),
      name: String(name ?? ""),
      arguments: String(given ?? ""),
    },
  ];
}

/** The choices of a complete answer, else the joined text of a stream. Other replies have no messages. */
function answersIn(text: string, joined: string): Message[] {
  const reply = parseJson(text);
  if (isMembers(reply) && Array.isArray(reply.choices))
    return reply.choices.filter(isMembers).map(({ message, finish_reason: reason }) => ({
      ...toMessage(isMembers(message) ? message : {}),
      role: "assistant",
      finish_reason: typeof reason === "string" ? reason : "",
    }));
  if (!text.startsWith("data:")) return [];
  return [{ role: "assistant", parts: [{ type: "text", content: joined.trimEnd() }], finish_reason: "" }];
}

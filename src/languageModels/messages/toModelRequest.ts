import {
  type ChatMessage,
  ChatRequest,
  type ContentPart,
  type Tool,
  type ToolCall,
} from "../../api/endpoints/chat/chatRequest.ts";
import { withoutMetadata } from "../../api/withoutMetadata.ts";
import { mayHaveHappened } from "../../shared/mayHaveHappened.ts";
import type { CallEchoes } from "../callEchoes.ts";
import type { ChatTurn, ImageContent, MessagePart, TextContent } from "./readMessages.ts";

type Assistant = Extract<ChatMessage, { readonly role: "assistant" }>;
type CallPart = Extract<MessagePart, { readonly kind: "call" }>;

/** A request of the editor to one model. */
export interface ModelRequest {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema?: object | undefined;
  }[];
  readonly mustCallTool: boolean;
  readonly effort: string | undefined;
  /** The key of a conversation that begins with these messages. A caller's own key takes precedence. */
  readonly cacheKeyOf: (beginning: readonly ChatMessage[]) => string;
  /** As the caller sent them. */
  readonly modelOptions: Readonly<Record<string, unknown>>;
}

/** Finds a call of an earlier answer of this model, as the service sent it. */
type FindEcho = (call: CallPart) => ReturnType<CallEchoes["find"]>;

/** Builds the request body (spec E10). */
export function toModelRequest(request: ModelRequest, findEcho: FindEcho): ChatRequest {
  const { model, turns, tools, mustCallTool, effort, modelOptions, cacheKeyOf } = request;
  const messages = toChatMessages(turns, findEcho);
  return {
    prompt_cache_key: cacheKeyOf(beginningOf(messages)),
    ...usableOptions(modelOptions),
    ...(effort ? { reasoning_effort: effort as NonNullable<ChatRequest["reasoning_effort"]> } : {}),
    model,
    messages,
    stream_options: { include_usage: true },
    // The service's system prompt costs over a thousand tokens per turn and is not about code.
    service_parameters: { include_venice_system_prompt: false },
    ...(tools.length > 0 ? { tools: tools.map(toTool) } : {}),
    ...(tools.length > 0 && mustCallTool ? { tool_choice: "required" } : {}),
  };
}

/** What all requests of a conversation begin with. The editor does not say which conversation a request belongs to. */
function beginningOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const answer = messages.findIndex(({ role }) => role === "assistant");
  return answer < 0 ? messages : messages.slice(0, answer);
}

/** Set here, or of no use to a caller that reads one answer. */
const ownMembers: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream_options",
  "service_parameters",
  "tools",
  "tool_choice",
  "n",
  "logprobs",
  "top_logprobs",
]);

/** Options that the service does not know are skipped: callers write them for many vendors. */
function usableOptions(options: Readonly<Record<string, unknown>>): Partial<ChatRequest> {
  const entries = Object.entries(options).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(ChatRequest.shape, name) && !ownMembers.has(name),
  );
  return Object.fromEntries(entries);
}

function toTool({ name, description, inputSchema }: ModelRequest["tools"][number]): Tool {
  const parameters = { ...(inputSchema ?? { type: "object", properties: {} }) };
  return { type: "function", function: { name, description, parameters } };
}

/** The editor does not tell whether it has begun the call. */
const noResult = `There is no result of this call. ${mayHaveHappened.unknown} Go on without it.`;

/** Calls that wait for their results, and the messages that arrived meanwhile. */
interface Round {
  readonly ids: readonly string[];
  readonly results: Map<string, string>;
  readonly later: ChatMessage[];
}

/**
 * Messages in the order that services demand: the results of all calls follow the calls directly. A call without a
 * result gets one that says so. A result without its call becomes text.
 */
function toChatMessages(turns: readonly ChatTurn[], findEcho: FindEcho): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let round: Round | undefined;
  const endRound = () => {
    for (const id of round?.ids ?? [])
      messages.push({ role: "tool", tool_call_id: id, content: round?.results.get(id) ?? noResult });
    messages.push(...(round?.later ?? []));
    round = undefined;
  };
  for (const { role, parts } of turns) {
    if (role === "assistant") {
      endRound();
      const calls = parts.filter((part) => part.kind === "call");
      const message = toAssistant(parts, calls, findEcho);
      if (message) messages.push(message);
      if (calls.length > 0) round = { ids: calls.map(({ id }) => id), results: new Map(), later: [] };
      continue;
    }
    const content = parts.flatMap((part) => takePart(part, round));
    if (content.length > 0) (round?.later ?? messages).push({ role, content: asContent(content) });
  }
  endRound();
  return messages;
}

function toAssistant(
  parts: readonly MessagePart[],
  calls: readonly CallPart[],
  findEcho: FindEcho,
): Assistant | undefined {
  const text = textOf(parts, "text");
  if (text === "" && calls.length === 0) return undefined;
  const found = calls.map((call) => ({ call, stored: findEcho(call) }));
  const { reasoning_content, ...echo } = found.find(({ stored }) => stored)?.stored?.echo ?? {};
  const reasoning = reasoning_content || textOf(parts, "thinking");
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...echo,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(calls.length > 0
      ? { tool_calls: found.map(({ call, stored }) => stored?.call ?? toToolCall(call)) }
      : {}),
  };
}

function toToolCall({ id, name, input }: CallPart): ToolCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input ?? {}) } };
}

/** Adds a result to its round; returns the parts of a user message. Tool messages hold text alone. */
function takePart(part: MessagePart, round: Round | undefined): ContentPart[] {
  if (part.kind === "text" || part.kind === "image") return [toContent(part)];
  if (part.kind !== "result") return [];
  const text = textOf(part.parts, "text");
  const images = part.parts.filter((one) => one.kind === "image").map(toContent);
  const note = images.length > 0 ? "Its images follow in the next message." : "There is no output.";
  if (!round?.ids.includes(part.id))
    return [{ type: "text", text: `Result of an earlier tool call:\n${text || note}` }, ...images];
  round.results.set(part.id, text || note);
  return images;
}

function toContent(part: TextContent | ImageContent): ContentPart {
  if (part.kind === "text") return { type: "text", text: part.text };
  const base64 = Buffer.from(withoutMetadata(part.data)).toString("base64");
  return { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${base64}` } };
}

/** Text alone as a string: some services refuse parts in system messages. */
function asContent(parts: readonly ContentPart[]): string | ContentPart[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n") : [...parts];
}

function textOf(parts: readonly MessagePart[], kind: "text" | "thinking"): string {
  return parts.flatMap((part) => (part.kind === kind && "text" in part ? [part.text] : [])).join("");
}

import {
  AnswerEcho,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  type Tool,
  type ToolCall,
} from "../../api/endpoints/chatRequest.ts";
import type { Message, ToolCallCard } from "../../shared/chatMessages.ts";
import type { ModelCard } from "../../shared/chatModels.ts";
import type { ChatSettings } from "../../shared/chatSettings.ts";
import { usableSettings } from "../../shared/chatUsable.ts";
import type { ChatTool } from "./tools/tool.ts";

/** What is asked of a model: the path that ends with the question, and how. */
export interface ChatQuestion {
  readonly model: string;
  /** What is known of the model: it is not asked for what it can't. */
  readonly card: ModelCard | undefined;
  readonly path: readonly Message[];
  /** What goes along with the questions of the path, by their ids. */
  readonly parts: ReadonlyMap<string, readonly ContentPart[]>;
  readonly settings: ChatSettings;
  /** What the model may ask for. */
  readonly tools: readonly ChatTool[];
  /** How many answers it is to give. */
  readonly choices: number;
  /** The same for all questions of a conversation: their common beginning may be cached (wire.md section 5). */
  readonly cacheKey: string;
}

/** The question as the service takes it (spec E10). */
export function toChatRequest(question: ChatQuestion): ChatRequest {
  const { model, card, path, parts, settings, tools, choices, cacheKey } = question;
  const {
    system,
    schema,
    verbosity,
    service,
    budgetUsd: _,
    n: __,
    tools: named = [],
    ...members
  } = usableSettings(settings, card);
  const offered = tools.filter(({ name }) => named.includes(name)).map(toTool);
  return {
    model,
    messages: [
      ...(system ? [{ role: "system", content: system } as const] : []),
      ...path.flatMap((message) => toRequestMessages(message, parts)),
      ...toGoOn(path.at(-1)),
    ],
    stream_options: { include_usage: true },
    // Its own prompt would cost over a thousand tokens a turn, and speaks of other things than code.
    service_parameters: { include_venice_system_prompt: false, ...service },
    ...members,
    ...(choices > 1 ? { n: choices } : {}),
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...(verbosity ? { text: { verbosity } } : {}),
    ...(schema ? { response_format: toResponseFormat(schema) } : {}),
    ...(members.prompt_cache_retention ? { prompt_cache_key: cacheKey } : {}),
  };
}

function toResponseFormat(schema: string): ChatRequest["response_format"] {
  return {
    type: "json_schema",
    json_schema: { name: "answer", strict: true, schema: JSON.parse(schema) as Record<string, unknown> },
  };
}

/** Answers that never came are left out. */
function toRequestMessages(message: Message, parts: ChatQuestion["parts"]): ChatMessage[] {
  if (message.role === "user") {
    const attached = parts.get(message.id) ?? [];
    const { text } = message;
    const asked = text === "" ? [] : [{ type: "text", text } as const];
    return [{ role: "user", content: attached.length === 0 ? text : [...attached, ...asked] }];
  }
  const { text, reasoning, calls = [], echo: stored = {} } = message;
  const echo = AnswerEcho.parse(stored);
  if (calls.length === 0) return text === "" ? [] : [{ role: "assistant", content: text, ...echo }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...echo,
      // Some models refuse the result of a call whose reasoning doesn't come with it.
      ...(reasoning === "" || echo.reasoning_content ? {} : { reasoning_content: reasoning }),
      tool_calls: calls.map(toToolCall),
    },
    ...calls.map(
      ({ id, result }): ChatMessage => ({ role: "tool", tool_call_id: id, content: result ?? notRun }),
    ),
  ];
}

/** An answer at the end is one that broke off. */
function toGoOn(last: Message | undefined): ChatMessage[] {
  if (last?.role !== "assistant" || last.text === "" || last.calls?.length) return [];
  return [{ role: "user", content: continueAnswer }];
}

const notRun = "The user skipped this call: nothing was done. Go on without its result.";

/** As it came: services sign their calls, and refuse those that come back without it. */
function toToolCall({ id, name, arguments: text, isCustom, echo = {} }: ToolCallCard): ToolCall {
  const { function: inside, custom: insideCustom, ...others } = echo;
  if (isCustom)
    return { ...others, id, type: "custom", custom: { ...membersOf(insideCustom), name, input: text } };
  return { ...others, id, type: "function", function: { ...membersOf(inside), name, arguments: text } };
}

function membersOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function toTool({ name, description, parameters }: ChatTool): Tool {
  return { type: "function", function: { name, description, parameters } };
}

const continueAnswer =
  "Your answer broke off. Go on exactly where it ended, in the middle of the word if need be. Repeat nothing, and say nothing about it.";

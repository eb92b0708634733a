import {
  AnswerEcho,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  type Tool,
  type ToolCall,
} from "../../../api/endpoints/chat/chatRequest.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { splitModelId } from "../../../shared/chat/modelId.ts";
import { estimateTokens } from "../../../shared/chat/tokenEstimate.ts";
import { sentToolArguments } from "../../../shared/chat/toolArguments.ts";
import { membersOf, optionalMember } from "../../../shared/members.ts";
import { toolsOfMode } from "../../protocol/agentModes.ts";
import {
  type AnswerMessage,
  hasOnlyReasoning,
  type Message,
  type ToolCallCard,
} from "../../protocol/chatMessages.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { usableSettings } from "../../protocol/chatUsable.ts";
import { type InstructionFile, systemText } from "../agent/instructions.ts";
import { planToTell } from "../agent/userPlan.ts";
import { attachedParts } from "../attachments/attachedParts.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import { replyTo } from "../tools/rounds/earlyEnd.ts";
import type { ChatTool } from "../tools/tool.ts";
import { type DueSummary, dueSummary, summarisedPath } from "./compaction.ts";
import { type ContextWindow, takesImages } from "./contextWindow.ts";
import { promptRoom } from "./promptRoom.ts";

export interface RequestDeps {
  readonly chat: Pick<LiveChat, "state" | "tree">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  readonly context: Pick<ContextWindow, "fitPath" | "tokensOf" | "asSent">;
  /** Tools that a model may be offered, after they were read. */
  readonly tools: () => Promise<readonly ChatTool[]>;
  /** Instructions of the workspace for the modes that act. */
  readonly instructions: () => Promise<readonly InstructionFile[]>;
}

/** The request for an answer that is already in the conversation: the messages before it that fit, and the settings. */
export async function requestFor(
  deps: RequestDeps,
  { id, model }: AnswerMessage,
  choices: number,
): Promise<ChatRequest> {
  const { chat, blobs, cardOf, tools } = deps;
  const { settings, conversationId: cacheKey } = chat.state;
  const [card, offered] = [cardOf(model), await tools()];
  const system = await systemOf(deps);
  const sent = sentPath(deps, chat.tree.pathTo(id), card, {
    system,
    fixed: fixedTokens(deps, system, offered),
  });
  const parts = await attachedParts(sent, blobs, { images: takesImages(card) });
  return toChatRequest({
    model,
    card,
    settings: { ...settings, system },
    tools: offered,
    choices,
    cacheKey,
    path: sent,
    parts,
  });
}

/** The messages that fit, and are sent. */
function sentPath(
  { context }: Pick<RequestDeps, "context">,
  path: readonly Message[],
  card: ModelCard | undefined,
  { system, fixed }: { readonly system: string; readonly fixed: number },
): readonly Message[] {
  const whole = context.asSent(summarisedPath(path), card, fixed);
  return whole.slice(context.fitPath(whole, card, system).dropped);
}

/** What the request for this answer has to tell of a plan that the user has changed: it is stored with the answer. */
export async function planToTellIn(
  deps: RequestDeps,
  { id, model }: AnswerMessage,
): Promise<string | undefined> {
  const path = deps.chat.tree.pathTo(id);
  const system = await systemOf(deps);
  const fixed = fixedTokens(deps, system, await deps.tools());
  return planToTell(path, sentPath(deps, path, deps.cardOf(model), { system, fixed }));
}

/** The summary that a task needs before this answer is requested. */
export async function dueSummaryFor(
  deps: RequestDeps,
  { id, model }: AnswerMessage,
): Promise<DueSummary | undefined> {
  const { chat, cardOf, context, tools } = deps;
  const card = cardOf(model);
  const room = promptRoom(card?.contextTokens);
  if (room === undefined) return undefined;
  const path = chat.tree.pathTo(id);
  const system = await systemOf(deps);
  const fixed = fixedTokens(deps, system, await tools());
  return dueSummary(path, {
    ...{ room, fixed },
    tokensOf: (message) => context.tokensOf(message, card),
    asSent: (whole) => context.asSent(whole, card, fixed),
  });
}

/** Tokens that are sent besides the messages. */
function fixedTokens({ chat }: RequestDeps, system: string, tools: readonly ChatTool[]): number {
  const { mode = "ask", tools: chosen = [] } = chat.state.settings;
  const offered = JSON.stringify(toolsOfMode(tools, mode, chosen).map(toTool));
  return estimateTokens(system) + estimateTokens(offered);
}

async function systemOf({ chat, instructions }: RequestDeps): Promise<string> {
  const { system, mode = "ask" } = chat.state.settings;
  return systemText(system, mode, mode === "ask" ? [] : await instructions());
}

/** Input of one chat request: the path that ends with the question, and the settings. */
export interface ChatQuestion {
  readonly model: string;
  /** Limits of the model; parameters that it does not support are omitted. */
  readonly card: ModelCard | undefined;
  readonly path: readonly Message[];
  /** Attachments of the questions in the path, by message id. */
  readonly parts: ReadonlyMap<string, readonly ContentPart[]>;
  readonly settings: ChatSettings;
  /** Tools offered to the model. */
  readonly tools: readonly ChatTool[];
  /** Number of answers to request. */
  readonly choices: number;
  /**
   * Equal for all requests of a conversation, its branches and its tasks, so that the service can cache their common
   * prefix (wire.md section 5): the random id of the conversation.
   */
  readonly cacheKey: string;
}

/** Builds the request body (spec E10). */
export function toChatRequest(question: ChatQuestion): ChatRequest {
  const { model, card, path, parts, settings, tools, choices, cacheKey } = question;
  const {
    system,
    system_role: systemRole,
    user_name: userName,
    schema,
    schema_name: schemaName = "answer",
    schema_strict: isStrict = true,
    reasoning_summary: summary,
    tool_choice: toolChoice,
    parallel_tool_calls: inParallel,
    verbosity,
    service,
    budgetUsd: _,
    n: __,
    task: ___,
    mode = "ask",
    tools: chosen = [],
    ...members
  } = usableSettings(settings, card);
  const offered = toolsOfMode(tools, mode, chosen).map(toTool);
  return {
    model,
    messages: [
      ...(system ? [{ role: systemRole ?? ("system" as const), content: system }] : []),
      ...withToldPlans(path).flatMap((message) => toRequestMessages(message, parts, userName)),
      ...continuation(path.at(-1)),
    ],
    stream_options: { include_usage: true },
    service_parameters: { ...ownPrompt(model), ...service },
    ...members,
    ...(choices > 1 ? { n: choices } : {}),
    ...(offered.length > 0 ? { tools: offered, ...useOfTools(toolChoice, inParallel, path) } : {}),
    ...(summary ? { reasoning: { summary } } : {}),
    ...(verbosity ? { text: { verbosity } } : {}),
    ...(schema ? { response_format: toResponseFormat(schema, schemaName, isStrict) } : {}),
    prompt_cache_key: cacheKey,
  };
}

/** The service's system prompt costs over a thousand tokens per turn and is not about code. The body would overrule a suffix. */
function ownPrompt(model: string): ChatRequest["service_parameters"] {
  const isNamed = splitModelId(model).features.include_venice_system_prompt !== undefined;
  return isNamed ? {} : { include_venice_system_prompt: false };
}

/** A call is required once: with each round of a task it would never end. */
function useOfTools(
  choice: ChatSettings["tool_choice"],
  inParallel: boolean | undefined,
  path: readonly Message[],
): Pick<ChatRequest, "tool_choice" | "parallel_tool_calls"> {
  const isFirst = path.at(-1)?.role === "user";
  return {
    ...(choice && (isFirst || choice !== "required") ? { tool_choice: choice } : {}),
    ...(inParallel === undefined ? {} : { parallel_tool_calls: inParallel }),
  };
}

function toResponseFormat(schema: string, name: string, strict: boolean): ChatRequest["response_format"] {
  return {
    type: "json_schema",
    json_schema: { name, strict, schema: JSON.parse(schema) as Record<string, unknown> },
  };
}

/**
 * The plan of the user stays where it was first told: in the question before the answer, else as one of its own. So the
 * messages before it stay what they were.
 */
function withToldPlans(path: readonly Message[]): readonly Message[] {
  const messages: Message[] = [];
  for (const message of path) {
    const told = message.role === "assistant" ? message.userPlan : undefined;
    const before = messages.at(-1);
    if (told !== undefined && before?.role === "user")
      messages.splice(-1, 1, { ...before, text: `${before.text}\n\n${told}` });
    else if (told !== undefined) messages.push({ role: "user", id: `plan ${message.id}`, text: told });
    messages.push(message);
  }
  return messages;
}

/** Answers without any content are omitted. */
function toRequestMessages(
  message: Message,
  parts: ChatQuestion["parts"],
  userName: string | undefined,
): ChatMessage[] {
  if (message.role === "user") {
    const attached = parts.get(message.id) ?? [];
    const { text } = message;
    const asked = text === "" ? [] : [{ type: "text", text } as const];
    const content = attached.length === 0 ? text : [...attached, ...asked];
    return [{ role: "user", content, ...optionalMember("name", userName) }];
  }
  const { text, reasoning, calls = [], echo: stored = {} } = message;
  const echo = AnswerEcho.parse(stored);
  if (calls.length === 0) return text === "" ? [] : [{ role: "assistant", content: text, ...echo }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...echo,
      // Some models refuse the result of a call that is sent without its reasoning.
      ...(reasoning === "" || echo.reasoning_content ? {} : { reasoning_content: reasoning }),
      tool_calls: calls.map(toToolCall),
    },
    ...calls.map((call): ChatMessage => ({ role: "tool", tool_call_id: call.id, content: replyTo(call) })),
  ];
}

/** If the path ends with an answer, that answer was cut off and is to be continued, or it was reasoning alone. */
function continuation(last: Message | undefined): ChatMessage[] {
  if (last?.role !== "assistant" || last.calls?.length) return [];
  if (hasOnlyReasoning(last)) return [{ role: "user", content: giveAnswer }];
  if (last.text === "") return [];
  return [{ role: "user", content: continueAnswer }];
}

/** Valid calls are unchanged: services sign them and refuse calls that come back without the signature. */
function toToolCall({ id, name, arguments: text, isCustom, echo = {} }: ToolCallCard): ToolCall {
  const { function: inside, custom: insideCustom, ...others } = echo;
  if (isCustom)
    return { ...others, id, type: "custom", custom: { ...membersOf(insideCustom), name, input: text } };
  const sent = { ...membersOf(inside), name, arguments: sentToolArguments(text) };
  return { ...others, id, type: "function", function: sent };
}

function toTool({ name, description, parameters }: ChatTool): Tool {
  return { type: "function", function: { name, description, parameters } };
}

const giveAnswer =
  "Your last reply had reasoning only: no text and no call arrived. Give the answer now, or make the calls that you need.";
const continueAnswer =
  "Your answer broke off. Go on exactly where it ended, in the middle of the word if need be. Repeat nothing, and say nothing about it.";

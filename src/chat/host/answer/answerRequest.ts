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
  isQuestion,
  type Message,
  type ToolCallCard,
} from "../../protocol/chatMessages.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { usableSettings } from "../../protocol/chatUsable.ts";
import { planToTell } from "../agent/userPlan.ts";
import { attachedParts } from "../attachments/attachedParts.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ChatPrompt } from "../prompt/chatPrompt.ts";
import { replyTo } from "../tools/rounds/earlyEnd.ts";
import type { ChatTool } from "../tools/tool.ts";
import { type DueSummary, dueSummary, summarisedPath } from "./compaction.ts";
import { type BeginningTokens, type ContextWindow, takesImages } from "./contextWindow.ts";
import { promptRoom } from "./promptRoom.ts";

export interface RequestDeps {
  readonly chat: Pick<LiveChat, "state" | "tree">;
  readonly blobs: Pick<BlobStore, "read">;
  readonly cardOf: (model: string) => ModelCard | undefined;
  readonly context: Pick<ContextWindow, "fitPath" | "tokensOf" | "asSent">;
  /** Tools that a model may be offered, after they were read. */
  readonly tools: () => Promise<readonly ChatTool[]>;
  readonly prompt: Pick<ChatPrompt, "system" | "systemBefore" | "noteFor" | "narrowed">;
}

/** What a request needs beside its answer. */
export interface RequestBase {
  /** The system prompt; empty for none. */
  readonly system: string;
  readonly tools: readonly ChatTool[];
  /** Tokens of both. */
  readonly fixed: number;
}

/**
 * Reads both for a request to a model, which begins with them: without the tools for models of other families. Rejects
 * with a Refusal if nothing must be sent.
 */
export async function readRequestBase(
  { chat, prompt, tools: read }: RequestDeps,
  model: string,
): Promise<RequestBase> {
  const all = (await read()).filter(isToolFor(model));
  const system = await prompt.system(all);
  const tools = prompt.narrowed(all);
  const { mode = "ask", tools: chosen = [] } = chat.state.settings;
  for (const tool of toolsOfMode(tools, mode, chosen)) tool.warm?.();
  const sizes = beginningOf(system, tools, chat.state.settings);
  return { system, tools, fixed: sizes.systemTokens + sizes.toolTokens };
}

/** The size of what the next request begins with. Rejects if nothing would be sent. */
export async function readBeginningTokens({
  chat,
  prompt,
  tools: read,
}: Pick<RequestDeps, "chat" | "prompt" | "tools">): Promise<BeginningTokens> {
  const all = (await read()).filter(isToolFor(chat.state.modelId));
  return beginningOf(await prompt.systemBefore(all), prompt.narrowed(all), chat.state.settings);
}

function isToolFor(model: string | null): (tool: ChatTool) => boolean {
  return ({ isFor }) => model === null || (isFor?.(model) ?? true);
}

function beginningOf(
  system: string,
  tools: readonly ChatTool[],
  { mode = "ask", tools: chosen = [] }: ChatSettings,
): BeginningTokens {
  const offered = toolsOfMode(tools, mode, chosen).map(toTool);
  const toolTokens = offered.length === 0 ? 0 : estimateTokens(JSON.stringify(offered));
  return { systemTokens: estimateTokens(system), toolTokens };
}

/** The request for an answer that is already in the conversation: the messages before it that fit, and the settings. */
export async function requestFor(
  deps: RequestDeps,
  { id, model }: AnswerMessage,
  choices: number,
  base: RequestBase,
): Promise<ChatRequest> {
  const { system, tools } = base;
  const { chat, blobs, cardOf } = deps;
  const { settings, conversationId: cacheKey } = chat.state;
  const card = cardOf(model);
  const sent = sentPath(deps, chat.tree.pathTo(id), card, base);
  const parts = await attachedParts(sent, blobs, { images: takesImages(card) });
  return toChatRequest({
    model,
    card,
    settings: { ...settings, system },
    tools,
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
  { fixed }: RequestBase,
): readonly Message[] {
  const whole = context.asSent(summarisedPath(path), card, fixed);
  return whole.slice(context.fitPath(whole, card, fixed).dropped);
}

/**
 * What the request for this answer has to tell beside the messages, stored with the answer: a plan that the user has
 * changed, and a note of the editor.
 */
export async function toTellIn(
  deps: RequestDeps,
  answer: AnswerMessage,
  base: RequestBase,
): Promise<Pick<AnswerMessage, "userPlan" | "editorNote">> {
  const path = deps.chat.tree.pathTo(answer.id);
  const sent = sentPath(deps, path, deps.cardOf(answer.model), base);
  const editorNote = await deps.prompt.noteFor(answer, sent.slice(0, -1));
  return {
    ...optionalMember("userPlan", planToTell(path, sent)),
    ...optionalMember("editorNote", editorNote),
  };
}

/** The summary that a task needs before this answer is requested. */
export async function dueSummaryFor(
  deps: RequestDeps,
  { id, model }: AnswerMessage,
  { fixed }: RequestBase,
): Promise<DueSummary | undefined> {
  const { chat, cardOf, context } = deps;
  const card = cardOf(model);
  const room = promptRoom(card?.contextTokens);
  if (room === undefined) return undefined;
  const path = chat.tree.pathTo(id);
  return dueSummary(path, {
    ...{ room, fixed },
    tokensOf: (message) => context.tokensOf(message, card),
    asSent: (whole) => context.asSent(whole, card, fixed),
  });
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
    customMode: ____,
    onlyOwnPrompt: _____,
    agent: ______,
    mode = "ask",
    tools: chosen = [],
    ...members
  } = usableSettings(settings, card);
  const offered = toolsOfMode(tools, mode, chosen).map(toTool);
  return {
    model,
    messages: [
      ...(system ? [{ role: systemRole ?? ("system" as const), content: system }] : []),
      ...withTold(path).flatMap((message) =>
        toRequestMessages(message, { parts, userName, seesImages: takesImages(card) }),
      ),
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
  const isFirst = isQuestion(path.at(-1));
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
 * The plan of the user and notes of the editor stay where they were first told: in the question before the answer, else as
 * a message of their own. So the messages before it stay what they were.
 */
function withTold(path: readonly Message[]): readonly Message[] {
  const messages: Message[] = [];
  for (const message of path) {
    const all = message.role === "assistant" ? [message.userPlan, message.editorNote] : [];
    const told = all.filter((text) => text !== undefined).join("\n\n");
    const before = messages.at(-1);
    if (told !== "" && before?.role === "user")
      messages.splice(-1, 1, { ...before, text: `${before.text}\n\n${told}` });
    else if (told !== "") messages.push({ role: "user", id: `told ${message.id}`, text: told });
    messages.push(message);
  }
  return messages;
}

interface MessageContext {
  readonly parts: ChatQuestion["parts"];
  readonly userName: string | undefined;
  readonly seesImages: boolean;
}

/** Answers without any content are omitted. */
function toRequestMessages(message: Message, { parts, userName, seesImages }: MessageContext): ChatMessage[] {
  if (message.role === "user") {
    const attached = parts.get(message.id) ?? [];
    const { text } = message;
    const asked = text === "" ? [] : [{ type: "text", text } as const];
    const content = attached.length === 0 ? text : [...attached, ...asked];
    return [{ role: "user", content, ...optionalMember("name", userName) }];
  }
  const { text, reasoning, calls = [], echo: stored = {}, agent } = message;
  if (agent !== undefined) return stepsAsText(text, calls);
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
    ...calls.map(
      (call): ChatMessage => ({
        role: "tool",
        tool_call_id: call.id,
        content: `${replyTo(call)}${pictureWords(call, seesImages)}`,
      }),
    ),
    ...picturesOf(parts.get(message.id) ?? []),
  ];
}

/** The steps of another agent are no calls of tools that this model has. */
function stepsAsText(text: string, calls: readonly ToolCallCard[]): ChatMessage[] {
  const content = [...(text === "" ? [] : [text]), ...stepLines(calls)].join("\n");
  return content === "" ? [] : [{ role: "assistant", content }];
}

/** Steps of an earlier answer, for a model or an agent that can't repeat them: one line each. */
export function stepLines(calls: readonly ToolCallCard[]): readonly string[] {
  return calls.map(({ says, state }) => `[step, ${state}: ${says}]`);
}

/** What the model is told of the pictures of a result. */
function pictureWords({ pictures = [] }: ToolCallCard, seesImages: boolean): string {
  if (pictures.length === 0) return "";
  return seesImages
    ? " It follows after the results."
    : " It is not shown, because this model does not take pictures.";
}

function picturesOf(content: readonly ContentPart[]): ChatMessage[] {
  return content.length === 0 ? [] : [{ role: "user", content: [...content] }];
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

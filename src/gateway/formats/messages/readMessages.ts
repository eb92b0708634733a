import type { ChatMessage, ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BodyValue } from "../bodyValue.ts";
import { type AssistantMessage, readAssistant } from "./readAssistant.ts";
import {
  blockType,
  plainContent,
  readCachePoint,
  readContent,
  readTextBlock,
  readUserPart,
  withCachePoint,
} from "./readParts.ts";
import { readToolResult } from "./readToolResult.ts";

const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/** The turns of a conversation, and the effort that its last instruction asks for. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly effort: Effort | undefined;
}

/** Reads the list of messages. Results of tools come directly after the calls, as the chat route wants them. */
export function readMessages(list: BodyValue): Conversation {
  const messages: ChatMessage[] = [];
  /** Instructions that hold until the user says something. */
  const passing = new Set<ChatMessage>();
  let effort: Effort | undefined;
  let said = 0;
  let turn = new UserTurn();
  const endTurn = () => {
    messages.push(...turn.messages);
    if (turn.isSaid) said = messages.length;
    turn = new UserTurn();
  };
  for (const message of neededList(list)) {
    const role = message.at("role").neededText();
    if (role === "user") turn.add(message);
    else {
      endTurn();
      if (role === "assistant") messages.push(...assistantOf(message));
      else if (role === "system") effort = addInstruction(message, messages, passing) ?? effort;
      else if (role !== undefined) message.at("role").refuse("must be user or assistant or system");
    }
  }
  endTurn();
  return { messages: messages.filter((one, index) => index >= said || !passing.has(one)), effort };
}

function neededList(list: BodyValue): readonly BodyValue[] {
  const items = list.list();
  if (list.isAbsent) list.refuse("is missing");
  else if (Array.isArray(list.value) && items.length === 0) list.refuse("must not be empty");
  return items;
}

/** A level of effort. */
export function readEffort(value: BodyValue): Effort | undefined {
  return value.oneOf(efforts);
}

function assistantOf(message: BodyValue): AssistantMessage[] {
  const content = message.members(["role", "content"])?.content;
  if (!content) return [];
  if (content.isAbsent) content.refuse("is missing");
  const read = readAssistant(content);
  return read ? [read] : [];
}

/** An instruction between the turns. Returns the effort that it asks for. */
function addInstruction(
  message: BodyValue,
  messages: ChatMessage[],
  passing: Set<ChatMessage>,
): Effort | undefined {
  const members = message.members(["role", "content", "clear_at", "output_config"]);
  if (!members) return undefined;
  const isPassing = members.clear_at.oneOf(["next_user_message", "never"]) === "next_user_message";
  const parts = readContent(members.content, readSystemBlock);
  if (parts.length > 0) {
    const instruction: ChatMessage = { role: "system", content: plainContent(parts) };
    messages.push(instruction);
    if (isPassing) passing.add(instruction);
  }
  const config = members.output_config.members(["effort"]);
  return config && readEffort(config.effort);
}

function readSystemBlock(block: BodyValue, type: string): ContentPart[] {
  if (type === "text") return readTextBlock(block);
  block.at("type").refuse(`can't be ${JSON.stringify(type.slice(0, 50))} here; send it as text`);
  return [];
}

/**
 * The system prompt. A line that Claude Code writes for the accounts of its vendor is left out: it says nothing to a
 * model, and it is different in each request, so that no service could cache a prompt that begins with it.
 */
export function readSystem(system: BodyValue): ChatMessage[] {
  const parts = readContent(system, readSystemBlock).filter(
    (part) => part.type !== "text" || !part.text.startsWith("x-anthropic-billing-header:"),
  );
  return parts.length > 0 ? [{ role: "system", content: plainContent(parts) }] : [];
}

/** Messages of the user that follow each other. */
class UserTurn {
  readonly #results: ChatMessage[] = [];
  readonly #said: ChatMessage[] = [];

  get messages(): readonly ChatMessage[] {
    return [...this.#results, ...this.#said];
  }

  /** True if there is more than results of tools. */
  get isSaid(): boolean {
    return this.#said.length > 0;
  }

  add(message: BodyValue): void {
    const content = message.members(["role", "content"])?.content;
    if (!content) return;
    if (content.isAbsent) content.refuse("is missing");
    if (typeof content.value === "string") {
      this.#said.push({ role: "user", content: content.value });
      return;
    }
    const parts = content.list().flatMap((block) => this.#read(block));
    if (parts.length > 0) this.#said.push({ role: "user", content: plainContent(parts) });
  }

  #read(block: BodyValue): readonly ContentPart[] {
    const type = blockType(block);
    if (type === undefined) return [];
    if (type !== "tool_result") return readUserPart(block, type);
    const result = readToolResult(block);
    if (!result) return [];
    this.#results.push({ role: "tool", tool_call_id: result.id, content: result.text });
    return result.parts;
  }
}

/** A cache point for the whole request is one at its end. */
export function cachedToTheEnd(messages: readonly ChatMessage[], point: BodyValue): readonly ChatMessage[] {
  const cached = readCachePoint(point);
  const last = messages.at(-1);
  if (!cached.cache_control || last?.role !== "user" || last.content === "") return messages;
  const { content } = last;
  const parts: ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return [...messages.slice(0, -1), { ...last, content: withCachePoint(parts, cached) }];
}

/** Without the reasoning of all turns but the last ones that have any. */
export function withoutOldReasoning(messages: readonly ChatMessage[], kept: number): ChatMessage[] {
  let left = kept;
  const newestFirst = messages.toReversed().map((message): ChatMessage => {
    if (message.role !== "assistant" || !hasReasoning(message)) return message;
    left -= 1;
    return left >= 0 ? message : withoutReasoning(message);
  });
  return newestFirst.reverse();
}

function hasReasoning({ reasoning_content, reasoning_details }: AssistantMessage): boolean {
  return Boolean(reasoning_content) || Boolean(reasoning_details?.length);
}

function withoutReasoning(message: AssistantMessage): AssistantMessage {
  const { reasoning_content: _, reasoning_details: __, reasoning_encrypted: ___, ...others } = message;
  return others;
}

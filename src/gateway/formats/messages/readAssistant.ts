import type { ChatMessage, ContentPart, ToolCall } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BodyValue } from "../bodyValue.ts";
import { argumentsOf, ReasoningJoiner, readCarried, readToolId } from "./carriedReasoning.ts";
import { blockType, plainContent, readCachePoint, readTextBlock } from "./readParts.ts";

export type AssistantMessage = Extract<ChatMessage, { readonly role: "assistant" }>;

interface Made {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** One turn of the assistant while its blocks are read. */
interface Draft {
  parts: ContentPart[];
  readonly made: Made[];
  readonly reasoning: ReasoningJoiner;
}

/** The turn with all that the model must get back. Undefined if there is nothing in it that this service can read. */
export function readAssistant(content: BodyValue): AssistantMessage | undefined {
  if (typeof content.value === "string") return { role: "assistant", content: content.value };
  const draft: Draft = { parts: [], made: [], reasoning: new ReasoningJoiner() };
  for (const block of content.list()) {
    const type = blockType(block);
    if (type !== undefined) readBlock(block, type, draft);
  }
  const { reasoning } = draft;
  const calls: ToolCall[] = draft.made.map(({ id, name, text }) => reasoning.callOf(id, name, text));
  if (draft.parts.length === 0 && calls.length === 0 && reasoning.isEmpty) return undefined;
  const said = contentOf(draft.parts);
  return {
    role: "assistant",
    content: said === "" && calls.length > 0 ? null : said,
    ...reasoning.echo,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Blocks of text are pieces of one text, unless one has a cache point. */
function contentOf(parts: ContentPart[]): string | ContentPart[] {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.cache_control ? [part.text] : []));
  return texts.length === parts.length ? texts.join("") : plainContent(parts);
}

function readBlock(block: BodyValue, type: string, draft: Draft): void {
  switch (type) {
    case "text":
      draft.parts.push(...readTextBlock(block));
      return;
    case "thinking":
      readThinking(block, draft);
      return;
    case "redacted_thinking":
      // Only its own provider can read what others have redacted.
      addCarried(block.members(["type", "data"])?.data.neededText(), draft);
      return;
    case "tool_use":
      readToolUse(block, draft);
      return;
    case "server_tool_use":
      readSearch(block.members(["type", "id", "name", "input", "caller", "cache_control"]));
      return;
    case "web_search_tool_result":
      readSearch(block.members(["type", "tool_use_id", "content", "caller", "cache_control"]));
      return;
    default:
      block.at("type").refuse(`can't be ${JSON.stringify(type.slice(0, 50))} here; start a new conversation`);
  }
}

/** A search was part of its answer, and the text after it has what it found: it is not sent back. */
function readSearch(
  members:
    | { readonly name?: BodyValue; readonly cache_control: BodyValue; readonly caller: BodyValue }
    | undefined,
): void {
  members?.name?.oneOf(["web_search"]);
  members?.caller.members(["type"])?.type.oneOf(["direct"]);
  if (members) readCachePoint(members.cache_control);
}

function readThinking(block: BodyValue, draft: Draft): void {
  const members = block.members(["type", "thinking", "signature"]);
  draft.reasoning.addText(members?.thinking.text() ?? "");
  addCarried(members?.signature.text(), draft);
}

function addCarried(text: string | undefined, draft: Draft): void {
  const carried = text === undefined ? undefined : readCarried(text);
  if (!carried) return;
  if (carried.ends_reasoning) {
    for (const part of draft.parts) if (part.type === "text") draft.reasoning.addText(part.text);
    draft.parts = [];
  }
  draft.reasoning.add(carried);
}

/** A cache point is not passed on: a call of the chat route has none. */
function readToolUse(block: BodyValue, draft: Draft): void {
  const members = block.members(["type", "id", "name", "input", "cache_control", "caller", "toolset_name"]);
  if (!members) return;
  members.toolset_name.refuseAny("can't be translated for this service; leave it out");
  members.caller.members(["type"])?.type.oneOf(["direct"]);
  readCachePoint(members.cache_control);
  const [id, name] = [members.id.neededText(), members.name.neededText()];
  if (id === undefined || name === undefined) return;
  const input = members.input.json();
  draft.made.push({ id: readToolId(id), name, text: input ? argumentsOf(input) : "{}" });
}

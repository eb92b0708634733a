import type { ContentPart } from "../../../api/endpoints/chat/chatRequest.ts";
import type { BodyValue } from "../bodyValue.ts";
import { readToolId } from "./carriedReasoning.ts";
import { blockType, readCachePoint, readUserPart, textPart } from "./readParts.ts";

/** The result of a call: a text, and the parts that a turn of a tool can't hold, for the user's turn after it. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly parts: readonly ContentPart[];
}

const blockMembers = ["type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"] as const;

/**
 * A block `tool_result`. Its cache point is not passed on, because the service takes only a text as a turn of a tool;
 * it caches the beginning of each prompt by itself.
 */
export function readToolResult(block: BodyValue): ToolResult | undefined {
  const members = block.members(blockMembers);
  members?.toolset_name.refuseAny("can't be translated for this service; leave it out");
  const id = members?.tool_use_id.neededText();
  if (!members || id === undefined) return undefined;
  readCachePoint(members.cache_control);
  if (id === "") return members.tool_use_id.refuse("must not be empty");
  const parts = contentOf(members.content);
  const others = parts.filter(({ type }) => type !== "text");
  const lines = parts.map((part) =>
    part.type === "text" ? part.text : `[${nameOf(part, others)}, shown below]`,
  );
  const text = lines.join("\n");
  const isFailed = members.is_error.flag() === true;
  return {
    id: readToolId(id),
    text: isFailed && !saysError(text) ? `Error: ${text}` : text,
    parts: others.flatMap((part) => [...textPart(`${nameOf(part, others)} of the tool result ${id}:`), part]),
  };
}

function nameOf(part: ContentPart, parts: readonly ContentPart[]): string {
  return `${part.type === "image_url" ? "Picture" : "Document"} ${parts.indexOf(part) + 1}`;
}

/** The chat route has no member for failures, so the text must say it. */
function saysError(text: string): boolean {
  return /^\W{0,10}(?:error|tool_use_error)\b/i.test(text);
}

function contentOf(content: BodyValue): readonly ContentPart[] {
  if (typeof content.value === "string") return textPart(content.value);
  return content.list().flatMap((block) => {
    const type = blockType(block);
    if (type === undefined) return [];
    return type === "tool_reference" ? readReference(block) : readUserPart(block, type);
  });
}

/** A tool that a search of the client found. All tools are sent from the beginning, so its name is enough. */
function readReference(block: BodyValue): readonly ContentPart[] {
  const members = block.members(["type", "tool_name", "cache_control"]);
  if (members) readCachePoint(members.cache_control);
  const name = members?.tool_name.neededText();
  return name === undefined ? [] : textPart(`The tool ${name} is available.`);
}

import type { ChatChunk, Delta } from "./chatReply.ts";

type Choice = ChatChunk["choices"][number];

/**
 * True only for a chunk that `ChatChunk` would give back as it is: text, with none of the members that come once per
 * answer. Nearly all chunks are such, hundreds of thousands a second, and the schema costs half of what JSON.parse
 * does; whatever is refused here is the schema's to judge.
 */
export function isPlainChunk(event: unknown): event is ChatChunk {
  if (!isObject(event)) return false;
  for (const name in event) if (!isPlainMember(name as keyof ChatChunk, event[name])) return false;
  return "choices" in event;
}

function isPlainMember(name: keyof ChatChunk, value: unknown): boolean {
  switch (name) {
    case "id":
    case "object":
    case "model":
      return typeof value === "string";
    case "created":
      return Number.isFinite(value);
    case "choices":
      return Array.isArray(value) && value.every(isPlainChoice);
    case "usage":
    case "cost":
    case "search_results":
    case "service_parameters":
      return value === null;
    default:
      return unknownMember(name);
  }
}

function isPlainChoice(choice: unknown): boolean {
  if (!isObject(choice) || !Number.isFinite(choice.index) || !isPlainDelta(choice.delta)) return false;
  for (const name in choice) if (!isPlainPart(name as keyof Choice, choice[name])) return false;
  return true;
}

function isPlainPart(name: keyof Choice, value: unknown): boolean {
  switch (name) {
    case "index":
    case "delta":
    case "logprobs":
      return true;
    case "finish_reason":
      return value === null || typeof value === "string";
    default:
      return unknownMember(name);
  }
}

function isPlainDelta(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  for (const name in delta) if (!isPlainText(name as keyof Delta, delta[name])) return false;
  return true;
}

function isPlainText(name: keyof Delta, value: unknown): boolean {
  switch (name) {
    case "role":
    case "content":
    case "reasoning_content":
      return value === null || typeof value === "string";
    case "reasoning_encrypted":
    case "reasoning_details":
    case "thought_signature":
    case "tool_calls":
      return value === null;
    default:
      return unknownMember(name);
  }
}

/** The type says that every member of the schema has its case above; one that the schema gains stops the build here. */
function unknownMember(_name: never): false {
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

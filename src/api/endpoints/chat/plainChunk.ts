import { isMembers, type Members } from "../../../shared/members.ts";

/**
 * True only for a chunk that `ChatChunk` would return unchanged: text without the members that occur once per answer.
 * Nearly all chunks are like this, up to hundreds of thousands per second, and the schema takes half the time of
 * JSON.parse. Other chunks are left to the schema. Unknown members are allowed.
 */
export function isPlainChunk(event: unknown): boolean {
  return (
    isMembers(event) &&
    isText(event.id) &&
    isText(event.object) &&
    isText(event.model) &&
    isNumber(event.created ?? 0) &&
    isNothing(event.usage) &&
    isNothing(event.cost) &&
    isNothing(event.service_parameters) &&
    isNothing(event.search_results) &&
    Array.isArray(event.choices) &&
    event.choices.every(isPlainChoice)
  );
}

function isPlainChoice(choice: unknown): boolean {
  return (
    isMembers(choice) &&
    isNumber(choice.index) &&
    isText(choice.finish_reason) &&
    isMembers(choice.delta) &&
    isPlainDelta(choice.delta)
  );
}

function isPlainDelta(delta: Members): boolean {
  return (
    isText(delta.role) &&
    isText(delta.content) &&
    isText(delta.reasoning_content) &&
    isNothing(delta.refusal) &&
    isNothing(delta.reasoning_encrypted) &&
    isNothing(delta.reasoning_details) &&
    isNothing(delta.tool_calls) &&
    isNothing(delta.reasoning) &&
    isNothing(delta.function_call) &&
    isNothing(delta.ends_reasoning)
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" || isNothing(value);
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

import type { BodyRecord } from "../../api/call/record/callRecorder.ts";
import { isMembers } from "../../shared/members.ts";

/** A body as a document: JSON with line breaks, anything else as it was. */
export function documentText({ text = "" }: BodyRecord): string {
  const value = jsonIn(text);
  return value === undefined ? text : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The answer that a reply gives: the joined text of a chat stream, else the body as a document. */
export function answerText(body: BodyRecord): string {
  return joinedEvents(body.text ?? "") ?? documentText(body);
}

/** Undefined for JSON whose numbers would lose digits, too. */
function jsonIn(text: string): unknown {
  if (/\d{16}/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text, reasoning and tool calls of the events of a chat; undefined if there are none. */
function joinedEvents(text: string): string | undefined {
  const deltas = text.split("\n").flatMap((line) => {
    const event = line.startsWith("data:") ? jsonIn(line.slice("data:".length)) : undefined;
    const [choice]: unknown[] = isMembers(event) && Array.isArray(event.choices) ? event.choices : [];
    return isMembers(choice) && isMembers(choice.delta) ? [choice.delta] : [];
  });
  if (deltas.length === 0) return undefined;
  const joined = (member: string) =>
    deltas.map((delta) => (typeof delta[member] === "string" ? delta[member] : "")).join("");
  const calls = deltas.flatMap(({ tool_calls: part }) => (Array.isArray(part) ? part : []));
  const parts = [
    ["Reasoning", joined("reasoning_content")],
    ["Tool calls", calls.map((call) => JSON.stringify(call)).join("\n")],
  ];
  const extra = parts.filter(([, part]) => part !== "").map(([name, part]) => `${name}:\n${part}\n\n`);
  return `${extra.join("")}${joined("content")}\n`;
}

/** What the text of a body lacks; empty if it is complete. */
export function bodyNote({ text, bytes, isChanged }: BodyRecord): string {
  if (text === undefined) return bytes === 0 ? "" : "The content is not kept.";
  if (!isChanged) return "";
  return "Not all of it is kept: it was long, or it has the data of a file or a secret.";
}

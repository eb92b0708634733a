import { randomUUID } from "node:crypto";
import { optionalMember } from "../../../../shared/members.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import type { ToolInput } from "../../../../tools/serviceTool.ts";
import type { ToolCallCard } from "../../../protocol/chatMessages.ts";
import { readCall } from "../input/readCall.ts";
import { unknownTool } from "../input/toolNames.ts";
import { rulesOf } from "../permits.ts";
import type { ChatTool, ModelToolCall } from "../tool.ts";
import { notRunText } from "./earlyEnd.ts";

/** The card of a call that asks, or that failed because the call is invalid. */
export function toCard(
  call: ModelToolCall,
  tools: readonly ChatTool[],
  offered: readonly string[],
): ToolCallCard {
  const { id, name, arguments: text, isCustom, echo, cut } = call;
  const asked = { id, name, arguments: text, ...(isCustom ? { isCustom } : {}), ...(echo ? { echo } : {}) };
  const read = readCall(tools, call);
  const failed = (title: string, summary: string, result = summary): ToolCallCard => ({
    ...asked,
    title: visibleLine(title),
    says: visibleLine(summary),
    state: "failed",
    result,
  });
  if (!read) return failed(name, `There is no tool ${name}.`, unknownTool(name, offered));
  const { tool } = read;
  const { title, summary } = tool;
  if (!offered.includes(tool.name))
    return failed(title, `The tool ${tool.name} is not selected in this chat, so it was not run.`);
  // One line: the result, which a click shows, has the whole reason.
  if (cut !== undefined) return failed(title, `${title}: cut off`, cut);
  if ("problem" in read) return failed(title, `${title}: invalid arguments`, read.problem);
  const { input, purpose } = read;
  return {
    ...asked,
    title: visibleLine(title),
    says: visibleLine(summary(input)),
    ...asRead(asked, tool, input),
    ...(tool.asksUser ? { asked: tool.asksUser(input) } : {}),
    ...optionalMember("purpose", purpose && shortened(visibleLine(purpose), maxPurposeLength)),
    ...termsOf(tool, input),
    state: "asks",
  };
}

/** What the user decides about beside what the call does. */
function termsOf(
  { kind, origin, price, limits, network, question, scopes, covers }: ChatTool,
  input: ToolInput,
): Pick<ToolCallCard, "limits" | "network" | "question" | "price" | "kind" | "scope" | "rule"> {
  const line = (text: string | undefined) => (text === undefined ? undefined : visibleLine(text));
  const rules = rulesOf(covers?.(input) ?? []);
  return {
    ...optionalMember("limits", line(limits?.(input))),
    ...optionalMember("network", network?.(input)),
    ...optionalMember("question", line(question?.(input))),
    ...optionalMember("price", line(price)),
    // Only built-in tools are what their kind says.
    ...(origin === "built-in" ? { kind } : {}),
    ...optionalMember("scope", line(scopes?.(input)?.join(", "))),
    ...(rules.length > 0 ? { rule: visibleLine(rules.join(", ")) } : {}),
  };
}

/** The tool and the input of a call, where they are not as the model wrote them. */
function asRead(
  { name, arguments: text }: Pick<ModelToolCall, "name" | "arguments">,
  tool: ChatTool,
  input: ToolInput,
): Pick<ToolCallCard, "runs" | "tool"> {
  const runs = JSON.stringify(input);
  return {
    ...(isSameJson(text, runs) ? {} : { runs }),
    ...(tool.name === name ? {} : { tool: tool.name }),
  };
}

/** Characters of what a model says about a command. */
const maxPurposeLength = 200;

/** True if the model wrote its call as the tool reads it, apart from white space. */
function isSameJson(text: string, runs: string): boolean {
  const value = parseJson(text);
  return value !== undefined && JSON.stringify(value) === runs;
}

/** True if the user saw this card. One without a kind, as in older logs, promises nothing about it. */
export function isSame(shown: ToolCallCard, card: ToolCallCard): boolean {
  if (shown.kind !== undefined && shown.kind !== card.kind) return false;
  return (
    [
      "title",
      "says",
      "tool",
      "runs",
      "purpose",
      "price",
      "limits",
      "question",
      "scope",
      "rule",
      "state",
    ] as const
  ).every((name) => card[name] === shown[name]);
}

export function replaced(
  calls: readonly ToolCallCard[],
  old: ToolCallCard,
  card: ToolCallCard,
): readonly ToolCallCard[] {
  return calls.map((one) => (one === old ? card : one));
}

/** It has not begun. */
export function isOpen({ state }: ToolCallCard): boolean {
  return state === "asks" || state === "waits";
}

/** The calls of an answer after a hook has stopped its task. */
export function halted(calls: readonly ToolCallCard[]): readonly ToolCallCard[] {
  const refused = { state: "refused", result: notRunText("halted") } as const;
  return calls.map((call) => (isOpen(call) ? { ...call, ...refused } : call));
}

/** An approval is for one call: of two calls with the same id, the second gets a new one. */
export function distinguished(asked: readonly ModelToolCall[]): ModelToolCall[] {
  const seen = new Set<string>();
  return asked.map((call) => {
    const id = seen.has(call.id) ? randomUUID() : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

/** A call that the user skips, with the reason if one was given. */
export function skipped(reason: string): Pick<ToolCallCard, "state" | "skipReason"> {
  return { state: "refused", ...optionalMember("skipReason", reason.trim() || undefined) };
}

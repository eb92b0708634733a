import type { Ids } from "../state/ids.ts";
import type { Ask } from "./ask.ts";
import type { AnswerDraft } from "./draft.ts";
import { countTokens, firstTokens } from "./reply/tokens.ts";

export interface ScriptCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** One choice of the answer after stop sequences and token limits. */
export interface Script {
  readonly reasoning: string;
  readonly content: string;
  readonly calls: readonly ScriptCall[];
  readonly finish: "stop" | "length" | "tool_calls";
  /** The stop sequence that ended it. */
  readonly stopReason: string | null;
  readonly tokens: number;
  readonly reasoningTokens: number;
}

/** Cuts a draft at its first stop sequence and at the token limit, which includes the reasoning (spec E10). */
export function toScript(draft: AnswerDraft, ask: Ask, ids: Ids): Script {
  const reasoning = firstTokens(draft.reasoning ?? "", ask.maxTokens);
  const reasoningTokens = countTokens(reasoning.text);
  const stopped = stopAt(draft.content, stopsOf(ask));
  const said = firstTokens(stopped.text, ask.maxTokens - reasoningTokens);
  const whole = reasoning.whole && said.whole;
  const calls = whole ? (draft.calls ?? []).map((call) => toCall(call, ids)) : [];
  const callTokens = calls.reduce((sum, call) => sum + countTokens(call.function.arguments), 0);
  return {
    reasoning: ask.switches.strip_thinking_response ? "" : reasoning.text,
    content: said.text,
    calls,
    finish: whole ? (calls.length > 0 ? "tool_calls" : "stop") : "length",
    stopReason: whole ? stopped.by : null,
    tokens: reasoningTokens + countTokens(said.text) + callTokens,
    reasoningTokens,
  };
}

function stopsOf({ body }: Ask): readonly string[] {
  const stops = typeof body.stop === "string" ? [body.stop] : (body.stop ?? []);
  return stops.filter((stop) => stop !== "");
}

function stopAt(
  text: string,
  stops: readonly string[],
): { readonly text: string; readonly by: string | null } {
  const found = stops
    .map((stop) => ({ stop, index: text.indexOf(stop) }))
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index)[0];
  return found ? { text: text.slice(0, found.index), by: found.stop } : { text, by: null };
}

function toCall({ name, arguments: given }: { name: string; arguments: string }, ids: Ids): ScriptCall {
  return { id: `call_${ids.hex(24)}`, type: "function", function: { name, arguments: given } };
}

import type { AgentCall } from "../../../agents/turnView.ts";
import type { PermissionOption } from "../../../agents/wire/agentMessages.ts";
import { optionalMember } from "../../../shared/members.ts";
import type { AgentOption, ToolCallCard } from "../../protocol/chatMessages.ts";

const titles: Readonly<Record<AgentCall["kind"], string>> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Search",
  execute: "Run",
  think: "Think",
  fetch: "Fetch",
  switch_mode: "Switch the mode",
  other: "Step",
};

/** The card of a step. What it says is the agent's: nothing of it is checked. While it runs, it has no result. */
export function stepCard(call: AgentCall, id: string): ToolCallCard {
  const { kind, title, input, state, text } = call;
  return {
    ...{ id, name: kind, title: titles[kind], says: title, arguments: input, state },
    ...(state === "runs" ? {} : { result: text }),
  };
}

/**
 * The card of a step that the agent has told before. One about which the user has decided says on what it was, and a step
 * that the user has skipped stays so.
 */
export function changedCard(card: ToolCallCard, call: AgentCall, isDecided: boolean): ToolCallCard {
  const now = stepCard(call, card.id);
  const { name, title, says, arguments: input, skipReason } = card;
  const kept = isDecided ? { ...now, name, title, says, arguments: input } : now;
  if (card.state !== "refused") return kept;
  return {
    ...{ ...kept, state: "refused" },
    ...optionalMember("skipReason", skipReason),
    ...optionalMember("result", call.text === "" ? card.result : call.text),
  };
}

/** The options of a question by the decision with that meaning. */
export type OfferedOptions = ReadonlyMap<AgentOption["decision"], PermissionOption>;

const kinds: readonly (readonly [AgentOption["decision"], PermissionOption["kind"]])[] = [
  ["once", "allow_once"],
  ["always", "allow_always"],
  ["skip", "reject_once"],
  // For an agent that offers no other refusal: it asks less, and gets no more.
  ["skip", "reject_always"],
];

/** Of two options with the same id, nobody knows which one the agent takes as chosen: neither is offered. */
export function offeredOptions(options: readonly PermissionOption[]): OfferedOptions {
  const offered = new Map<AgentOption["decision"], PermissionOption>();
  const clear = options.filter(
    ({ optionId }) => options.filter((other) => other.optionId === optionId).length === 1,
  );
  for (const [decision, wanted] of kinds) {
    const found = clear.find(({ kind }) => kind === wanted);
    if (found && !offered.has(decision)) offered.set(decision, found);
  }
  return offered;
}

/** The user can skip each step: an agent that offers no refusal is told that nothing was chosen. */
export function shownOptions(offered: OfferedOptions): readonly AgentOption[] {
  const shown = [...offered].map(([decision, { name }]) => ({ decision, name }));
  return offered.has("skip") ? shown : [...shown, { decision: "skip", name: "Skip" }];
}

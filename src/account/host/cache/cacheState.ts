import type { PromptCounts } from "../../../session/spend/promptCounts.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import { optionalMember } from "../../../shared/members.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { hitRateOf, hitRateText } from "../../../shared/money/hitRate.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { CacheGroup, CacheRow, CacheState } from "../../protocol/cacheProtocol.ts";
import { callValueName } from "../dashboard/callGroups.ts";
import type { CallLedger } from "../dashboard/callSearch.ts";

const mostGroups = 50;
const mostTasks = 20;

/** A recorded call whose prompt was counted. */
type PromptCall = SpentEntry & { readonly prompt: PromptCounts };

/** Hit rates by conversation and task; undefined if no prompt was counted. Exported for the dashboard and its tests. */
export function toCacheState({ entries, isPlayMoney }: CallLedger): CacheState | undefined {
  const calls = entries.filter(hasPrompt);
  if (calls.length === 0) return undefined;
  const rowOf = (name: string, of: readonly PromptCall[]) => toRow(name, of, isPlayMoney);
  const groups = byLoss([...Map.groupBy(calls, conversationOf).values()]);
  const [shown, others] = [groups.slice(0, mostGroups), groups.slice(mostGroups)];
  const rows = shown.map(
    (group): CacheGroup => ({
      ...rowOf(nameOf(group), group),
      tasks: tasksOf(group, rowOf),
      ...optionalMember("chat", chatOf(group)),
    }),
  );
  const rest = { ...rowOf(`${plural(others.length, "other")}`, others.flat()), tasks: [] };
  return { total: rowOf("All", calls), groups: others.length === 0 ? rows : [...rows, rest] };
}

function hasPrompt(entry: SpentEntry): entry is PromptCall {
  return entry.prompt !== undefined;
}

/** Calls without a key of their own are grouped by who made them. */
function conversationOf({ prompt, source }: PromptCall): string {
  return JSON.stringify([source?.kind ?? "", prompt.conversation ?? null]);
}

/** The entries are newest first. */
function nameOf(group: readonly PromptCall[]): string {
  const [newest, first] = [group.at(0), group.at(-1)];
  const isSubagent = newest?.source?.subagent !== undefined;
  const source = isSubagent ? "Subagent" : callValueName(newest?.source?.kind ?? "", "source");
  if (newest?.prompt.conversation === undefined || !first) return source;
  return `${source}, since ${timeText(first.atMs)}`;
}

function chatOf([call]: readonly PromptCall[]): string | undefined {
  // The conversation of a subagent is not stored.
  const isStored = call?.source?.kind === "chat" && call.source.subagent === undefined;
  return isStored ? call.prompt.conversation : undefined;
}

function tasksOf(
  group: readonly PromptCall[],
  rowOf: (name: string, of: readonly PromptCall[]) => CacheRow,
): readonly CacheRow[] {
  const tasks = Map.groupBy(
    group.filter(({ source }) => source?.task !== undefined),
    ({ source }) => source?.task,
  );
  return [...tasks.values()].slice(0, mostTasks).map((task) => {
    const rounds = new Set(task.map(({ source }) => source?.round)).size;
    return rowOf(`Task of ${timeText(task.at(-1)?.atMs ?? 0)}, ${plural(rounds, "round")}`, task);
  });
}

function byLoss(groups: readonly (readonly PromptCall[])[]): readonly (readonly PromptCall[])[] {
  const keyed = groups.map((group) => ({ group, lost: Counted.of(lossOf(group)), tokens: tokensOf(group) }));
  const sorted = keyed.toSorted((a, b) => b.lost.compare(a.lost) || b.tokens - a.tokens);
  return sorted.map(({ group }) => group);
}

function lossOf(calls: readonly PromptCall[]): Amounts {
  return Amounts.sum(calls.map(({ prompt: { lost = nothing } }) => lost));
}

function tokensOf(calls: readonly PromptCall[]): number {
  return sumOf(calls, ({ tokens }) => tokens);
}

function sumOf(calls: readonly PromptCall[], count: (prompt: PromptCounts) => number): number {
  return calls.reduce((sum, { prompt }) => sum + count(prompt), 0);
}

function toRow(name: string, all: readonly PromptCall[], isPlayMoney: boolean): CacheRow {
  const calls = all.filter(({ prompt }) => prompt.cached !== undefined);
  const [promptTokens, cachedTokens] = [tokensOf(calls), sumOf(calls, ({ cached = 0 }) => cached)];
  const missedTokens = sumOf(calls, ({ missed = 0 }) => missed);
  const isBound = calls.some(({ prompt }) => (prompt.missed ?? 0) > 0 && prompt.lost === undefined);
  const models = [...new Set(all.flatMap(({ model }) => model ?? []))];
  const rate = hitRateOf({ cachedTokens, countedTokens: promptTokens });
  const lost = `${spendText(lossOf(calls))}${isPlayMoney ? " play money" : ""}`;
  return {
    name,
    models: models.length > 1 ? plural(models.length, "model") : (models[0] ?? ""),
    calls: all.length,
    unknownCalls: all.length - calls.length,
    promptTokens,
    cachedTokens,
    hitRate: rate === undefined ? "" : hitRateText(rate),
    missedTokens,
    lost: isBound ? `at least ${lost}` : lost,
  };
}

/** UTC, as everywhere on the dashboard. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

import type { Polling } from "../language/parse/directives.ts";
import type { TokenUnit } from "./lookUp/knownTokens.ts";
import { nameCredits, planCredits } from "./plan/estimate.ts";
import type { RunPlan } from "./plan/runPlan.ts";
import type { Round, RoundTask } from "./round.ts";
import { LogWatch } from "./watchLogs.ts";

/** The state of a run of one cell. The host converts it to an output. */
export interface CellRun {
  readonly plan: RunPlan;
  /** For all rounds, networks and items, if every item succeeds. */
  readonly estimatedCredits: number;
  readonly atMs: number;
  endedAtMs?: number;
  /** Milliseconds spent in confirmations, which do not count as time of the run. */
  askedMs: number;
  /** The newest round of each network. */
  rounds: readonly Round[];
  readonly polling?: PollingState;
  /** The error that ended the run early. */
  problem?: unknown;
  /** The logs of a cell with `@watch logs`. */
  readonly watch?: LogWatch;
  /** Sums of the earlier rounds. */
  spentBefore: { credits: number; usd: number };
  /** The addresses of the ENS names, by network. They are resolved once for all rounds. */
  readonly names: Map<string, ReadonlyMap<string, string>>;
  readonly lookedUp: LookedUp;
}

/** The looked-up values for the results. The keys are a network and an address in lower case; null for nothing found. */
export interface LookedUp {
  readonly tokens: Map<string, TokenUnit | null>;
  readonly names: Map<string, string | null>;
}

export interface PollingState extends Polling {
  round: number;
  ended?: "rounds" | "budget" | "stopped" | "problem";
  readonly history: { readonly atMs: number; readonly credits: number; readonly rounds: readonly Round[] }[];
}

export function startRun(plan: RunPlan, atMs: number): CellRun {
  const { networks, polling, watches } = plan;
  const perRound = networks.reduce((sum, network) => sum + planCredits(plan, network), 0);
  const once = networks.reduce((sum, network) => sum + nameCredits(plan, network), 0);
  const all = perRound * (polling?.times ?? 1) + once;
  return {
    plan,
    atMs,
    askedMs: 0,
    estimatedCredits: Math.min(all, polling?.budgetCredits ?? all),
    rounds: networks.map((network) => startRound({ plan, network })),
    spentBefore: { credits: 0, usd: 0 },
    names: new Map(),
    lookedUp: { tokens: new Map(), names: new Map() },
    ...(polling ? { polling: { ...polling, round: 0, history: [] } } : {}),
    ...(watches ? { watch: new LogWatch() } : {}),
  };
}

export function startRound({ plan, network }: Pick<RoundTask, "plan" | "network">): Round {
  const expectations = plan.expectations.map(({ line, source }) => ({
    network,
    line,
    source,
    state: "unchecked" as const,
  }));
  return {
    network,
    lines: plan.lines.map(() => ({ outcome: { kind: "waiting" } })),
    expectations,
    calls: [],
  };
}

/** True if a polling run is complete. A round that may exceed the budget is not started. */
export function ended(run: CellRun, polling: PollingState): boolean {
  const next = run.plan.networks.reduce(
    (sum, network) =>
      sum + planCredits(run.plan, network) + (run.names.has(network) ? 0 : nameCredits(run.plan, network)),
    0,
  );
  const { budgetCredits = Number.POSITIVE_INFINITY } = polling;
  if (polling.round >= polling.times) polling.ended = "rounds";
  else if (spentBy(run).credits + next > budgetCredits) polling.ended = "budget";
  return polling.ended !== undefined;
}

/** The cost of a run so far. Replays are free (spec E3, billing rule 5). */
export function spentBy({ rounds, spentBefore }: CellRun): { credits: number; usd: number } {
  const calls = rounds.flatMap((round) => round.calls).filter(({ replayed }) => !replayed);
  return {
    credits: calls.reduce((sum, { credits = 0 }) => sum + credits, spentBefore.credits),
    usd: calls.reduce((sum, { usd = 0 }) => sum + usd, spentBefore.usd),
  };
}

import { isApiError } from "../../../api/errors.ts";
import { planCredits } from "../estimate.ts";
import { writesToChain } from "../language/catalog/catalog.ts";
import { type Polling, pollingOf, watchesLogs } from "../language/directives.ts";
import { hidingOf } from "../language/environments.ts";
import { environmentsOf, networksOfCell, type Project } from "../language/project.ts";
import { type CellPlan, headLine, planCell } from "../plan.ts";
import { checkExpectations } from "./expectations.ts";
import { hiddenError, hidingSender } from "./hideSecrets.ts";
import {
  answersFor,
  bodyOf,
  encodeLine,
  headItem,
  type Item,
  markNamed,
  type Round,
  type RoundDeps,
  type RoundTask,
  record,
  wantsEvm,
} from "./round.ts";
import type { RpcAnswer, Sent } from "./senders.ts";
import { simulateWrites } from "./simulateWrites.ts";
import { createLogWatch, type LogWatch } from "./watchLogs.ts";
import { type ConfirmedWrite, confirmWrites, settle, settleAnswers } from "./writes.ts";

/** The state of a run of one cell. The host converts it to an output. */
export interface CellRun {
  readonly project: Project;
  readonly cell: number;
  readonly plan: CellPlan;
  readonly networks: readonly string[];
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
}

interface PollingState extends Polling {
  round: number;
  ended?: "rounds" | "budget" | "stopped" | "problem";
  readonly history: { readonly atMs: number; readonly credits: number; readonly rounds: readonly Round[] }[];
}

export interface CellDeps extends RoundDeps {
  readonly now: () => number;
}

/** Rounds that a polling cell shows. */
const storedRounds = 100;

/** Runs a cell on all its networks, repeatedly if it polls. Never throws; failures are recorded on the run. */
export async function runCell(
  given: CellDeps,
  project: Project,
  cell: number,
  signal: AbortSignal,
  onProgress: (run: CellRun) => void,
): Promise<CellRun> {
  const run = startRun(project, cell, given.now());
  const consent: CellDeps["consent"] = async (question) => {
    const from = given.now();
    try {
      return await given.consent(question);
    } finally {
      run.askedMs += given.now() - from;
    }
  };
  const { hide } = hidingOf(environmentsOf(project));
  const deps = { ...given, consent, sender: hidingSender(given.sender, hide) };
  const { polling } = run;
  try {
    if (polling && ended(run, polling))
      throw new Error(
        `@budget ${polling.budgetCredits} is less than the cost of one round. Increase it and run the cell again`,
      );
    await runRounds(deps, run, signal, () => onProgress(run));
    while (polling && !ended(run, polling)) {
      await deps.pause(run.watch?.pauseMs(polling.everyMs) ?? polling.everyMs, signal);
      try {
        await runRounds(deps, run, signal, () => onProgress(run));
      } catch (error) {
        if (signal.aborted || !run.watch?.goesOn(error)) throw error;
      }
    }
  } catch (error) {
    run.problem = hiddenError(error, hide);
    if (polling) polling.ended ??= isCancelled(error) || signal.aborted ? "stopped" : "problem";
    skipWaiting(run, signal.aborted);
  }
  run.endedAtMs = deps.now();
  onProgress(run);
  return run;
}

function startRun(project: Project, cell: number, atMs: number): CellRun {
  const plan = planCell(project, cell);
  const one = project.cells[cell];
  const networks = one ? networksOfCell(project, one) : [];
  const polling = one && pollingOf(one.cell);
  const perRound = networks.reduce((sum, network) => sum + planCredits(plan, network), 0);
  const all = perRound * (polling?.times ?? 1);
  return {
    project,
    cell,
    plan,
    networks,
    atMs,
    askedMs: 0,
    estimatedCredits: Math.min(all, polling?.budgetCredits ?? all),
    rounds: networks.map((network) => startRound({ plan, network })),
    spentBefore: { credits: 0, usd: 0 },
    ...(polling ? { polling: { ...polling, round: 0, history: [] } } : {}),
    ...(one && watchesLogs(one.cell) ? { watch: createLogWatch() } : {}),
  };
}

async function runRounds(
  deps: CellDeps,
  run: CellRun,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  const { project, cell, plan, polling } = run;
  if (polling) {
    if (polling.round > 0) run.spentBefore = spentBy(run);
    polling.round++;
  }
  run.rounds = run.networks.map((network) => startRound({ plan, network }));
  for (const round of run.rounds) run.watch?.fill(round);
  for (const round of run.rounds) {
    const task: CellTask = {
      project,
      cell,
      plan,
      network: round.network,
      signal,
      onProgress,
      watch: run.watch,
    };
    await runRound(deps, task, round);
    run.watch?.keep(round);
    round.expectations = deps.simulating ? [] : await checkExpectations(deps, task, round);
  }
  if (!polling) return;
  const before = run.spentBefore.credits;
  polling.history.push({ atMs: deps.now(), credits: spentBy(run).credits - before, rounds: run.rounds });
  if (polling.history.length > storedRounds) polling.history.shift();
  onProgress();
}

/** True if a polling run is complete. A round that may exceed the budget is not started. */
function ended(run: CellRun, polling: PollingState): boolean {
  const next = run.networks.reduce((sum, network) => sum + planCredits(run.plan, network), 0);
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

function skipWaiting(run: CellRun, stopped: boolean): void {
  const reason = stopped ? "Stopped before this was sent" : "Not sent, because a request before it failed";
  for (const { lines } of run.rounds) {
    lines.forEach((line, at) => {
      if (line.outcome.kind === "waiting") lines[at] = { outcome: { kind: "unsent", reason } };
    });
  }
}

function isCancelled(error: unknown): boolean {
  return isApiError(error) && error.kind === "cancelled";
}

/** Polling attempts and interval of `wait` lines. */
const waitTries = 30;
const waitMs = 4_000;

function startRound({ plan, network }: Pick<RoundTask, "plan" | "network">): Round {
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

interface CellTask extends RoundTask {
  readonly watch: LogWatch | undefined;
}

/** Executes a plan on one network and fills the round. Throws ApiError if a request fails. */
async function runRound(deps: RoundDeps, task: CellTask, round: Round): Promise<void> {
  const { plan, signal } = task;
  const evm = wantsEvm(task) ? await deps.loadEvm() : undefined;
  let head: bigint | undefined;
  for (const call of plan.calls) {
    signal.throwIfAborted();
    const items: Item[] = [];
    for (const at of call) {
      const made = at === headLine ? headItem : encodeLine(deps, task, round, at, { evm, head });
      if ("reason" in made) round.lines[at] = { outcome: { kind: "unsent", reason: made.reason } };
      else items.push(task.watch?.narrow(task.network, made) ?? made);
    }
    if (items.length === 0) continue;
    head = (await sendItems(deps, task, round, items, head)) ?? head;
    task.onProgress();
  }
}

/** Sends one batch and records its outcomes. Returns the newest block number, if it was requested. */
async function sendItems(
  deps: RoundDeps,
  task: CellTask,
  round: Round,
  items: readonly Item[],
  head: bigint | undefined,
): Promise<bigint | undefined> {
  const writing = items.filter(({ method }) => writesToChain(method));
  if (deps.simulating && writing.length > 0) {
    await simulateWrites(deps, deps.simulating, task, round, items);
    return undefined;
  }
  const writes = writing.length > 0 ? await confirmWrites(deps, task, round, items, writing) : [];
  if (!writes) return undefined;
  const waits =
    items.length === 1 && writing.length === 0 && task.plan.lines[items[0]?.at ?? 0]?.waits === true;
  for (let attempt = 1; ; attempt++) {
    const sent = await sendOnce(deps, task, round, items, writes);
    if (!sent) return undefined;
    const received = answersFor(items, sent);
    const newest = headIn(items, received) ?? head;
    const answers = task.watch?.merge(task.network, items, received, newest) ?? received;
    record(deps, task, round, items, sent, answers);
    await settleAnswers(deps, task, round, writes);
    const [first] = answers;
    const isOpen = waits && first?.error === undefined && (first?.result ?? null) === null;
    if (!isOpen || attempt >= waitTries) return headIn(items, answers);
    task.onProgress();
    await deps.pause(waitMs, task.signal);
  }
}

function headIn(items: readonly Item[], answers: readonly (RpcAnswer | undefined)[]): bigint | undefined {
  const at = items.findIndex((item) => item.at === headLine);
  const result = answers[at]?.result;
  return typeof result === "string" && /^0x[0-9a-f]+$/i.test(result) ? BigInt(result) : undefined;
}

/** Undefined if the response to a write was lost. Its outcome is then already recorded. */
async function sendOnce(
  deps: RoundDeps,
  task: RoundTask,
  round: Round,
  items: readonly Item[],
  writes: readonly ConfirmedWrite[],
): Promise<Sent | undefined> {
  const { network, signal } = task;
  const once = writes.length > 0;
  try {
    return await deps.sender.send(network, bodyOf(items, task), { signal, once });
  } catch (error) {
    markNamed(task, round, items, error);
    const mayHaveArrived = !isApiError(error) || error.details.mayHaveArrived !== false;
    if (!once || !mayHaveArrived || signal.aborted) throw error;
    for (const write of writes) await settle(deps, task, round, write, error);
    if (writes.length < items.length) throw error;
    return undefined;
  }
}

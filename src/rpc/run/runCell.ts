import { isApiError, isCancelled } from "../../api/errors/errors.ts";
import { writesToChain } from "../../shared/rpc/catalog/catalog.ts";
import { type CellRun, ended, type PollingState, spentBy, startRound, startRun } from "./cellRun.ts";
import { checkExpectations } from "./expect/expectations.ts";
import { hiddenError, hiddenText, hidingSender } from "./hideSecrets.ts";
import { lookUpParts } from "./lookUp/lookUpParts.ts";
import { resolveNames } from "./lookUp/resolveNames.ts";
import { headLine } from "./plan/plan.ts";
import type { RunPlan } from "./plan/runPlan.ts";
import {
  answersFor,
  bodyOf,
  encodeLine,
  hasSecret,
  headItem,
  type Item,
  markNamed,
  type Round,
  type RoundDeps,
  type RoundTask,
  record,
} from "./round.ts";
import type { RpcAnswer, SendOptions, Sent } from "./senders.ts";
import type { LogWatch } from "./watchLogs.ts";
import { simulateWrites } from "./write/simulateWrites.ts";
import { type ConfirmedWrite, confirmWrites, settle, settleAnswers } from "./write/writes.ts";

export interface CellDeps extends RoundDeps {
  readonly now: () => number;
}

/** Rounds that a polling cell shows. */
const storedRounds = 100;

/** Runs a cell on all its networks, repeatedly if it polls. Never throws; failures are recorded on the run. */
export async function runCell(
  given: CellDeps,
  planned: RunPlan,
  signal: AbortSignal,
  onProgress: (run: CellRun) => void,
): Promise<CellRun> {
  const plan = hidingResults(planned, given.values);
  const run = startRun(plan, given.now());
  const consent: CellDeps["consent"] = async (question) => {
    const from = given.now();
    try {
      return await given.consent(question);
    } finally {
      run.askedMs += given.now() - from;
    }
  };
  const { hide } = plan.notebook;
  const deps = { ...given, consent, sender: hidingSender(given.sender, hide) };
  const { polling } = run;
  const runRound = () => runRounds(deps, run, signal, () => onProgress(run));
  try {
    if (polling) await poll(deps, run, polling, signal, runRound);
    else await runRound();
  } catch (error) {
    run.problem = hiddenError(error, hide);
    if (polling) polling.ended ??= isCancelled(error) || signal.aborted ? "stopped" : "problem";
    skipWaiting(run, signal.aborted);
  }
  run.endedAtMs = deps.now();
  onProgress(run);
  return run;
}

/** Also hides the results that are secrets, as soon as they are known. */
function hidingResults(plan: RunPlan, values: CellDeps["values"]): RunPlan {
  const { notebook, lines } = plan;
  const isOwn = hasSecret(
    plan,
    lines.map((_, at) => ({ at })),
  );
  if (!isOwn && !values.hasSecrets) return plan;
  const hide = (text: string) => values.hide(hiddenText(text, notebook.hide));
  return { ...plan, notebook: { ...notebook, hide } };
}

/** Repeats the rounds of a cell. A watch of logs goes on after a failed round, but not after a failed first one. */
async function poll(
  { pause }: CellDeps,
  run: CellRun,
  polling: PollingState,
  signal: AbortSignal,
  runRound: () => Promise<void>,
): Promise<void> {
  if (ended(run, polling))
    throw new Error(
      `@budget ${polling.budgetCredits} is less than the cost of one round. Increase it and run the cell again`,
    );
  await runRound();
  while (!ended(run, polling)) {
    await pause(run.watch?.pauseMs(polling.everyMs) ?? polling.everyMs, signal);
    try {
      await runRound();
    } catch (error) {
      if (signal.aborted || !run.watch?.goesOn(error)) throw error;
    }
  }
}

async function runRounds(
  deps: CellDeps,
  run: CellRun,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> {
  const { plan, polling } = run;
  if (polling) {
    if (polling.round > 0) run.spentBefore = spentBy(run);
    polling.round++;
  }
  run.rounds = plan.networks.map((network) => startRound({ plan, network }));
  for (const round of run.rounds) run.watch?.fill(round);
  for (const round of run.rounds) {
    const { network } = round;
    if (!run.names.has(network))
      run.names.set(network, await resolveNames(deps, { plan, network, signal }, round));
  }
  for (const round of run.rounds) {
    const task: CellTask = {
      plan,
      network: round.network,
      signal,
      onProgress,
      watch: run.watch,
      names: run.names.get(round.network),
    };
    await runRound(deps, task, round);
    await lookUpParts(deps, task, round, run.lookedUp);
    run.watch?.keep(round);
    round.expectations = deps.simulating ? [] : await checkExpectations(deps, task, round);
  }
  if (!polling) return;
  const before = run.spentBefore.credits;
  polling.history.push({ atMs: deps.now(), credits: spentBy(run).credits - before, rounds: run.rounds });
  if (polling.history.length > storedRounds) polling.history.shift();
  onProgress();
}

function skipWaiting(run: CellRun, stopped: boolean): void {
  for (const { lines } of run.rounds) {
    lines.forEach((line, at) => {
      if (line.outcome.kind !== "waiting") return;
      const endedBy = line.endedBy ?? "earlier request";
      const isOwn = endedBy === "own request";
      const [own, later] = stopped
        ? ["Stopped before the response came", "Stopped before this was sent"]
        : ["The request failed", "Not sent, because a request before it failed"];
      const reason = isOwn ? own : later;
      lines[at] = { outcome: { kind: "unsent", reason }, ...(stopped ? {} : { endedBy }) };
    });
  }
}

/** Polling attempts and interval of `wait` lines. */
const waitTries = 30;
const waitMs = 4_000;

interface CellTask extends RoundTask {
  readonly watch: LogWatch | undefined;
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** Executes a plan on one network and fills the round. Throws ApiError if a request fails. */
async function runRound(deps: RoundDeps, task: CellTask, round: Round): Promise<void> {
  const { plan, signal, names } = task;
  const evm = plan.wantsEvm ? await deps.loadEvm() : undefined;
  let head: bigint | undefined;
  for (const call of plan.calls) {
    signal.throwIfAborted();
    const items: Item[] = [];
    for (const at of call) {
      const made = at === headLine ? headItem : encodeLine(deps, task, round, at, { evm, head, names });
      if ("reason" in made) {
        const { reason, ...facts } = made;
        round.lines[at] = { outcome: { kind: "unsent", reason }, ...facts };
      } else items.push(task.watch?.narrow(task.network, made) ?? made);
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
  planned: readonly Item[],
  head: bigint | undefined,
): Promise<bigint | undefined> {
  const writing = planned.filter(({ method }) => writesToChain(method));
  if (deps.simulating && writing.length > 0) {
    await simulateWrites(deps, deps.simulating, task, round, planned);
    return undefined;
  }
  const confirmed =
    writing.length > 0
      ? await confirmWrites(deps, task, round, planned, writing)
      : { writes: [], items: planned };
  if (!confirmed || confirmed.items.length === 0) return undefined;
  const { writes, items } = confirmed;
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
    if (!waits || !isOpen(answers[0]) || attempt >= waitTries) return headIn(items, answers);
    task.onProgress();
    await deps.pause(waitMs, task.signal);
  }
}

/** True if the node has no result yet. */
function isOpen(answer: RpcAnswer | undefined): boolean {
  return answer?.error === undefined && (answer?.result ?? null) === null;
}

function headIn(items: readonly Item[], answers: readonly (RpcAnswer | undefined)[]): bigint | undefined {
  const at = items.findIndex((item) => item.at === headLine);
  const result = answers[at]?.result;
  return typeof result === "string" && /^0x[0-9a-f]+$/i.test(result) ? BigInt(result) : undefined;
}

function ownOptions(plan: RunPlan, items: readonly Item[]): Pick<SendOptions, "key" | "hasSecretReply"> {
  const { key } = plan;
  return {
    ...(key === undefined ? {} : { key }),
    ...(hasSecret(plan, items) ? { hasSecretReply: true as const } : {}),
  };
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
    const { body, ...text } = bodyOf(items, task.plan);
    const own = ownOptions(task.plan, items);
    return await deps.sender.send(network, body, { signal, once, ...own, ...text });
  } catch (error) {
    for (const { at } of items) {
      const line = round.lines[at];
      if (line?.outcome.kind === "waiting") round.lines[at] = { ...line, endedBy: "own request" };
    }
    markNamed(task, round, items, error);
    const mayHaveArrived = !isApiError(error) || error.details.mayHaveArrived !== false;
    if (!once || !mayHaveArrived || signal.aborted) throw error;
    for (const write of writes) await settle(deps, task, round, write, error);
    if (writes.length < items.length) throw error;
    return undefined;
  }
}

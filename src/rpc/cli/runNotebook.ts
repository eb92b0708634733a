import { waitMs } from "../../api/call/retry.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { writesToChain } from "../../shared/rpc/catalog/catalog.ts";
import type { EvmLoader } from "../evm/evmLoader.ts";
import type { RpcExpectation, RpcOutput } from "../output/rpcOutput.ts";
import { withTokens } from "../run/expect/tokenAmounts.ts";
import { SentTransactions, Values } from "../run/expect/values.ts";
import { failureOf, isFine, outputWantsEvm, toOutput } from "../run/output.ts";
import { estimateCell } from "../run/plan/estimate.ts";
import { isIdle } from "../run/plan/plan.ts";
import { planCellRun, type RunPlan, usedBy } from "../run/plan/runPlan.ts";
import { type CellDeps, runCell } from "../run/runCell.ts";
import type { Sender } from "../run/senders.ts";
import { type CreditBudget, isOverBudget, reachedText, withinBudget } from "./creditBudget.ts";
import type { CellPlace, HeadlessNotebook } from "./openNotebook.ts";

/** How to run: shared by all notebooks of one command. */
export interface HeadlessDeps {
  readonly sender: Sender;
  readonly evm: EvmLoader;
  /** Name of the service, for error messages. */
  readonly service: string;
  readonly isPlayMoney: boolean;
  readonly mayWrite: boolean;
  readonly budget: CreditBudget;
}

/** The result of a cell. */
export interface CellResult extends CellPlace {
  /** One-based, counting request cells only. */
  readonly cell: number;
  readonly status: "passed" | "failed" | "skipped";
  /** Its expectations as they are written; their lines count from that of the fence. */
  readonly checks: readonly Pick<RpcExpectation, "line" | "source">[];
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Undefined if nothing was sent. */
  readonly output?: RpcOutput;
  readonly ms: number;
  readonly credits: number;
  readonly usd: number;
}

export interface NotebookResult {
  readonly file: string;
  readonly cells: readonly CellResult[];
}

/** Cells that run at the same time: while one is answered, the other is encoded or reported. */
const maxRunning = 2;

interface RunningCell {
  readonly plan: RunPlan;
  readonly place: CellPlace;
  readonly end: Promise<CellEnd>;
}

/**
 * Runs the cells of a notebook and reports them in order. Two of them run at the same time if both only read, from the
 * node on this machine, and neither uses a result of the other. A cell that fails does not stop the others; cells that
 * use its results fail with that reason. A cell that does not fit into the rest of the budget is skipped, and after the
 * signal aborts all others are.
 * Never throws.
 */
export async function runNotebook(
  deps: HeadlessDeps,
  { file, project, places }: HeadlessNotebook,
  signal: AbortSignal,
  onCell: (result: CellResult) => void,
): Promise<NotebookResult> {
  const state = { values: new Values(), sentTransactions: new SentTransactions() };
  const cells: CellResult[] = [];
  const running: RunningCell[] = [];
  const reportFirst = async () => {
    const first = running.shift();
    if (!first) return;
    const checks = first.plan.expectations.map(({ line, source }) => ({ line: line + 1, source }));
    const result = { cell: first.plan.cell + 1, ...first.place, checks, ...(await first.end) };
    cells.push(result);
    onCell(result);
  };
  for (const [index, place] of places.entries()) {
    // Planned and checked while the cells before it are answered.
    const plan = planCellRun(project, index);
    if (plan.wantsEvm) await deps.evm.load();
    const refusal = plan.refusal(deps.evm.loaded) ?? writeRefusal(deps, plan);
    while (!mayStart(plan, running)) await reportFirst();
    const end = runOne(deps, plan, place, refusal, state, signal);
    // Its error is thrown when it is reported.
    end.catch(() => {});
    running.push({ plan, place, end });
  }
  while (running.length > 0) await reportFirst();
  return { file, cells };
}

function mayStart(plan: RunPlan, running: readonly RunningCell[]): boolean {
  if (running.length === 0) return true;
  const used = [...usedBy(plan)].map(({ cell }) => cell);
  return (
    plan.onlyReadsLocally &&
    running.length < maxRunning &&
    running.every((other) => other.plan.onlyReadsLocally && !used.includes(other.plan.cell))
  );
}

type CellEnd = Omit<CellResult, "cell" | "checks" | keyof CellPlace>;
type NotebookState = Pick<CellDeps, "values" | "sentTransactions">;

async function runOne(
  deps: HeadlessDeps,
  plan: RunPlan,
  place: CellPlace,
  refusal: string | undefined,
  state: NotebookState,
  signal: AbortSignal,
): Promise<CellEnd> {
  const { budget, evm, service, isPlayMoney, sender } = deps;
  if (signal.aborted) return skipped("The run was stopped.");
  if (refusal !== undefined) {
    const reason = refusal.replace(/\bLine (\d+):/g, (_, line) => `Line ${Number(line) + place.line}:`);
    return { ...nothingSent, status: "failed", reason: runnerAdvice(reason) };
  }
  if (isIdle(plan)) return { ...nothingSent, status: "passed" };
  const { credits } = estimateCell(plan);
  if (budget.limit !== undefined && budget.spent + credits > budget.limit) {
    budget.isReached = true;
    return skipped(
      `This cell costs up to ${credits} credits, and ${budget.limit - budget.spent} of the budget of ${budget.limit} are left (--budget). It was not run.`,
    );
  }
  const run = await runCell(
    {
      ...state,
      sender: withinBudget(sender, budget),
      loadEvm: evm.load,
      consent: async () => deps.mayWrite,
      pause: (ms, abort) => waitMs(ms, abort, () => new ApiError("cancelled", "Stopped")),
      now: Date.now,
    },
    plan,
    signal,
    () => {},
  );
  if (outputWantsEvm(run)) await evm.load();
  const facts = { runId: String(plan.cell), evm: evm.loaded, service, isSandbox: isPlayMoney };
  const output = withTokens(toOutput(run, facts), run);
  const { ms, credits: spent, usd } = output.total;
  const ended = { output, ms, credits: spent, usd };
  if (isFine(output)) return { ...ended, status: "passed" };
  // The line after the fence is the first of the cell.
  const reason = failureOf(output, place.line + 1);
  return {
    ...ended,
    status: "failed",
    reason: isOverBudget(run.problem) ? reachedText(budget) : runnerAdvice(reason),
  };
}

/** Advice of the editor, in the options of this command. */
function runnerAdvice(reason: string): string {
  return reason.replace(
    /Write @env NAME above\b/g,
    "Write @env NAME above, or add --environment NAME, --env NAME=VALUE or the variable INFERENCE_ENV_NAME",
  );
}

const nothingSent = { ms: 0, credits: 0, usd: 0 };

function skipped(reason: string): CellEnd {
  return { ...nothingSent, status: "skipped", reason };
}

function writeRefusal({ mayWrite }: HeadlessDeps, { lines }: RunPlan): string | undefined {
  const write = mayWrite ? undefined : lines.find(({ method }) => writesToChain(method));
  if (!write) return undefined;
  return `Nothing was sent. Line ${write.line + 1}: ${write.method} changes the chain. Add --allow-writes to send it.`;
}

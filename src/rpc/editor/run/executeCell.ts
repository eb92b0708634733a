import * as vscode from "vscode";
import { waitMs } from "../../../api/call/retry.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { tickTour } from "../../../platform/editor/tour.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Session } from "../../../session/session.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { EvmLoader } from "../../evm/evmLoader.ts";
import type { Simulating } from "../../fork/forks.ts";
import { type RpcOutput, rpcOutputMime } from "../../output/rpcOutput.ts";
import type { CellRun } from "../../run/cellRun.ts";
import { withTokens } from "../../run/expect/tokenAmounts.ts";
import type { SentTransactions, Values } from "../../run/expect/values.ts";
import { ensNamesIn, hasAddresses, withAccounts } from "../../run/lookUp/addresses.ts";
import { failureOf, isFine, outputText, outputWantsEvm, toOutput } from "../../run/output.ts";
import type { CreditPrice } from "../../run/plan/money.ts";
import { isIdle } from "../../run/plan/plan.ts";
import type { RunPlan } from "../../run/plan/runPlan.ts";
import type { WriteQuestion } from "../../run/round.ts";
import { type CellDeps, runCell } from "../../run/runCell.ts";
import { createRunSender, type Sender } from "../../run/senders.ts";
import type { CellEnd } from "../../run/summary.ts";
import { isSimulated } from "../../simulate/simulate.ts";
import type { RpcDeps } from "../deps.ts";
import type { OfferedNetworks, Projects } from "../explorer/projects.ts";
import type { History } from "./history.ts";

/** A run of a cell that has ended. */
export interface EndedRun {
  readonly cell: vscode.NotebookCell;
  /** Undefined if it could not be rendered. */
  readonly output: RpcOutput | undefined;
}

/** Shared by the runs of all notebooks. */
export interface RunDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly offered: OfferedNetworks;
  readonly controller: vscode.NotebookController;
  /** The id of a notebook in the spend ledger. */
  readonly callerOf: (notebook: vscode.NotebookDocument) => string;
  readonly values: (notebook: vscode.NotebookDocument) => Values;
  readonly history: History;
  readonly didRun: vscode.EventEmitter<EndedRun>;
  readonly sender: Sender;
  readonly price: CreditPrice;
  readonly sentTransactions: SentTransactions;
  /** Cells whose results are reported elsewhere. */
  readonly reported: Set<vscode.NotebookCell>;
  /** Execution order of the newest execution. */
  readonly order: { last: number };
  /** Present if transactions are simulated: see `RoundDeps`. */
  readonly simulating?: Simulating;
}

export async function executeCell(
  deps: RunDeps,
  plan: RunPlan,
  execution: vscode.NotebookCellExecution,
  closed: AbortSignal,
  outputs: PendingOutputs,
): Promise<CellEnd> {
  const { evm, history, didRun, order, log, session } = deps;
  const { cell } = execution;
  if (plan.wantsEvm) await evm.load();
  const isSent = (method: string) => !(deps.simulating && isSimulated(method));
  const refusal = plan.refusal(evm.loaded, isSent);
  if (refusal !== undefined) {
    await endWith(execution, refusal);
    return { state: "failed", reason: refusal, continues: false };
  }
  if (isIdle(plan)) {
    // The cell only defines names.
    execution.start();
    await outputs.add(execution.clearOutput());
    execution.end(true);
    return { state: "passed", continues: true };
  }
  execution.executionOrder = ++order.last;
  execution.start(Date.now());
  const stop = new AbortController();
  const listener = execution.token.onCancellationRequested(() => stop.abort());
  const runId = crypto.randomUUID();
  const draw = createDrawing(deps, execution, runId, outputs);
  let output: RpcOutput | undefined;
  try {
    const run = await runCell(
      cellDeps(deps, cell.notebook),
      plan,
      AbortSignal.any([stop.signal, closed]),
      draw.progress,
    );
    output = await draw.finish(run);
    // Past runs are those that were sent.
    if (!deps.simulating) history.add(cell, output, run, () => draw.whole(run));
    execution.end(isFine(output), Date.now() - run.askedMs);
    if (isFine(output)) tickTour("ran");
    const continues = run.problem === undefined;
    if (isFine(output)) return { state: "passed", continues };
    const isStopped = execution.token.isCancellationRequested || closed.aborted;
    return { state: isStopped ? "stopped" : "failed", reason: failureOf(output), continues };
  } catch (error) {
    // The code may fail on an unexpected result. End the execution with an error, so that the cell doesn't run forever.
    log.error(String(error));
    const { sentence } = explain(error, { service: session.active?.name ?? "The service" });
    await execution.replaceOutput(failureOutput(sentence));
    execution.end(false, Date.now());
    return { state: "failed", reason: sentence, continues: false };
  } finally {
    listener.dispose();
    if (!deps.simulating) didRun.fire({ cell, output });
  }
}

function cellDeps(deps: RunDeps, notebook: vscode.NotebookDocument): CellDeps {
  return {
    sender: createRunSender(deps.sender, deps.session, deps.callerOf(notebook)),
    loadEvm: deps.evm.load,
    values: deps.values(notebook),
    sentTransactions: deps.sentTransactions,
    consent: (question) => askBeforeSending(question, deps.session.active?.kind === "sandbox"),
    pause: (ms, signal) => waitMs(ms, signal, () => new ApiError("cancelled", "Stopped")),
    now: Date.now,
    ...(deps.simulating ? { simulating: deps.simulating } : {}),
  };
}

/** Shows the effects of a call and asks for confirmation before it is sent to a main network. */
async function askBeforeSending(
  { network, method, facts }: WriteQuestion,
  isSandbox: boolean,
): Promise<boolean> {
  const isTransaction = method === "eth_sendRawTransaction";
  const by = isSandbox && network !== localNetwork ? " of the sandbox" : "";
  const stored = " The service records its hash with your account, but not the signed bytes.";
  const real = `It can't be undone.${isTransaction ? stored : ""}`;
  const last = by === "" ? real : "The sandbox is on this machine: nothing reaches the real network.";
  const lines = [...facts.map(([name, value]) => `${name}: ${value}`), "", last];
  // The first button has the focus, so that an accidental Enter sends nothing. As one that closes, it would stand last.
  const answer = await warnModally(
    isTransaction
      ? `Send this transaction to ${network}${by}?`
      : `Send ${method} to ${network}${by}? It changes the chain.`,
    { detail: lines.join("\n") },
    "Don't Send",
    "Send",
  );
  return answer === "Send";
}

interface DrawingDeps {
  readonly session: Session;
  readonly evm: EvmLoader;
  readonly history: History;
  readonly price: CreditPrice;
}

/** The output of a cell while it runs. */
interface Drawing {
  progress(run: CellRun): void;
  /** Resolves when the final output is on its way to the editor. */
  finish(run: CellRun): Promise<RpcOutput>;
  /** The output with its whole results. */
  whole(run: CellRun): RpcOutput;
}

/** Outputs that the editor has not taken yet. */
const mostPending = 20;

/**
 * The outputs of a run that are on their way to the editor, which takes longer for one than a local node for its answer.
 * The next cell starts meanwhile, but no more than some are ahead.
 */
export class PendingOutputs {
  readonly #pending = new Set<Promise<void>>();

  /** Waits if too many are on their way. */
  async add(output: Thenable<void>): Promise<void> {
    // The editor refuses the output of a cell that was removed.
    const taken: Promise<void> = Promise.resolve(output).then(
      () => void this.#pending.delete(taken),
      () => void this.#pending.delete(taken),
    );
    this.#pending.add(taken);
    if (this.#pending.size > mostPending) await Promise.race(this.#pending);
  }

  /** Resolves when the editor has all of them. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

/** Milliseconds between two updates of a running output: each update takes the editor 23 ms. */
const drawMs = 200;

function createDrawing(
  { session, evm, history, price }: DrawingDeps,
  execution: vscode.NotebookCellExecution,
  runId: string,
  outputs: PendingOutputs,
): Drawing {
  const { active } = session;
  let drawnAtMs = 0;
  let drawing: Promise<unknown> | undefined;
  const toDrawn = (run: CellRun, maxBytes?: number): RpcOutput => {
    const before = history.of(execution.cell).at(-1);
    const decoded = toOutput(run, {
      runId,
      evm: evm.loaded,
      service: active?.name ?? "The service",
      isSandbox: active?.kind === "sandbox",
      ...(maxBytes === undefined ? {} : { maxBytes }),
      isDiem: price.unit.isDiem,
      changedIn: (key) => before && history.changes(before, run, key),
      shownBefore: (key) => before?.output.lines.find((line) => line.key === key)?.outcome,
    });
    return withAccounts(withTokens(decoded, run), evm.loaded, ensNamesIn(run));
  };
  return {
    whole: (run) => toDrawn(run, Number.POSITIVE_INFINITY),
    progress(run) {
      if (run.endedAtMs !== undefined || Date.now() - drawnAtMs < drawMs) return;
      drawnAtMs = Date.now();
      const drawn = toCellOutput(toDrawn(run));
      drawing = Promise.resolve(drawing).then(() => execution.replaceOutput(drawn));
    },
    async finish(run) {
      if (outputWantsEvm(run) || hasAddresses(run)) await evm.load();
      const output = toDrawn(run);
      await drawing;
      await outputs.add(execution.replaceOutput(toCellOutput(output)));
      return output;
    },
  };
}

/** An output for our renderer, as plain text, and as JSON. */
export function toCellOutput(output: RpcOutput): vscode.NotebookCellOutput {
  const results = output.lines.map(({ outcome, network, method }) => ({ network, method, ...outcome }));
  const { text } = vscode.NotebookCellOutputItem;
  return new vscode.NotebookCellOutput(
    [
      text(exactJsonText(output), rpcOutputMime),
      text(outputText(output), "text/plain"),
      text(exactJsonText(results, 2), "application/json"),
    ],
    { runId: output.runId },
  );
}

/** The editor does not wrap the text of outputs. */
function wrapped(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/(.{1,95})(?: +|$)/g, "$1\n").trimEnd());
  return lines.join("\n");
}

function failureOutput(sentence: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(wrapped(sentence))]);
}

/** Ends an execution with an error instead of running it. */
export async function endWith(execution: vscode.NotebookCellExecution, sentence: string): Promise<void> {
  execution.start(Date.now());
  await execution.replaceOutput(failureOutput(sentence));
  execution.end(false, Date.now());
}

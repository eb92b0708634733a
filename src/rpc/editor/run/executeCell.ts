import * as vscode from "vscode";
import { waitMs } from "../../../api/call/retry.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import { consentModally } from "../../../platform/editor/dialogs/modal.ts";
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
import type { ExecutionUpdates } from "./executionUpdates.ts";
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
  updates: ExecutionUpdates,
): Promise<CellEnd> {
  const { evm, history, didRun, order, log, session } = deps;
  const { cell } = execution;
  if (plan.wantsEvm) await evm.load();
  const isSent = (method: string) => !(deps.simulating && isSimulated(method));
  const refusal = plan.refusal(evm.loaded, isSent);
  if (refusal !== undefined) {
    updates.begin(execution, { atMs: Date.now() }).end(false, failureOutput(refusal), Date.now());
    return { state: "failed", reason: refusal, continues: false };
  }
  if (isIdle(plan)) {
    // The cell only defines names.
    updates.begin(execution, {}).end(true, undefined);
    return { state: "passed", continues: true };
  }
  await updates.room();
  const running = updates.begin(execution, { order: ++order.last, atMs: Date.now() });
  const stop = new AbortController();
  const listener = execution.token.onCancellationRequested(() => stop.abort());
  const toDrawn = createDrawing(deps, cell, crypto.randomUUID());
  let output: RpcOutput | undefined;
  try {
    const run = await runCell(
      cellDeps(deps, cell.notebook),
      plan,
      AbortSignal.any([stop.signal, closed]),
      (run) => running.progress(() => toCellOutput(toDrawn(run))),
    );
    if (outputWantsEvm(run) || hasAddresses(run)) await evm.load();
    output = toDrawn(run);
    const shown = toCellOutput(output);
    // Past runs are those that were sent.
    if (!deps.simulating) history.add(cell, output, run, () => toDrawn(run, Number.POSITIVE_INFINITY));
    running.end(isFine(output), shown, Date.now() - run.askedMs);
    const continues = run.problem === undefined;
    if (isFine(output)) return { state: "passed", continues };
    const isStopped = execution.token.isCancellationRequested || closed.aborted;
    return { state: isStopped ? "stopped" : "failed", reason: failureOf(output), continues };
  } catch (error) {
    // The code may fail on an unexpected result. End the execution with an error, so that the cell doesn't run forever.
    log.error(String(error));
    const { sentence } = explain(error, { service: session.active?.name ?? "The service" });
    running.end(false, failureOutput(sentence), Date.now());
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
function askBeforeSending({ network, method, facts }: WriteQuestion, isSandbox: boolean): Promise<boolean> {
  const isTransaction = method === "eth_sendRawTransaction";
  const by = isSandbox && network !== localNetwork ? " of the sandbox" : "";
  const stored = " The service records its hash with your account, but not the signed bytes.";
  const real = `It can't be undone.${isTransaction ? stored : ""}`;
  const last = by === "" ? real : "The sandbox is on this machine: nothing reaches the real network.";
  const lines = [...facts.map(([name, value]) => `${name}: ${value}`), "", last];
  return consentModally(
    isTransaction
      ? `Send this transaction to ${network}${by}?`
      : `Send ${method} to ${network}${by}? It changes the chain.`,
    { detail: lines.join("\n") },
    { yes: "Send", no: "Don't Send" },
  );
}

interface DrawingDeps {
  readonly session: Session;
  readonly evm: EvmLoader;
  readonly history: History;
  readonly price: CreditPrice;
}

/** Converts the state of a run to its output. */
function createDrawing(
  { session, evm, history, price }: DrawingDeps,
  cell: vscode.NotebookCell,
  runId: string,
): (run: CellRun, maxBytes?: number) => RpcOutput {
  const { active } = session;
  return (run, maxBytes) => {
    const before = history.of(cell).at(-1);
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

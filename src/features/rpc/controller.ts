import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import { waitMs } from "../../api/retry.ts";
import { createHostTransport } from "../../api/transport/host.ts";
import { explain } from "../../platform/errorMessage.ts";
import { readSettings } from "../../platform/settings.ts";
import { isLoopback } from "../../session/baseUrl.ts";
import { languages, notebooks, settings } from "../../shared/ids.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import type { RpcOutput } from "../../shared/rpcOutput.ts";
import { askBeforeSending, askForCredits } from "./ask.ts";
import { isFine, toCellOutput } from "./cellOutput.ts";
import type { EvmLoader } from "./evmLoader.ts";
import { declaredIn } from "./language/declarations.ts";
import { diagnose } from "./language/diagnose.ts";
import { networksOfCell, type Project } from "./language/project.ts";
import type { OfferedNetworks } from "./offeredNetworks.ts";
import { estimateCell, sumEstimates } from "./plan/estimate.ts";
import { planCell } from "./plan/planCell.ts";
import { cellsToRun } from "./plan/upstream.ts";
import type { Projects } from "./projects.ts";
import type { RpcDeps } from "./register.ts";
import { restoreOutputs } from "./restoreOutputs.ts";
import { createHistory, type History } from "./run/history.ts";
import { createHistoryFiles } from "./run/historyFile.ts";
import { createLocalSender } from "./run/localSender.ts";
import { needsEvm } from "./run/outcome.ts";
import { type CellDeps, type CellRun, runCell } from "./run/runCell.ts";
import type { Sender } from "./run/sender.ts";
import { createSentTransactions } from "./run/sentTransactions.ts";
import { createServiceSender } from "./run/serviceSender.ts";
import { hintsOf, toOutput } from "./run/toOutput.ts";
import { createValues, type Values } from "./run/values.ts";

/** Runs cells, and remembers what they came to while the window is open. */
export interface RpcController extends vscode.Disposable {
  readonly values: (notebook: vscode.NotebookDocument) => Values;
  readonly history: History;
  /** Fires when a cell's run has ended. */
  readonly onDidRun: vscode.Event<vscode.NotebookCell>;
  /** Fires when runs of an earlier time are known again. */
  readonly onDidLoad: vscode.Event<void>;
}

export interface ControllerDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly offered: OfferedNetworks;
}

export function createController(deps: ControllerDeps): RpcController {
  const controller = vscode.notebooks.createNotebookController(notebooks.rpc, notebooks.rpc, "Chain RPC");
  const didRun = new vscode.EventEmitter<vscode.NotebookCell>();
  const didLoad = new vscode.EventEmitter<void>();
  const valuesOf = new WeakMap<vscode.NotebookDocument, Values>();
  const values = (notebook: vscode.NotebookDocument) => {
    const known = valuesOf.get(notebook) ?? createValues();
    valuesOf.set(notebook, known);
    return known;
  };
  const folder = vscode.Uri.joinPath(deps.globalStorageUri, "rpc").fsPath;
  const shared: Shared = {
    ...deps,
    controller,
    values,
    history: createHistory(createHistoryFiles(folder, (error) => deps.log.error(String(error)))),
    didRun,
    sender: createSender(deps),
    sentTransactions: createSentTransactions(),
    order: { last: 0 },
  };
  controller.supportedLanguages = [languages.rpc];
  controller.supportsExecutionOrder = true;
  controller.description = "JSON-RPC of the active connection";
  const running: vscode.NotebookDocument[] = [];
  // Within a notebook one run follows the other: the next may need what the one before brings.
  const queues = new WeakMap<vscode.NotebookDocument, Promise<unknown>>();
  controller.executeHandler = (cells, notebook) => {
    const executions = cells.map((cell) => controller.createNotebookCellExecution(cell));
    running.push(notebook);
    const turn = (queues.get(notebook) ?? Promise.resolve())
      .then(() => runCells(shared, notebook, cells, executions))
      .finally(() => running.splice(running.indexOf(notebook), 1));
    queues.set(
      notebook,
      turn.catch((error: unknown) => deps.log.error(String(error))),
    );
    return turn;
  };
  const restoring = restoreOutputs({
    controller,
    history: shared.history,
    isRunning: (notebook) => running.includes(notebook),
    report: (error) => deps.log.error(String(error)),
    onLoaded: () => didLoad.fire(),
  });
  return {
    values,
    history: shared.history,
    onDidRun: didRun.event,
    onDidLoad: didLoad.event,
    dispose: () => vscode.Disposable.from(restoring, controller, didRun, didLoad).dispose(),
  };
}

interface Shared extends ControllerDeps {
  readonly controller: vscode.NotebookController;
  readonly values: RpcController["values"];
  readonly history: History;
  readonly didRun: vscode.EventEmitter<vscode.NotebookCell>;
  readonly sender: Sender;
  readonly sentTransactions: ReturnType<typeof createSentTransactions>;
  readonly order: { last: number };
}

/** The service for its networks, a node on this machine for `local`. */
function createSender({ session }: RpcDeps): Sender {
  const service = oneByOne(createServiceSender(async () => (await session.client()).api));
  const local = createLocalSender(createHostTransport(), localAddress);
  return {
    send: (network, body, options) =>
      (network === localNetwork ? local : service).send(network, body, options),
  };
}

/** The service takes no two requests of one caller at once: they leave one after the other, whichever notebook asks. */
function oneByOne(sender: Sender): Sender {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send(network, body, options) {
      const mine = last.then(() => sender.send(network, body, options));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

/** The setting's address. Throws where it is not of this machine: calls to it are not asked about. */
function localAddress(): string {
  const { localNode } = readSettings().rpc;
  if (isLoopback(localNode)) return localNode;
  const message = `the setting ${settings.rpcLocalNode} has to name an address of this machine, such as http://127.0.0.1:8545`;
  throw new ApiError("invalid-request", message, { mayHaveArrived: false });
}

type Execution = vscode.NotebookCellExecution;

/** Runs cells in their order, with those that they need; the first that fails ends it. */
async function runCells(
  shared: Shared,
  notebook: vscode.NotebookDocument,
  asked: readonly vscode.NotebookCell[],
  executions: readonly Execution[],
): Promise<void> {
  await shared.projects.settled(notebook);
  await hearNetworks(shared, notebook);
  const open = shared.projects.of(notebook);
  const { project, cells } = open;
  const byCell = new Map(asked.map((cell, at) => [cell, executions[at]]));
  const wanted = asked.map((cell) => cells.indexOf(cell)).filter((index) => index >= 0);
  const values = shared.values(notebook);
  const indexes = cellsToRun(project, wanted, values);
  const refused = vscode.workspace.isTrusted
    ? undefined
    : "This folder is not trusted: cells can be read and written, but nothing is sent. Trust the workspace to run them.";
  const estimate = sumEstimates(indexes.map((index) => estimateCell(project, index)));
  const agreed = refused === undefined && (await askForCredits(estimate));
  let goesOn = agreed;
  for (const index of indexes) {
    const cell = cells[index];
    if (!cell) continue;
    const execution = byCell.get(cell) ?? shared.controller.createNotebookCellExecution(cell);
    byCell.delete(cell);
    if (refused !== undefined) await endWith(execution, refused);
    else if (goesOn && !execution.token.isCancellationRequested && !notebook.isClosed)
      goesOn = await runOne(shared, project, index, execution);
    else skip(execution);
  }
  for (const execution of byCell.values()) if (execution) skip(execution);
}

/** What is on no list may be on the service's own: then its answer is waited for. */
async function hearNetworks({ offered, projects }: Shared, notebook: vscode.NotebookDocument): Promise<void> {
  const { project } = projects.of(notebook);
  const asked = project.cells.flatMap((cell) => networksOfCell(project, cell));
  if (asked.every((one) => one === localNetwork)) return;
  const hearing = offered.hear();
  if (asked.some((one) => !projects.offered.includes(one))) await hearing;
}

function skip(execution: Execution): void {
  execution.start();
  execution.end(undefined);
}

/** The editor wraps no text of an output. */
function wrapped(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/(.{1,95})(?: +|$)/g, "$1\n").trimEnd());
  return lines.join("\n");
}

async function endWith(execution: Execution, sentence: string): Promise<void> {
  execution.start(Date.now());
  await execution.replaceOutput(failureOutput(sentence));
  execution.end(false, Date.now());
}

function failureOutput(sentence: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(wrapped(sentence))]);
}

/** Gives whether the cells after it may run. */
async function runOne(
  shared: Shared,
  project: Project,
  index: number,
  execution: Execution,
): Promise<boolean> {
  const { evm, history, didRun, order, log, session } = shared;
  const { cell } = execution;
  const problems = diagnose(project, index, evm.loaded).filter(({ refuses }) => refuses);
  if (problems.length > 0) {
    const lines = problems.map(
      ({ start, message }) => `Line ${cell.document.positionAt(start).line + 1}: ${message}`,
    );
    await endWith(execution, `Nothing was sent.\n${lines.join("\n")}`);
    return false;
  }
  if (planCell(project, index).lines.length === 0) {
    // Names alone: there is nothing to ask.
    execution.start();
    await execution.clearOutput();
    execution.end(true);
    return true;
  }
  execution.executionOrder = ++order.last;
  execution.start(Date.now());
  const stop = new AbortController();
  const listener = vscode.Disposable.from(
    execution.token.onCancellationRequested(() => stop.abort()),
    // Nobody sees any more what a closed notebook asks, or what it costs.
    vscode.workspace.onDidCloseNotebookDocument((closed) => closed === cell.notebook && stop.abort()),
  );
  const runId = crypto.randomUUID();
  const draw = createDrawing(shared, execution, runId);
  try {
    const run = await runCell(cellDeps(shared, cell.notebook), project, index, stop.signal, draw.progress);
    const output = await draw.finish(run);
    history.add(cell, output, run);
    execution.end(isFine(output), Date.now());
    return run.problem === undefined;
  } catch (error) {
    // A result may have a shape that code can't follow: the cell says so, and does not run for ever.
    log.error(String(error));
    const { sentence } = explain(error, { service: session.active?.name ?? "The service" });
    await execution.replaceOutput(failureOutput(sentence));
    execution.end(false, Date.now());
    return false;
  } finally {
    listener.dispose();
    didRun.fire(cell);
  }
}

function cellDeps(shared: Shared, notebook: vscode.NotebookDocument): CellDeps {
  return {
    sender: shared.sender,
    loadEvm: shared.evm.load,
    values: shared.values(notebook),
    sentTransactions: shared.sentTransactions,
    consent: askBeforeSending,
    pause: (ms, signal) => waitMs(ms, signal, () => new ApiError("cancelled", "Stopped")),
    now: Date.now,
  };
}

/** An output is replaced at most so often while a run goes on: each time costs the editor 23 ms. */
const drawMs = 200;

function createDrawing(shared: Shared, execution: Execution, runId: string) {
  const { session, evm, history } = shared;
  const { active } = session;
  let drawnAtMs = 0;
  let drawing: Promise<unknown> = Promise.resolve();
  const draw = (run: CellRun): RpcOutput => {
    const before = history.of(execution.cell).at(-1);
    const output = toOutput(run, {
      runId,
      evm: evm.loaded,
      service: active?.name ?? "The service",
      isSandbox: active?.kind === "sandbox",
      changedIn: (key) => before && history.changes(before, run, key),
    });
    drawing = drawing.then(() => execution.replaceOutput(toCellOutput(output)));
    return output;
  };
  return {
    progress(run: CellRun) {
      if (run.endedAtMs !== undefined || Date.now() - drawnAtMs < drawMs) return;
      drawnAtMs = Date.now();
      draw(run);
    },
    async finish(run: CellRun): Promise<RpcOutput> {
      if (wantsEvm(run)) await evm.load();
      const output = draw(run);
      await drawing;
      return output;
    },
  };
}

function wantsEvm(run: CellRun): boolean {
  const declared = declaredIn(run.project);
  return run.rounds.some(({ lines }) =>
    lines.some((state, at) => needsEvm(state.outcome, hintsOf(run, at, state, declared))),
  );
}

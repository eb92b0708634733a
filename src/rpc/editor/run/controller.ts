import * as vscode from "vscode";
import { LoopbackTransport } from "../../../api/transport/loopback.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { tickTour } from "../../../platform/editor/tour.ts";
import { readSetting, readSettings } from "../../../platform/settings.ts";
import { extensionId, languages, notebooks, settings } from "../../../shared/names/ids.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { EvmLoader } from "../../evm/evmLoader.ts";
import { createForks, type Forks, type Simulating } from "../../fork/forks.ts";
import { networksOfCell } from "../../language/project.ts";
import { SentTransactions, Values } from "../../run/expect/values.ts";
import { type Estimate, estimateCell, estimateSimulation, sumEstimates } from "../../run/plan/estimate.ts";
import { type CreditPrice, priceRange } from "../../run/plan/money.ts";
import { isIdle } from "../../run/plan/plan.ts";
import { planRun, type RunPlan } from "../../run/plan/runPlan.ts";
import { createSender } from "../../run/senders.ts";
import { runInOrder } from "../../run/summary.ts";
import type { RpcDeps } from "../deps.ts";
import type { OfferedNetworks, Projects } from "../explorer/projects.ts";
import { type EndedRun, endWith, executeCell, type RunDeps } from "./executeCell.ts";
import { ExecutionUpdates } from "./executionUpdates.ts";
import { History, HistoryFiles } from "./history.ts";
import { reportRun } from "./reportRun.ts";
import { restoreOutputs } from "./restoreOutputs.ts";

/** Runs cells. Stores their values while the window is open. */
export interface RpcController extends vscode.Disposable {
  readonly values: (notebook: vscode.NotebookDocument) => Values;
  readonly history: History;
  /** Cells whose results are reported elsewhere, such as in the Testing view. */
  readonly reported: Set<vscode.NotebookCell>;
  /** Runs a cell with its transactions simulated instead of sent. */
  simulate(cell: vscode.NotebookCell): Promise<void>;
  /** Fires when a cell's run has ended. */
  readonly onDidRun: vscode.Event<EndedRun>;
  /** Fires when past runs were loaded from disk. */
  readonly onDidLoad: vscode.Event<void>;
}

interface ControllerDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly offered: OfferedNetworks;
  readonly price: CreditPrice;
  readonly callerOf: RunDeps["callerOf"];
}

export function createController(deps: ControllerDeps): RpcController {
  const controller = vscode.notebooks.createNotebookController(notebooks.rpc, notebooks.rpc, "Chain RPC");
  const didRun = new vscode.EventEmitter<EndedRun>();
  const didLoad = new vscode.EventEmitter<void>();
  const valuesOf = new WeakMap<vscode.NotebookDocument, Values>();
  const values = (notebook: vscode.NotebookDocument) => {
    const stored = valuesOf.get(notebook) ?? new Values();
    valuesOf.set(notebook, stored);
    return stored;
  };
  const transport = new LoopbackTransport();
  const folder = vscode.Uri.joinPath(deps.globalStorageUri, "rpc").fsPath;
  const shared: RunDeps = {
    ...deps,
    controller,
    values,
    history: new History(new HistoryFiles(folder, (error) => deps.log.error(String(error)))),
    didRun,
    sender: createSender(
      async (notebook) => {
        const source = { kind: "notebook", ...(notebook ? { resource: notebook } : {}) } as const;
        return (await deps.session.client(source)).api;
      },
      () => String(readSetting(settings.rpcLocalNode) ?? ""),
      transport,
    ),
    sentTransactions: new SentTransactions(),
    reported: new Set(),
    order: { last: 0 },
  };
  controller.supportedLanguages = [languages.rpc];
  controller.supportsExecutionOrder = true;
  controller.description = "JSON-RPC of the active connection";
  const running: vscode.NotebookDocument[] = [];
  const simulations = createSimulations();
  // Runs of a notebook are sequential, because a run may use the results of the previous one.
  const queues = new WeakMap<vscode.NotebookDocument, SerialQueue>();
  const run = (cells: readonly vscode.NotebookCell[], notebook: vscode.NotebookDocument, how: RunDeps) => {
    const queued = cells.map((cell) => queueCell(controller, cell));
    running.push(notebook);
    // A closed notebook no longer shows its requests and costs, so its run is stopped.
    const closing = untilClosed(notebook);
    const queue = queues.get(notebook) ?? new SerialQueue((error) => deps.log.error(String(error)));
    queues.set(notebook, queue);
    return queue.run(() =>
      executeCells(how, notebook, queued, closing.signal).finally(() => {
        closing.dispose();
        running.splice(running.indexOf(notebook), 1);
      }),
    );
  };
  controller.executeHandler = (cells, notebook) => run(cells, notebook, shared);
  const restoring = restoreOutputs({
    controller,
    history: shared.history,
    isRunning: (notebook) => running.includes(notebook),
    report: (error) => deps.log.error(String(error)),
    onLoaded: () => didLoad.fire(),
  });
  const forgetting = vscode.workspace.onDidCloseNotebookDocument((notebook) => {
    if (notebook.notebookType === notebooks.rpc && notebook.isUntitled) shared.history.forget(notebook);
  });
  return {
    values,
    reported: shared.reported,
    async simulate(cell) {
      await selectController(cell.notebook);
      await simulations.run((simulating) => run([cell], cell.notebook, { ...shared, simulating }));
    },
    history: shared.history,
    onDidRun: didRun.event,
    onDidLoad: didLoad.event,
    dispose() {
      vscode.Disposable.from(restoring, forgetting, simulations, controller, didRun, didLoad).dispose();
      void transport.close();
    },
  };
}

/** Runs that simulate. Their forks end with the run, and with the window. */
function createSimulations() {
  const opened = new Set<Forks>();
  return {
    async run(simulate: (simulating: Simulating) => Promise<void>) {
      const forks = await openForks();
      if (forks) opened.add(forks);
      try {
        // Another connection or node may offer other methods, so they are remembered for one run.
        await simulate({ unoffered: new Set(), ...(forks ? { forks } : {}) });
      } finally {
        if (forks) opened.delete(forks);
        await forks?.close();
      }
    },
    dispose() {
      for (const forks of opened) void forks.close();
    },
  };
}

/** The user's anvil, if there is one. A program of the PATH is not the choice of a folder. */
async function openForks(): Promise<Forks | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const { findAnvil } = await import("../../../platform/process/anvil.ts");
  const binary = await findAnvil({ folders: [], searchPath: process.env.PATH });
  return binary === undefined ? undefined : createForks(binary);
}

/** The editor selects the only controller of a notebook when it is run by itself, not for executions of ours. */
async function selectController(notebook: vscode.NotebookDocument): Promise<void> {
  const notebookEditor = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook);
  await vscode.commands.executeCommand("notebook.selectKernel", {
    ...(notebookEditor ? { notebookEditor } : {}),
    id: notebooks.rpc,
    extension: extensionId,
  });
}

/** A cell that waits for its execution. */
interface QueuedCell {
  readonly cell: vscode.NotebookCell;
  /** Ends the waiting and returns the execution; undefined if the cell was stopped meanwhile. */
  take(): vscode.NotebookCellExecution | undefined;
}

/** Queues a cell. Stop ends it immediately, even while another cell runs. */
function queueCell(controller: vscode.NotebookController, cell: vscode.NotebookCell): QueuedCell {
  let waiting: vscode.NotebookCellExecution | undefined = controller.createNotebookCellExecution(cell);
  const { token } = waiting;
  const take = () => {
    const execution = waiting;
    waiting = undefined;
    stopping.dispose();
    return execution;
  };
  const end = () => {
    const execution = take();
    if (execution) skip(execution);
  };
  const stopping = token.onCancellationRequested(end);
  return { cell, take };
}

/** Runs cells in order, including the cells that they depend on, until one fails. */
async function executeCells(
  deps: RunDeps,
  notebook: vscode.NotebookDocument,
  queue: readonly QueuedCell[],
  closed: AbortSignal,
): Promise<void> {
  await deps.projects.settled(notebook);
  await receiveNetworks(deps, notebook);
  const open = deps.projects.of(notebook);
  const { project, cells } = open;
  const byCell = new Map(queue.map((queued) => [queued.cell, queued]));
  const wanted = queue.map(({ cell }) => cells.indexOf(cell)).filter((index) => index >= 0);
  const values = deps.values(notebook);
  if (!vscode.workspace.isTrusted) return refuseAll(queue);
  const plans = planRun(project, wanted, values);
  const { simulating } = deps;
  const estimateOf = simulating
    ? (plan: RunPlan) => estimateSimulation(plan, simulating.forks !== undefined)
    : estimateCell;
  const estimate = sumEstimates(plans.map(estimateOf));
  const mayRun = await askForCredits(estimate, deps.price);
  const updates = new ExecutionUpdates((error) => deps.log.error(String(error)));
  let hasPassed = false;
  const stepOf = (plan: RunPlan) => {
    const cell = cells[plan.cell];
    if (!cell) return undefined;
    const execution = (byCell.get(cell) ?? queueCell(deps.controller, cell)).take();
    byCell.delete(cell);
    if (!execution) return undefined;
    return {
      // Without the consent to its price the whole run ends as if it were stopped.
      isStopped: !mayRun || execution.token.isCancellationRequested || closed.aborted,
      async run() {
        const end = await executeCell(deps, plan, execution, closed, updates);
        hasPassed ||= end.state === "passed" && !isIdle(plan);
        return end;
      },
      end: () => skip(execution),
    };
  };
  const tally = await runInOrder(plans, stepOf);
  deps.history.save(notebook);
  await updates.settled();
  if (hasPassed) tickTour("ran");
  const failed = tally.failed.flatMap(({ cell: plan, reason }) => {
    const cell = cells[plan.cell];
    return cell ? [{ cell, reason }] : [];
  });
  const isInSight =
    queue.length === 1 && tally.left === 0 && failed.every(({ cell }) => cell === queue[0]?.cell);
  const isReported = queue.every(({ cell }) => deps.reported.has(cell));
  if (!closed.aborted && !isInSight && !isReported) {
    const { stopped, left, endedBy } = tally;
    const stoppedAt = endedBy === undefined ? undefined : cells[endedBy.cell];
    void reportRun({ failed, stopped, left, total: plans.length, stoppedAt });
  }
  for (const queued of byCell.values()) {
    const execution = queued.take();
    if (execution) skip(execution);
  }
}

const untrusted = "Nothing was sent, because this folder is not trusted. Trust the workspace to run cells.";

async function refuseAll(queue: readonly QueuedCell[]): Promise<void> {
  for (const queued of queue) {
    const execution = queued.take();
    if (execution) await endWith(execution, untrusted);
  }
}

/** A network missing from the static list may be on the service's; wait for it. */
async function receiveNetworks(
  { offered, projects }: RunDeps,
  notebook: vscode.NotebookDocument,
): Promise<void> {
  const { project } = projects.of(notebook);
  const used = project.cells.flatMap((cell) => networksOfCell(project, cell));
  if (used.every((one) => one === localNetwork)) return;
  const receiving = offered.receive();
  if (used.some((one) => !projects.offered.includes(one))) await receiving;
}

function skip(execution: vscode.NotebookCellExecution): void {
  execution.start();
  execution.end(undefined);
}

/** Asks for confirmation if a run may cost more credits than the setting allows. */
async function askForCredits(
  { credits, requests, rounds, open, mayBeReplayed }: Estimate,
  price: CreditPrice,
): Promise<boolean> {
  const { askAboveCredits } = readSettings().rpc;
  if (credits <= askAboveCredits) return true;
  const run = "Run";
  const what = `${open ? "at least " : "up to "}${credits.toLocaleString("en-US")} credits (${priceRange(credits, price.now(), price.unit)})`;
  const often = rounds > 1 ? ` It is repeated ${rounds} times.` : "";
  const replay = mayBeReplayed ? " Responses that are replayed for an @idempotency key are free." : "";
  const answer = await warnModally(
    `This run costs ${what}.`,
    {
      detail: `${plural(requests, "request")}.${often}${replay} Runs above ${askAboveCredits} credits need a confirmation (setting inference.rpc.askAboveCredits).`,
    },
    run,
  );
  return answer === run;
}

interface Closing extends vscode.Disposable {
  readonly signal: AbortSignal;
}

/** Aborted when the last tab of the notebook closes: the editor keeps a document open while its cells run. */
function untilClosed({ uri }: vscode.NotebookDocument): Closing {
  const closing = new AbortController();
  const isTab = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputNotebook && input.uri.toString() === uri.toString();
  const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isTab));
    if (closed.some(isTab) && !isOpen) closing.abort();
  });
  return { signal: closing.signal, dispose: () => listener.dispose() };
}

import * as vscode from "vscode";
import { readSettings } from "../../platform/settings.ts";
import { languages, notebooks } from "../../shared/ids.ts";
import type { EvmLoader } from "./evmLoader.ts";
import { executeCells, queueCell } from "./executeCells.ts";
import type { CreditPrice } from "./money.ts";
import type { OfferedNetworks } from "./offeredNetworks.ts";
import { createValues, type Values } from "./plan/plan.ts";
import type { Projects } from "./projects.ts";
import type { RpcDeps } from "./register.ts";
import { restoreOutputs } from "./restoreOutputs.ts";
import { createHistory, createHistoryFiles, type History } from "./run/history.ts";
import { createSentTransactions } from "./run/round.ts";
import { createSender } from "./run/senders.ts";
import type { EndedRun, RunDeps } from "./runDeps.ts";
import { untilClosed } from "./untilClosed.ts";

/** Runs cells, and remembers what they came to while the window is open. */
export interface RpcController extends vscode.Disposable {
  readonly values: (notebook: vscode.NotebookDocument) => Values;
  readonly history: History;
  /** Fires when a cell's run has ended. */
  readonly onDidRun: vscode.Event<EndedRun>;
  /** Fires when runs of an earlier time are known again. */
  readonly onDidLoad: vscode.Event<void>;
}

export interface ControllerDeps extends RpcDeps {
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
    const known = valuesOf.get(notebook) ?? createValues();
    valuesOf.set(notebook, known);
    return known;
  };
  const folder = vscode.Uri.joinPath(deps.globalStorageUri, "rpc").fsPath;
  const shared: RunDeps = {
    ...deps,
    controller,
    values,
    history: createHistory(createHistoryFiles(folder, (error) => deps.log.error(String(error)))),
    didRun,
    sender: createSender(deps.session, () => readSettings().rpc.localNode),
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
    const queued = cells.map((cell) => queueCell(controller, cell));
    running.push(notebook);
    // Nobody sees any more what a closed notebook asks, or what it costs.
    const closing = untilClosed(notebook);
    const turn = (queues.get(notebook) ?? Promise.resolve())
      .then(() => executeCells(shared, notebook, queued, closing.signal))
      .finally(() => {
        closing.dispose();
        running.splice(running.indexOf(notebook), 1);
      });
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
  const forgetting = vscode.workspace.onDidCloseNotebookDocument((notebook) => {
    if (notebook.notebookType === notebooks.rpc && notebook.isUntitled) shared.history.forget(notebook);
  });
  return {
    values,
    history: shared.history,
    onDidRun: didRun.event,
    onDidLoad: didLoad.event,
    dispose: () => vscode.Disposable.from(restoring, forgetting, controller, didRun, didLoad).dispose(),
  };
}

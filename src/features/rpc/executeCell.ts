import type * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import { waitMs } from "../../api/retry.ts";
import { explain } from "../../platform/errorMessage.ts";
import { tickTour } from "../../platform/tour.ts";
import type { RpcOutput } from "../../shared/rpcOutput.ts";
import { askBeforeSending } from "./ask.ts";
import { createDrawing } from "./drawing.ts";
import { endWith, failureOutput } from "./failureOutput.ts";
import { diagnose } from "./language/diagnose.ts";
import type { Project } from "./language/project.ts";
import { planCell } from "./plan/plan.ts";
import { isFine } from "./run/output.ts";
import { type CellDeps, runCell } from "./run/runCell.ts";
import { createRunSender } from "./run/senders.ts";
import type { RunDeps } from "./runDeps.ts";

/** So many are told in the output; all are marked in the cell. */
const mostProblems = 20;

/** Gives whether the cells after it may run. */
export async function executeCell(
  deps: RunDeps,
  project: Project,
  index: number,
  execution: vscode.NotebookCellExecution,
  closed: AbortSignal,
): Promise<boolean> {
  const { evm, history, didRun, order, log, session } = deps;
  const { cell } = execution;
  const problems = diagnose(project, index, evm.loaded).filter(({ refuses }) => refuses);
  if (problems.length > 0) {
    const lines = problems
      .slice(0, mostProblems)
      .map(({ start, message }) => `Line ${cell.document.positionAt(start).line + 1}: ${message}`);
    const left = problems.length - lines.length;
    if (left > 0) lines.push(`And ${left} more.`);
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
  const listener = execution.token.onCancellationRequested(() => stop.abort());
  const runId = crypto.randomUUID();
  const draw = createDrawing(deps, execution, runId);
  let output: RpcOutput | undefined;
  try {
    const run = await runCell(
      cellDeps(deps, cell.notebook),
      project,
      index,
      AbortSignal.any([stop.signal, closed]),
      draw.progress,
    );
    output = await draw.finish(run);
    history.add(cell, output, run);
    execution.end(isFine(output), Date.now() - run.askedMs);
    if (isFine(output)) tickTour("ran");
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
    didRun.fire({ cell, output });
  }
}

function cellDeps(deps: RunDeps, notebook: vscode.NotebookDocument): CellDeps {
  return {
    sender: createRunSender(deps.sender, deps.session, deps.callerOf(notebook)),
    loadEvm: deps.evm.load,
    values: deps.values(notebook),
    sentTransactions: deps.sentTransactions,
    consent: askBeforeSending,
    pause: (ms, signal) => waitMs(ms, signal, () => new ApiError("cancelled", "Stopped")),
    now: Date.now,
  };
}

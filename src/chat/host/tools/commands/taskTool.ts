import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { inputText, toolSchema } from "../../../../tools/serviceTool.ts";
import { problemsText } from "../language/problems.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import type { CommandRuns } from "./commandRuns.ts";

const longestTimeoutMs = 600_000;
/** Names that a refusal lists. */
const maxNames = 100;

/** Runs a task of the workspace. */
export function createTaskTool(runs: CommandRuns): ChatTool {
  return {
    ...builtIn("run_task", "Run a task", "command"),
    description:
      "Runs a task of the workspace, such as a build or a test, and returns its exit code and the problems after it. One in the background is stopped with stop_command.",
    parameters: toolSchema({ name: { type: "string", minLength: 1 } }),
    timeoutMs: longestTimeoutMs,
    // The definition of a task may change, so it always asks.
    scopes: () => [],
    summary: (input) => `Run the task ${inputText(input, "name")}`,
    run: (input, signal, { began }) => runTask(inputText(input, "name"), runs, signal, began),
  };
}

async function runTask(
  name: string,
  runs: CommandRuns,
  signal: AbortSignal,
  began: CallContext["began"],
): Promise<string> {
  if (!vscode.workspace.isTrusted)
    throw new Refusal("The task was not run, because this workspace is not trusted.");
  const all = await vscode.tasks.fetchTasks();
  const task = all.find((one) => one.name === name);
  if (!task) {
    const names = all.slice(0, maxNames).map((one) => one.name);
    throw new Refusal(`There is no task ${name}. The workspace has: ${names.join(", ") || "none"}.`);
  }
  signal.throwIfAborted();
  began(() => ({ output: undefined }));
  if (task.isBackground) return runs.startTask(task);
  const code = await new Promise<number | undefined>((resolve, reject) => {
    let running: vscode.TaskExecution | undefined;
    // A short task may end before its start is reported.
    const isOurs = ({ execution }: { readonly execution: vscode.TaskExecution }) =>
      execution === running || execution.task === task;
    const listening = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess((event) => {
        if (isOurs(event)) finish(() => resolve(event.exitCode));
      }),
      vscode.tasks.onDidEndTask((event) => {
        if (isOurs(event)) finish(() => resolve(undefined));
      }),
    );
    const finish = (settle: () => void) => {
      listening.dispose();
      signal.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => {
      running?.terminate();
      finish(() => reject(signal.reason));
    };
    signal.addEventListener("abort", abort, { once: true });
    vscode.tasks.executeTask(task).then(
      (execution) => {
        running = execution;
        if (signal.aborted) abort();
      },
      (error: unknown) => finish(() => reject(error)),
    );
  });
  const verdict = code === undefined ? "The task has ended." : `The task ended with exit code ${code}.`;
  return `${verdict}\n${problemsText()}`;
}

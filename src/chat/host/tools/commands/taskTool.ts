import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { problemsText } from "../language/problems.ts";
import { builtIn, type CallContext, type ChatTool } from "../tool.ts";
import type { CommandRuns } from "./commandRuns.ts";
import { factsOf, type TaskFacts } from "./taskCommand.ts";

const longestTimeoutMs = 600_000;
/** Tasks that a refusal lists, and the characters of each. */
const [maxTasks, maxTaskLength] = [50, 120];
/** Extensions that offer tasks are asked for so long before a call is shown. */
const longestLookMs = 10_000;

/** A task with what is known of it. */
interface FoundTask {
  readonly task: vscode.Task;
  readonly facts: TaskFacts;
}

/**
 * Runs a task of the workspace. Its command line is on the card before it runs, and nothing else runs: a task that has
 * changed since is refused.
 */
export function createTaskTool(runs: CommandRuns): ChatTool {
  /** The tasks that the cards show, by the name in the call; undefined for one that was looked up and not found. */
  const shown = new Map<string, TaskFacts | undefined>();
  const titleOf = (name: string) => {
    const facts = shown.get(name);
    if (facts) return wordsOf(facts);
    return shown.has(name) ? name : `${name}, whose command line is being looked up`;
  };
  const nameIn = (input: ToolInput) => inputText(input, "name");
  return {
    ...builtIn("run_task", "Run a task", "command"),
    description:
      "Runs a task of the workspace, such as a build or a test, and returns its exit code, and its output if it can be read. One in the background is stopped with stop_command.",
    parameters: toolSchema({ name: { type: "string", minLength: 1 } }),
    timeoutMs: longestTimeoutMs + 10_000,
    // The definition of a task may change, so it always asks.
    scopes: () => [],
    summary: (input) => `Run the task ${titleOf(nameIn(input))}`,
    async prepare(input) {
      const signal = AbortSignal.timeout(longestLookMs);
      const found = await untilAborted(findTask(nameIn(input)), signal).catch(() => undefined);
      shown.set(nameIn(input), found && !("refusal" in found) ? found.facts : undefined);
    },
    async run(input, signal, { began }) {
      if (!vscode.workspace.isTrusted)
        throw new Refusal("The task was not run, because this workspace is not trusted.");
      const found = await findTask(nameIn(input));
      if ("refusal" in found) throw new Refusal(found.refusal);
      signal.throwIfAborted();
      // Another call of it may be approved already, by a card that shows the same as this one: only a new card shows the new task.
      if (!isDeepStrictEqual(shown.get(nameIn(input)), found.facts))
        throw new Refusal(
          `The task was not run, because it is not what the user was shown. It is now: ${wordsOf(found.facts)}. Call it again.`,
        );
      return runTask(found, runs, signal, began);
    },
  };
}

/** `build (npm): npm run build`. */
function wordsOf({ label, line }: TaskFacts): string {
  return `${label}${line === undefined ? ", whose command line its extension does not tell" : `: ${line}`}`;
}

/** The task of this name, as its definition or the editor writes it: `build`, or `npm: build`. */
async function findTask(name: string): Promise<FoundTask | { readonly refusal: string }> {
  const all = await vscode.tasks.fetchTasks();
  const found = all.filter((task) => task.name === name || `${task.source}: ${task.name}` === name);
  const [task] = found;
  if (task && found.length === 1) return { task, facts: factsOf(task) };
  const some = (found.length > 1 ? found : all).map((one) => shortened(wordsOf(factsOf(one)), maxTaskLength));
  const more = some.length > maxTasks ? `\n… and ${some.length - maxTasks} more` : "";
  const list =
    some.length === 0 ? "The workspace has no tasks." : `${some.slice(0, maxTasks).join("\n")}${more}`;
  if (found.length > 1)
    return {
      refusal: `${found.length} tasks are called ${name}, so none was run. Run one as a command:\n${list}`,
    };
  return { refusal: `There is no task ${name}.${some.length === 0 ? " " : " The workspace has:\n"}${list}` };
}

async function runTask(
  { task, facts: { command, line } }: FoundTask,
  runs: CommandRuns,
  signal: AbortSignal,
  began: CallContext["began"],
): Promise<string> {
  if (command && task.isBackground) return runs.start(command.line, signal, began, command.folder);
  if (command) return runs.run(command.line, longestTimeoutMs, signal, began, command.folder);
  began(() => ({ output: undefined }));
  if (task.isBackground) return runs.startTask(task);
  const code = await exitCodeOf(task, signal);
  const verdict = code === undefined ? "The task has ended." : `The task ended with exit code ${code}.`;
  // What the editor puts into a line is not known here.
  const isWhole = line !== undefined && !line.includes("${");
  const other = isWhole ? ` To read it, run the command line of the task with run_command: ${line}` : "";
  return `${verdict} The editor ran it, so its output is in its terminal and can't be read here.${other}\nThe problems after it:\n${problemsText()}`;
}

/** Undefined for a task without a process. Rejects if the signal aborts, which ends the task. */
function exitCodeOf(task: vscode.Task, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
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
}

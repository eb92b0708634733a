import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import type { CallContext } from "../../tools/tool.ts";
import type { TerminalCommand } from "./commandOutput.ts";
import { type CommandTerminals, createCommandTerminals } from "./commandTerminals.ts";
import { endGently } from "./plainCommand.ts";
import type { CommandSandbox } from "./sandbox/commandSandbox.ts";
import type { SandboxAccess } from "./sandbox/sandboxPlan.ts";

/** A command or a task that runs on after its call. */
interface CommandRun {
  readonly id: string;
  readonly command: string;
  /** How it ended; absent while it runs. */
  readonly ended?: string;
}

/** Commands and background tasks of agents. Terminals show their output. */
export interface CommandRuns extends vscode.Disposable {
  /** In which commands run; undefined if they never do. */
  readonly sandbox?: CommandSandbox | undefined;
  /** Prepares what the next command would wait for, while the user decides about it. */
  warm(): void;
  /**
   * Runs a command to its end; resolves to its output and exit code. The signal and the timeout end it. `place` is the
   * absolute path of its folder; default is the workspace folder. With `access` it runs in the sandbox, if there is one.
   */
  run(
    command: string,
    timeoutMs: number,
    signal: AbortSignal,
    began?: Began,
    place?: string,
    access?: SandboxAccess,
  ): Promise<string>;
  /** Starts a command; resolves to its id and its first output. */
  start(
    command: string,
    signal: AbortSignal,
    began?: Began,
    place?: string,
    access?: SandboxAccess,
  ): Promise<string>;
  /** Starts a task of the workspace that does not end by itself; resolves to its id. */
  startTask(task: vscode.Task): Promise<string>;
  /** Output since the start, and whether it runs or how it ended. */
  read(id: string): string;
  stop(id: string): string;
  /** Takes one that has ended off the list. */
  forget(id: string): void;
  /** Those that run, and those that ended without being asked to: the user is told how. */
  readonly list: readonly CommandRun[];
  readonly onDidChange: vscode.Event<void>;
}

type Began = CallContext["began"];

const firstOutputMs = 2_000;
const mostRuns = 8;
/** Ended background commands whose output is kept. */
const mostEnded = 8;

/** What commands and tasks have in common. */
interface Ending<Verdict> {
  readonly command: string;
  readonly ended: Promise<Verdict>;
  /** How it ended; undefined while it runs. */
  verdict?: string;
  /** It was asked to end, or the user has seen its end. */
  isKnown?: true;
}

interface Running extends Ending<string> {
  readonly program: TerminalCommand;
}

/** A task in the background. The editor runs it, and shows its output. */
interface RunningTask extends Ending<void> {
  readonly execution: vscode.TaskExecution;
}

export function createCommandRuns(folder: () => string | undefined, sandbox?: CommandSandbox): CommandRuns {
  const background = createBackground();
  const terminals = createCommandTerminals();
  const { begin, warm } = beginWith({ folder, terminals, background, sandbox });
  return {
    sandbox,
    warm,
    onDidChange: background.onDidChange,
    get list() {
      return background.listed.map(toListedRun);
    },
    async run(command, timeoutMs, signal, began, place, access) {
      const running = await begin(command, signal, place, access);
      began?.(() => ({ output: outputOf(running) }));
      const late = AbortSignal.timeout(timeoutMs);
      const end = () => endCommand(running);
      const whole = AbortSignal.any([signal, late]);
      whole.addEventListener("abort", end, { once: true });
      if (whole.aborted) end();
      const verdict = await running.ended.finally(() => whole.removeEventListener("abort", end));
      signal.throwIfAborted();
      const why = late.aborted ? `It was ended after ${timeoutMs / 1000} s.` : verdict;
      return withVerdict(running, why);
    },
    async start(command, signal, began, place, access) {
      const { id, running } = await background.start(() => begin(command, signal, place, access));
      began?.(() => ({
        output: outputOf(running),
        ...(running.verdict === undefined ? { background: id } : {}),
      }));
      await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, firstOutputMs))]);
      return `${id} ${stateOf(running, "is running.", "has ended.")} Its output so far:\n${running.program.output.text()}`;
    },
    async startTask(task) {
      const { id } = await background.start(() => startTask(task));
      return `The task was started. It goes on in the background as ${id}.`;
    },
    read(id) {
      const running = background.get(id);
      if ("execution" in running) return `The output of a task is in its terminal. ${stateOf(running)}`;
      return withVerdict(running, stateOf(running));
    },
    stop(id) {
      const running = background.get(id);
      if (running.verdict !== undefined) return `${id} was not running. ${stateOf(running)}`;
      running.isKnown = true;
      if ("execution" in running) running.execution.terminate();
      else endCommand(running);
      return `${id} was stopped.`;
    },
    forget: background.forget,
    dispose() {
      for (const [, one] of background.listed)
        if ("execution" in one && one.verdict === undefined) one.execution.terminate();
      terminals.dispose();
      sandbox?.dispose();
      background.dispose();
    },
  };
}

interface Beginning {
  readonly folder: () => string | undefined;
  readonly terminals: CommandTerminals;
  readonly background: Pick<ReturnType<typeof createBackground>, "listed">;
  readonly sandbox: CommandSandbox | undefined;
}

/** Begins commands, and frees the terminals of those that have ended. */
function beginWith({ folder, terminals, background, sandbox }: Beginning) {
  /** Commands whose terminals show their output. Those of ended ones are free once the next starts, unless they are listed. */
  const shown = new Set<Running>();
  const isFree = (former: Running) =>
    former.verdict !== undefined && !background.listed.some(([, one]) => one === former);
  const warm = () => {
    const place = folder();
    if (place !== undefined && vscode.workspace.isTrusted) terminals.warm(place);
  };
  const begin = async (
    command: string,
    signal: AbortSignal,
    cwd = folder(),
    access?: SandboxAccess,
  ): Promise<Running> => {
    if (cwd === undefined) throw new Refusal("No folder is open, so no command was run.");
    if (!vscode.workspace.isTrusted)
      throw new Refusal("The command was not run, because this workspace is not trusted.");
    for (const former of shown) {
      if (!isFree(former)) continue;
      former.program.release();
      shown.delete(former);
    }
    const isInSandbox = access && (await sandbox?.ready())?.isOn;
    signal.throwIfAborted();
    const sandboxed = isInSandbox ? sandbox?.wrap(cwd, access) : undefined;
    const program = await terminals.start(command, cwd, signal, sandboxed);
    const ended = program.ended.then(({ how, isByUser }) => {
      running.verdict = how;
      if (isByUser) running.isKnown = true;
      return how;
    });
    const running: Running = { command, program, ended };
    shown.add(running);
    return running;
  };
  return { begin, warm };
}

/** The commands and tasks in the background, and the last that have ended, each with an id. */
function createBackground() {
  const changed = new vscode.EventEmitter<void>();
  const runs = new Map<string, Running | RunningTask>();
  // The ids of another window, or of the time before a reload, must not name commands of this one.
  const prefix = `command-${randomUUID().slice(0, 4)}-`;
  let count = 0;
  /** Those that are not listed yet. */
  let starting = 0;
  const those = (isOver: boolean) =>
    [...runs].filter(([, { verdict }]) => (verdict !== undefined) === isOver);
  return {
    onDidChange: changed.event,
    get listed() {
      return [...runs].filter(([, { verdict, isKnown }]) => verdict === undefined || !isKnown);
    },
    forget(id: string) {
      const running = runs.get(id);
      if (running) running.isKnown = true;
      changed.fire();
    },
    /** Lists what `begin` starts. Throws a Refusal if too many run. */
    async start<Run extends Running | RunningTask>(
      begin: () => Promise<Run>,
    ): Promise<{ readonly id: string; readonly running: Run }> {
      if (those(false).length + starting >= mostRuns)
        throw new Refusal(`${mostRuns} background commands are running. Stop one with stop_command first.`);
      starting += 1;
      const running = await begin().finally(() => {
        starting -= 1;
      });
      const ended = those(true);
      for (const [former] of ended.slice(0, Math.max(0, ended.length - mostEnded + 1))) runs.delete(former);
      count += 1;
      const id = `${prefix}${count}`;
      runs.set(id, running);
      changed.fire();
      void running.ended.then(() => changed.fire());
      return { id, running };
    },
    get(id: string): Running | RunningTask {
      const running = runs.get(id);
      if (running) return running;
      const isOld = id.startsWith(prefix) && Number(id.slice(prefix.length)) <= count;
      throw new Refusal(
        isOld
          ? `${id} has ended, and its output is no longer kept: only that of the last ${mostEnded} is. Run it again.`
          : `There is no background command ${id}. Those of before a reload of the window have ended.`,
      );
    },
    dispose: () => changed.dispose(),
  };
}

async function startTask(task: vscode.Task): Promise<RunningTask> {
  let execution: vscode.TaskExecution | undefined;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  // A short task may end before its start is reported.
  const listening = vscode.tasks.onDidEndTask((event) => {
    if (event.execution === execution || event.execution.task === task) resolve();
  });
  void ended.then(() => listening.dispose());
  try {
    execution = await vscode.tasks.executeTask(task);
  } catch (error) {
    resolve();
    throw error;
  }
  const running: RunningTask = { command: `Task: ${task.name}`, execution, ended };
  void ended.then(() => {
    running.verdict = "";
  });
  return running;
}

function toListedRun([id, { command, verdict }]: readonly [string, Ending<unknown>]): CommandRun {
  return { id, command, ...(verdict === undefined ? {} : { ended: verdict }) };
}

/** The output so far, and how it ended. */
function outputOf(running: Running): string {
  return withVerdict(running, running.verdict ?? "");
}

/** The blanks before the first line stay: they say how it is indented. */
function withVerdict({ program }: Running, how: string): string {
  return [program.output.text().trimEnd(), how].filter((text) => text !== "").join("\n");
}

/** Whether it runs, or how it ended, as sentences. */
function stateOf({ verdict }: Ending<unknown>, runs = "It is running.", over = "It has ended."): string {
  return verdict === undefined ? runs : `${over} ${verdict}`.trim();
}

function endCommand(running: Running): void {
  // By the model, by the user or by a timeout: whoever asked knows.
  running.isKnown = true;
  endGently(running.program);
}

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { environment } from "../../shared/names/ids.ts";
import { allProcesses, type ProcessRow, signalAll, startedWith } from "./processes.ts";

/** Working directory and environment variables of a program. */
export interface ProgramEnvironment {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface ProgramOptions {
  /** The first process only waits for one that has left its group, as that of bubblewrap. */
  readonly hasMonitor?: boolean;
}

/** The end of a program. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if processes that it had started were still running. They are killed. */
  readonly hasLeftOthers: boolean;
}

/**
 * A running program in a process group of its own, so that everything that it starts ends with it. On Linux that includes
 * processes that left the group with `setsid`, unless they were started without the environment variables.
 */
export interface Program {
  readonly child: ChildProcess;
  /** Rejects if it can't be started. */
  readonly ended: Promise<ProgramEnd>;
  /** Signals the whole group, until it has ended. */
  signal(name: NodeJS.Signals): void;
}

/** Time in milliseconds from the exit of a program to the end of what it left running. */
export const leftMs = 500;

/** Turns of the event loop in which a short output and its end are read: those of each stream take two. */
const readTurns = 10;

/** The environment variable by which the processes of a program are found: a process can leave its group. */
export const markName = "INFERENCE_COMMAND_ID";
/** Processes can start others while they are found. */
export const mostSearches = 5;

/**
 * Starts a program by its words, or a command line in the default shell. It does not get the API key: it belongs to the
 * workspace, and its output goes to a model.
 */
export function startProgram(
  command: string | readonly [string, ...string[]],
  { folder, env: { [environment.key]: _, ...env } }: ProgramEnvironment,
  stdin: "pipe" | "ignore",
  { hasMonitor = false }: ProgramOptions = {},
): Program {
  const isLine = typeof command === "string";
  const [file, ...args] = isLine ? [command] : command;
  const mark = randomUUID();
  const child = spawn(file ?? "", args, {
    cwd: folder,
    env: { ...env, [markName]: mark },
    shell: isLine,
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: [stdin, "pipe", "pipe"],
  });
  let [isOver, isSignalled] = [false, false];
  const signalGroup = (name: NodeJS.Signals) => {
    if (child.pid === undefined || isOver) return;
    isSignalled = true;
    try {
      if (process.platform === "win32") spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"]);
      // The end of a monitor kills all others, so it is not asked to end: they would have no time.
      else if (!hasMonitor || name === "SIGKILL") process.kill(-child.pid, name);
    } catch {
      // It has ended meanwhile.
    }
    signalMarked(mark, child.pid, name);
  };
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      let isClosed = false;
      // Processes that it left running hold its output open.
      const endOthers = (turns: number) => {
        if (isClosed) return;
        if (turns > 0) return void setImmediate(endOthers, turns - 1);
        signalGroup("SIGKILL");
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal, hasLeftOthers: true });
      };
      // A busy window sees the end of the time before it reads what was printed and closed long ago.
      const timer = setTimeout(endOthers, leftMs, readTurns);
      child.once("close", () => {
        // Those that left the group need not hold its output open. They have the same time to end.
        if (isSignalled && markedProcesses(mark).length > 0) return;
        isClosed = true;
        clearTimeout(timer);
        resolve({ code, signal, hasLeftOthers: false });
      });
    });
  });
  const settle = () => {
    isOver = true;
  };
  ended.then(settle, settle);
  return { child, ended, signal: signalGroup };
}

/** Signals the processes of a program that are not in its group. After a kill no process is left that could start others. */
function signalMarked(mark: string, group: number, name: NodeJS.Signals): void {
  for (let search = 0; search < (name === "SIGKILL" ? mostSearches : 1); search++) {
    const outside = markedProcesses(mark).filter((one) => one.group !== group);
    if (outside.length === 0) return;
    signalAll(outside, name);
  }
}

/** The living processes with this mark. Empty except on Linux. */
export function markedProcesses(mark: string): readonly ProcessRow[] {
  if (process.platform !== "linux") return [];
  return allProcesses().filter(({ id }) => startedWith(id, markName, mark));
}

import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { KnownFailure } from "./progress.ts";

/** A process with its descendants. They end together, at the latest when this process ends. */
export interface ProcessGroup {
  /** Resolves with the exit code when the leader exits (null: by a signal). */
  readonly exited: Promise<number | null>;
  /** The last lines of its output, for error messages. */
  output(): string;
  /** Resolves with the first match in a line of its output; rejects if it exits or `timeoutMs` passes first. */
  line(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>;
  /** Ends the group: SIGTERM, then SIGKILL. Resolves when no process of it runs. */
  end(): Promise<void>;
}

const keptLines = 2_000;
const graceMs = 3_000;
const running = new Set<number>();

/** Starts `command` as the leader of a new process group and collects its output by line. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  endWithThisProcess();
  const posix = process.platform !== "win32";
  const child = spawn(command, args, { ...options, detached: posix, stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const lines: string[] = [];
  const watchers = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      for (const watcher of watchers) watcher(line);
    });
  }
  const output = () => lines.join("\n");
  const exited = exitOf(child);
  return {
    exited,
    output,
    line: (pattern, timeoutMs) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => {
          stop();
          reject(new KnownFailure(`${command} ${args[0] ?? ""}: ${why}\n${output()}`));
        };
        const timer = setTimeout(() => fail(`nothing like ${pattern} within ${timeoutMs} ms`), timeoutMs);
        const watcher = (line: string) => {
          const match = pattern.exec(line);
          if (!match) return;
          stop();
          resolve(match);
        };
        const stop = () => {
          clearTimeout(timer);
          watchers.delete(watcher);
        };
        watchers.add(watcher);
        for (const line of lines) watcher(line);
        exited.then(
          (code) => fail(`ended with ${code}`),
          (error: Error) => fail(error.message),
        );
      }),
    async end() {
      if (pid === undefined) return;
      await endGroup(pid);
      running.delete(pid);
    },
  };
}

/** Runs a command to its end in a new process group; rejects with its output unless it exits with 0. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<string> {
  const group = startGroup(command, args, options);
  const code = await group.exited;
  await group.end();
  if (code !== 0)
    throw new KnownFailure(`${[command, ...args].join(" ")}: ended with ${code}\n${group.output()}`);
  return group.output();
}

function exitOf(child: ChildProcess): Promise<number | null> {
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  exited.catch(() => {}); // a failed start rejects `line` or the end
  return exited;
}

async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, "SIGTERM");
  for (const deadline = Date.now() + graceMs; isRunning(pid); await wait(20)) {
    if (Date.now() > deadline) signalGroup(pid, "SIGKILL");
  }
}

/** No event reports the end of a group once its leader has exited, so it is polled. */
function isRunning(pid: number): boolean {
  if (process.platform === "win32") return false; // taskkill ends the tree before it returns
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32")
      execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, signal);
  } catch {
    // already gone
  }
}

let watching = false;

function endWithThisProcess(): void {
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const pid of running) signalGroup(pid, "SIGKILL");
  });
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.on(signal, () => process.exit(code));
  }
}

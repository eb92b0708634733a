import { type ChildProcess, spawn } from "node:child_process";
import type { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A running anvil. */
export interface NodeProcess {
  /** The URL of its HTTP interface. */
  readonly port: number;
  /** Aborted when the node has exited. */
  readonly ended: AbortSignal;
  /** Resolves when the process has exited and its files are deleted. */
  close(): Promise<void>;
}

const isWindows = process.platform === "win32";
/**
 * The node runs beside a shell that waits for the end of its input, which comes when this process ends, however it
 * ends: neither node nor files outlive the sandbox. The shell lets go of the output: its end is the node's end.
 */
const guard =
  '"$0" "$@" & node=$!; exec >&-; read -r _; kill "$node" 2>&-; wait "$node"; rm -rf "$NODE_HOME"';
/** Time for a node to exit by itself, in milliseconds. */
const endMs = 3_000;

/** Resolves when the node listens. Throws if it exits before, or can't be started. */
export async function startNode(
  binary: string,
  genesis: { readonly chainId: number; readonly genesisMs: number },
  signal: AbortSignal,
): Promise<NodeProcess> {
  const home = await mkdtemp(join(tmpdir(), "inference-sandbox-chain-"));
  const child = launch(binary, argumentsFor(genesis), home);
  const ended = new AbortController();
  const silent = happened(child.stdout, "close");
  const exited = Promise.race([happened(child, "exit"), happened(child, "error")]);
  void Promise.race([silent, exited]).then(() => ended.abort());
  const close = async () => {
    end(child);
    const timer = setTimeout(() => kill(child), endMs);
    await Promise.all([silent, exited]);
    clearTimeout(timer);
    await rm(home, { recursive: true, force: true });
  };
  try {
    return {
      port: await listeningPort(child, AbortSignal.any([signal, ended.signal])),
      ended: ended.signal,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function happened(source: EventEmitter | null, event: string): Promise<void> {
  return new Promise((resolve) => {
    if (source) source.once(event, () => resolve());
    else resolve();
  });
}

/** The node gets a temporary home folder, because anvil stores old states there. */
function launch(binary: string, args: readonly string[], home: string): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NODE_HOME: home, NO_COLOR: "1" };
  if (isWindows) return spawn(binary, args, { env, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
  return spawn("/bin/sh", ["-c", guard, binary, ...args], {
    env,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

function argumentsFor(genesis: { readonly chainId: number; readonly genesisMs: number }): readonly string[] {
  const loopback = ["--host", "127.0.0.1", "--port", "0", "--no-cors"];
  const chain = [
    "--chain-id",
    String(genesis.chainId),
    "--timestamp",
    String(Math.floor(genesis.genesisMs / 1000)),
  ];
  return [...loopback, ...chain, "--no-request-size-limit", "--threads", "1"];
}

/** Anvil prints its port. Later output is read and discarded. */
function listeningPort(child: ChildProcess, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const output = child.stdout;
    if (!output) return reject(new Error("anvil has no output"));
    const lines = createInterface({ input: output });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    lines.on("line", (line) => {
      const port = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      lines.close();
      output.resume();
      resolve(Number(port));
    });
  });
}

function end(child: ChildProcess): void {
  if (isWindows) child.kill();
  else child.stdin?.end();
}

function kill(child: ChildProcess): void {
  if (isWindows || child.pid === undefined) {
    child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // It exited in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

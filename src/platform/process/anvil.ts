import { type ChildProcess, spawn } from "node:child_process";
import type { EventEmitter } from "node:events";
import { access, constants, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";

/** Places to look for the binary. */
export interface AnvilPlaces {
  /** An explicit path. If given, nothing else is tried. */
  readonly path?: string | undefined;
  /** Folders whose `node_modules`, or that of a parent, may contain the anvil package for this platform. */
  readonly folders: readonly string[];
  /** A PATH. Relative entries are ignored. */
  readonly searchPath: string | undefined;
}

const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "win32" };
const processors: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The path of the first executable anvil. */
export async function findAnvil(places: AnvilPlaces): Promise<string | undefined> {
  const candidates =
    places.path === undefined ? [...packaged(places.folders), ...onPath(places.searchPath)] : [places.path];
  for (const candidate of candidates) if (await isRunnable(candidate)) return candidate;
  return undefined;
}

const binary = process.platform === "win32" ? "anvil.exe" : "anvil";

/** The package starts this file by a Node script. Using the file directly saves a process. */
function packaged(folders: readonly string[]): string[] {
  const [system, processor] = [systems[process.platform], processors[process.arch]];
  if (system === undefined || processor === undefined) return [];
  const name = join("node_modules", "@foundry-rs", `anvil-${system}-${processor}`, "bin", binary);
  return folders.flatMap(withParents).map((folder) => join(folder, name));
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function onPath(searchPath = ""): string[] {
  return (
    searchPath
      .split(delimiter)
      // Relative entries depend on the working directory.
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, binary))
  );
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A running anvil. */
export interface NodeProcess {
  /** The URL of its HTTP interface. */
  readonly port: number;
  /** Aborted when the node has exited. */
  readonly ended: AbortSignal;
  /** Resolves when the process has exited and its files are deleted. */
  close(): Promise<void>;
}

/** The chain of a node: a new one, or a copy of another from a block on. */
export interface NodeChain {
  readonly chainId: number;
  /** The time of a new chain's first block. */
  readonly genesisMs?: number;
  /** The URL of the copied chain may contain a secret. */
  readonly fork?: { readonly url: string; readonly block: bigint };
}

const isWindows = process.platform === "win32";
/**
 * The node runs beside a shell that waits for the end of its input, which comes when this process ends, however it
 * ends: neither node nor files outlive the extension. The shell lets go of the output: its end is the node's end. It
 * ends its process group, because npm's anvil is a script that starts the node.
 */
const guard =
  '"$0" "$@" & node=$!; exec >&-; read -r _; trap "" TERM; kill 0 2>&-; wait "$node"; rm -rf "$NODE_HOME"';
/** Time for a node to exit by itself, in milliseconds. */
const endMs = 3_000;

/** Resolves when the node listens. Throws if it exits before, or can't be started. */
export async function startNode(binary: string, chain: NodeChain, signal: AbortSignal): Promise<NodeProcess> {
  const home = await mkdtemp(join(tmpdir(), "inference-anvil-"));
  if (chain.fork) {
    await writeConfig(home, chain.fork.url).catch(async (error: unknown) => {
      await rm(home, { recursive: true, force: true });
      throw error;
    });
  }
  const child = launch(binary, argumentsFor(chain), home);
  const ended = new AbortController();
  const silent = happened(child.stdout, "close");
  const exited = Promise.race([happened(child, "exit"), happened(child, "error")]);
  void Promise.race([silent, exited]).then(() => ended.abort(new Error("anvil has exited")));
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

/** The name of the forked chain's URL in the configuration. */
const forkName = "upstream";

/** Other users of the machine can read arguments, but not this folder. */
function writeConfig(home: string, url: string): Promise<void> {
  const config = `[rpc_endpoints]\n${forkName} = ${JSON.stringify(url)}\n`;
  return writeFile(join(home, "foundry.toml"), config, { mode: 0o600 });
}

/** The node gets a temporary home folder, because anvil stores old states there, and reads its configuration. */
function launch(binary: string, args: readonly string[], home: string): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, NODE_HOME: home, NO_COLOR: "1" };
  const options = { env, cwd: home };
  if (isWindows)
    return spawn(binary, args, { ...options, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
  return spawn("/bin/sh", ["-c", guard, binary, ...args], {
    ...options,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
}

function argumentsFor({ chainId, genesisMs, fork }: NodeChain): readonly string[] {
  const server = [
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--no-cors",
    "--no-request-size-limit",
    "--threads",
    "1",
  ];
  if (!fork) {
    const time = genesisMs === undefined ? [] : ["--timestamp", String(Math.floor(genesisMs / 1000))];
    return [...server, "--chain-id", String(chainId), ...time];
  }
  const from = ["--fork-url", forkName, "--fork-block-number", String(fork.block)];
  // The states of own accounts would be read first, and stored ones may be those of another chain of this id.
  const only = ["--accounts", "0", "--no-storage-caching", "--retries", "0", "--no-rate-limit"];
  return [...server, ...from, "--fork-chain-id", String(chainId), ...only];
}

/** Anvil prints its port. Later output is read and discarded. */
function listeningPort(child: ChildProcess, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const output = child.stdout;
    if (!output) return reject(new Error("anvil has no output"));
    if (signal.aborted) return reject(signal.reason);
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

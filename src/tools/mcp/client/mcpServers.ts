import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Members } from "../../../shared/members.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { untilAborted } from "../../../shared/untilAborted.ts";
import type { ProgramStart, RemoteStart } from "./config/fillIn.ts";
import { type ReadServers, type ServerDefinition, startText } from "./config/mcpFile.ts";
import type { openServer } from "./connection/openServer.ts";
import type { ConnectionHost, ServerConnection, ServerResult } from "./connection/serverConnection.ts";
import type { ServerPrinter } from "./serverOutput.ts";
import type { ListedTools, ServerTool } from "./serverTool.ts";

/** A server of the user's files, with what is known of it. */
export interface KnownServer {
  readonly definition: ServerDefinition;
  readonly state: "stopped" | "starting" | "running";
  /** Its tools as it listed them last; undefined if it has never been started. */
  readonly listed?: ListedTools;
  /** Why it could not be started, or has ended, as a sentence. */
  readonly problem?: string;
  /** It was started in this window, so there can be something to see of it. */
  readonly hasOutput: boolean;
}

export interface McpServersDeps {
  /** Reads the files. */
  definitions(): Promise<ReadServers>;
  /** The start of a server without variables. Rejects with a Refusal. */
  fill(definition: ServerDefinition): Promise<ProgramStart | RemoteStart>;
  /** The server refused its values, or ended at once: the user is asked again, and can keep them. */
  doubt(definition: ServerDefinition): void;
  /** Loads the client. */
  load(): Promise<{ readonly openServer: typeof openServer }>;
  readonly host: Pick<ConnectionHost, "version" | "roots"> & {
    ask(
      server: ServerDefinition,
      ...question: Parameters<ConnectionHost["ask"]>
    ): ReturnType<ConnectionHost["ask"]>;
  };
  /** The tools of servers as they were listed last, by the ids of the servers. */
  readonly lists: { read(id: string): ListedTools | undefined; write(id: string, listed: ListedTools): void };
  /** Takes what a start of a server prints. The secrets are those that it was given. */
  output(definition: ServerDefinition, secrets: readonly string[]): ServerPrinter;
  changed(): void;
  readonly idleMs?: number;
}

const usualIdleMs = 600_000;
/** A server that ends by itself so often within this time is not started again. */
const mostEnds = 3;
const endsMs = 300_000;

/** One server of this window. */
class Run {
  connection: ServerConnection | undefined;
  opening: Promise<ServerConnection> | undefined;
  abort = new AbortController();
  problem: string | undefined;
  /** Of its last start. */
  printer: ServerPrinter | undefined;
  calls = 0;
  idle: NodeJS.Timeout | undefined;
  /** When it ended by itself, of the monotonic clock. */
  ends: readonly number[] = [];
}

/** The servers of the user's files. Each is started when the user or an approved call needs it, and ends when idle. */
export class McpServers {
  readonly #deps: McpServersDeps;
  readonly #runs = new Map<string, Run>();
  #isDisposed = false;

  constructor(deps: McpServersDeps) {
    this.#deps = deps;
  }

  /** The servers of the files as they are now. Those that are not in them any more are stopped. */
  async read(): Promise<{ readonly servers: readonly KnownServer[]; readonly problems: readonly string[] }> {
    const { servers, problems } = await this.#deps.definitions();
    const ids = new Set(servers.map(({ id }) => id));
    for (const id of this.#runs.keys()) if (!ids.has(id)) this.#drop(id);
    return { servers: servers.map((definition) => this.#known(definition)), problems };
  }

  /** The user starts a server. Never rejects: the server's problem says why it could not be started. */
  async start(definition: ServerDefinition): Promise<void> {
    const run = this.#runOf(definition);
    run.ends = [];
    await this.#open(definition, run).catch(() => {});
    this.#rest(definition, run);
  }

  /** The user stops it. */
  async stop({ id }: ServerDefinition): Promise<void> {
    const run = this.#runs.get(id);
    if (!run) return;
    clearTimeout(run.idle);
    run.abort.abort(new Refusal("The server was stopped."));
    run.abort = new AbortController();
    const { connection } = run;
    run.connection = undefined;
    run.problem = undefined;
    this.#deps.changed();
    await connection?.close();
  }

  /**
   * Calls a tool that has this hash, and starts its server if needed. `began` is called before the call is sent. Rejects with
   * a Refusal that says what is known of the call.
   */
  async call(
    definition: ServerDefinition,
    { name, hash }: Pick<ServerTool, "name" | "hash">,
    input: Members,
    signal: AbortSignal,
    on: { began(): void; progress(text: string): void },
  ): Promise<ServerResult> {
    const run = this.#runOf(definition);
    run.calls += 1;
    clearTimeout(run.idle);
    let hasBegun = false;
    const began = () => {
      if (!hasBegun) on.began();
      hasBegun = true;
    };
    const send = () => this.#send(definition, { name, hash }, input, signal, { ...on, began });
    try {
      return await send().catch((error) => {
        // Nothing was called: a server that was started again knows no session of before, and credentials expire.
        if (isNamed(error, "RequestRefused")) return send();
        throw error;
      });
    } finally {
      run.calls -= 1;
      this.#rest(definition, run);
    }
  }

  /** Resolves to the result of one request. A connection whose request is refused is given up. */
  async #send(
    definition: ServerDefinition,
    { name, hash }: Pick<ServerTool, "name" | "hash">,
    input: Members,
    signal: AbortSignal,
    on: { began(): void; progress(text: string): void },
  ): Promise<ServerResult> {
    const run = this.#runOf(definition);
    const connection = run.connection ?? (await untilAborted(this.#openFor(name, definition, run), signal));
    const tool = connection.listed.tools.find((one) => one.name === name);
    if (!tool)
      throw new Refusal(`The server ${definition.name} has no tool ${name} any more. It was not called.`);
    if (tool.hash !== hash)
      throw new Refusal(
        `The server ${definition.name} has changed what it says about ${name}, so it was not called. Call it again: the user is asked once more.`,
      );
    signal.throwIfAborted();
    on.began();
    try {
      return await connection.call(name, input, signal, on.progress);
    } catch (error) {
      if (isNamed(error, "RequestRefused") && run.connection === connection) {
        run.connection = undefined;
        connection.kill();
        this.#deps.changed();
      }
      throw error;
    }
  }

  rootsChanged(): void {
    for (const { connection } of this.#runs.values()) connection?.rootsChanged();
  }

  /** Ends all servers before it returns. */
  dispose(): void {
    this.#isDisposed = true;
    for (const id of [...this.#runs.keys()]) this.#drop(id);
  }

  #known(definition: ServerDefinition): KnownServer {
    const run = this.#runs.get(definition.id);
    const listed = run?.connection?.listed ?? this.#deps.lists.read(definition.id);
    const state = run?.connection ? "running" : run?.opening ? "starting" : "stopped";
    return {
      definition,
      state,
      hasOutput: run?.printer !== undefined,
      ...(listed ? { listed } : {}),
      ...(run?.problem === undefined ? {} : { problem: run.problem }),
    };
  }

  #runOf({ id }: ServerDefinition): Run {
    const run = this.#runs.get(id) ?? new Run();
    this.#runs.set(id, run);
    return run;
  }

  #drop(id: string): void {
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    clearTimeout(run?.idle);
    run?.abort.abort(new Refusal("The server was stopped."));
    run?.connection?.kill();
  }

  async #openFor(tool: string, definition: ServerDefinition, run: Run): Promise<ServerConnection> {
    const connection = await this.#open(definition, run);
    await connection.waitFor(tool, run.abort.signal);
    return connection;
  }

  /** Calls at the same time share a start. */
  async #open(definition: ServerDefinition, run: Run): Promise<ServerConnection> {
    if (run.connection) return run.connection;
    run.opening ??= this.#begin(definition, run).finally(() => {
      run.opening = undefined;
      this.#deps.changed();
    });
    return run.opening;
  }

  async #begin(definition: ServerDefinition, run: Run): Promise<ServerConnection> {
    const { name, id } = definition;
    const { signal } = run.abort;
    this.#refuseOften(name, run);
    run.problem = undefined;
    try {
      // The state "starting" is shown once `opening` is set.
      queueMicrotask(() => this.#deps.changed());
      const start = await untilAborted(this.#deps.fill(definition), signal);
      const { openServer } = await this.#deps.load();
      run.printer = this.#deps.output(definition, start.secrets);
      run.printer.line(`${start.kind === "program" ? "Runs" : "Reaches"} ${startText(definition)}`);
      const connection = await openServer(start, this.#hostOf(definition, run), signal);
      if (signal.aborted || this.#isDisposed) {
        connection.kill();
        throw signal.reason;
      }
      run.connection = connection;
      this.#deps.lists.write(id, connection.listed);
      return connection;
    } catch (error) {
      if (isNamed(error, "RefusedByServer")) this.#deps.doubt(definition);
      if (!signal.aborted) {
        run.problem = messageOf(error);
        run.printer?.line(run.problem);
      }
      throw new Refusal(
        `The server ${name} could not be started, so nothing was called. ${messageOf(error)}`,
      );
    }
  }

  /** A server that ends again and again costs as much as one that runs without end. */
  #refuseOften(name: string, run: Run): void {
    const sinceMs = performance.now() - endsMs;
    run.ends = run.ends.filter((endMs) => endMs > sinceMs);
    if (run.ends.length < mostEnds) return;
    throw new Refusal(
      `The server ${name} has ended ${mostEnds} times by itself within ${endsMs / 60_000} minutes. Start it in Tools of This Chat once it is mended.`,
    );
  }

  #hostOf(definition: ServerDefinition, run: Run): ConnectionHost {
    const { host, lists, changed } = this.#deps;
    return {
      version: host.version,
      roots: () => host.roots(),
      ask: (question, signal) => host.ask(definition, question, signal),
      printed: (text) => run.printer?.write(text),
      toolsChanged(listed) {
        lists.write(definition.id, listed);
        changed();
      },
      ended(how) {
        if (!run.connection) return;
        run.connection = undefined;
        // What ends for a server over HTTP is a connection, which costs nothing.
        if (!("url" in definition.start)) run.ends = [...run.ends, performance.now()];
        run.problem = `It has ended: ${how}.`;
        run.printer?.line(run.problem);
        changed();
      },
    };
  }

  /** Ends a server that nothing has used for a while. */
  #rest(definition: ServerDefinition, run: Run): void {
    clearTimeout(run.idle);
    if (run.calls > 0 || !run.connection) return;
    run.idle = setTimeout(() => void this.stop(definition), this.#deps.idleMs ?? usualIdleMs).unref();
  }
}

/** Their classes belong to the client, which is loaded with the first start. */
function isNamed(error: unknown, name: "RefusedByServer" | "RequestRefused"): boolean {
  return error instanceof Refusal && error.name === name;
}

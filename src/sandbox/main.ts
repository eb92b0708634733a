import { table } from "../api/table.ts";
import { readPages } from "./docs/pages.ts";
import type { SandboxHooks } from "./hooks.ts";
import { routesOf } from "./http/routes.ts";
import { startServer } from "./http/server.ts";
import { randomSecret } from "./keys/keyring.ts";
import type { LocalScan } from "./local/localModels.ts";
import { createMedia, type Media } from "./media.ts";
import type { SandboxOptions } from "./options.ts";
import { openRpc } from "./rpc/openRpc.ts";
import { createServices } from "./services.ts";
import { createState } from "./state/createState.ts";
import type { State } from "./state/state.ts";
import { createWorkerPool } from "./work/workerPool.ts";

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT/api/v1`. */
  readonly baseUrl: string;
  /** The ADMIN key. */
  readonly apiKey: string;
  /** The INFERENCE key. */
  readonly inferenceKey: string;
  setTokensPerSecond(tokensPerSecond: number): void;
  /** Replaces the servers whose models are listed. */
  setModelServers(addresses: readonly string[]): void;
  /** Lists the models of the servers on this machine now, also of those that failed before. */
  findLocalModels(signal: AbortSignal): Promise<LocalScan>;
  /** Closes all connections, frees the port and ends all chain nodes. */
  close(): Promise<void>;
}

/** Reads documents on this machine without a service. */
export interface DocumentReader {
  /** The text with marks of pages. Throws an error with a sentence for a file that can't be read. */
  read(bytes: Uint8Array, password: string | undefined, signal: AbortSignal): Promise<string>;
}

/** Its worker threads start with the first document, and end when they have had nothing to do for some seconds. */
export const documentReader: DocumentReader = createDocumentReader();

function createDocumentReader(): DocumentReader {
  const pool = createWorkerPool();
  return {
    read: (bytes, password, signal) =>
      pool.run(
        "readDocument",
        { bytes, marksPages: true, ...(password === undefined ? {} : { password }) },
        signal,
      ),
  };
}

/** Starts the local service on the loopback address. Rejects if the port is taken or the docs can't be read. */
export async function startSandbox(options: SandboxOptions = {}, hooks: SandboxHooks = {}): Promise<Sandbox> {
  const apiKey = hooks.apiKey ?? randomSecret("ADMIN");
  const inferenceKey = randomSecret("INFERENCE");
  const speed = { tokensPerSecond: options.tokensPerSecond ?? 80 };
  const address = { origin: "" };
  const pages = hooks.pages ?? (options.docs === undefined ? [] : await readPages(options.docs));
  const wiring = {
    secrets: { apiKey, inferenceKey },
    origin: () => address.origin,
    tokensPerSecond: () => speed.tokensPerSecond,
  };
  const state = createState(options, pages, wiring, hooks);
  const { rpc, close: closeNodes } = await openRpc(hooks, state);
  const context = {
    state,
    services: createServices({ ...state, rpc, media: mediaOf(hooks, state), authors: hooks.authors }),
    routes: routesOf(table, hooks.otherPaths),
  };
  const server = await startServer(context, hooks.port ?? 0, hooks);
  address.origin = `http://127.0.0.1:${server.port}`;
  return {
    baseUrl: `${address.origin}/api/v1`,
    apiKey,
    inferenceKey,
    setTokensPerSecond(tokensPerSecond) {
      speed.tokensPerSecond = tokensPerSecond;
    },
    setModelServers: (addresses) => state.localModels.setServers(addresses),
    findLocalModels: (signal) => state.localModels.scan(signal, true),
    async close() {
      state.localModels.close();
      await server.close();
      await closeNodes();
    },
  };
}

function mediaOf({ speechProgram = "espeak-ng" }: SandboxHooks, state: State): Media {
  const { dialect, library, ids } = state;
  const program = speechProgram ?? undefined;
  return createMedia({ dialect: dialect.id, library, ids, speechProgram: program });
}

import { table } from "../api/table.ts";
import { createState } from "./createState.ts";
import { type DocPage, readPages } from "./docs/pages.ts";
import type { Faults } from "./faults/faults.ts";
import { createRequestLog, type LoggedRequest, type RequestMatch } from "./http/requestLog.ts";
import { routesOf } from "./http/routes.ts";
import { startServer } from "./http/server.ts";
import { randomSecret } from "./keys/keyring.ts";
import type { LocalScan } from "./local/localModels.ts";
import { createMedia, type Media } from "./media.ts";
import { openRpc } from "./openRpc.ts";
import type { SandboxOptions } from "./options.ts";
import { createServices } from "./services.ts";
import type { State } from "./state.ts";

export type { ErrorShape } from "./faults/errorShapes.ts";
export type { Fault, FaultMatch, Faults } from "./faults/faults.ts";
export type { DocPage, LoggedRequest, RequestMatch, SandboxOptions };

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT/api/v1`. */
  readonly baseUrl: string;
  /** Of type ADMIN. */
  readonly apiKey: string;
  /** Of type INFERENCE. */
  readonly inferenceKey: string;
  /** The last 500, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** All that ever arrived. */
  readonly requestCount: number;
  /** The next request to arrive whole that matches; its `ended` tells when it was answered or aborted. */
  nextRequest(match?: RequestMatch): Promise<LoggedRequest>;
  /** In place of all faults so far. */
  setFaults(faults: Faults): void;
  setTokensPerSecond(tokensPerSecond: number): void;
  /** Whose models are offered, in place of those so far. */
  setModelServers(addresses: readonly string[]): void;
  /** Asks the servers on this machine for their models now, also those that failed a moment ago. */
  findLocalModels(signal: AbortSignal): Promise<LocalScan>;
  /** Cuts all connections, frees the port and ends all chain nodes. */
  close(): Promise<void>;
}

/** Starts the local service on the loopback address. Rejects when the port is taken or the docs can't be read. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const apiKey = options.apiKey ?? randomSecret("ADMIN");
  const inferenceKey = randomSecret("INFERENCE");
  const speed = { tokensPerSecond: options.tokensPerSecond ?? 80 };
  const address = { origin: "" };
  const log = createRequestLog();
  const docs = typeof options.docs === "string" ? await readPages(options.docs) : (options.docs ?? []);
  const state = createState(options, docs, {
    secrets: { apiKey, inferenceKey },
    origin: () => address.origin,
    tokensPerSecond: () => speed.tokensPerSecond,
  });
  const { rpc, close: closeNodes } = await openRpc(options, state);
  const context = {
    state,
    services: createServices({ ...state, rpc, media: mediaOf(options, state) }),
    routes: routesOf(table, options.otherPaths),
  };
  const server = await startServer(context, log, options.port ?? 0);
  address.origin = `http://127.0.0.1:${server.port}`;
  server.setFaults(options.faults ?? []);
  return {
    baseUrl: `${address.origin}/api/v1`,
    apiKey,
    inferenceKey,
    requests: log.requests,
    get requestCount() {
      return log.count;
    },
    nextRequest: (match) => log.next(match),
    setFaults: (faults) => server.setFaults(faults),
    setTokensPerSecond(tokensPerSecond) {
      speed.tokensPerSecond = tokensPerSecond;
    },
    setModelServers: (addresses) => state.localModels.setServers(addresses),
    findLocalModels: (signal) => state.localModels.look(signal, true),
    async close() {
      log.close();
      state.localModels.close();
      await server.close();
      await closeNodes();
    },
  };
}

function mediaOf({ searchFolders = [], speechProgram = "espeak-ng" }: SandboxOptions, state: State): Media {
  const { dialect, library, ids } = state;
  const program = speechProgram ?? undefined;
  return createMedia({ dialect: dialect.id, library, ids, folders: searchFolders, speechProgram: program });
}

import { table } from "../api/table.ts";
import { createState } from "./createState.ts";
import { readPages } from "./docs/pages.ts";
import type { SandboxHooks } from "./hooks.ts";
import { routesOf } from "./http/routes.ts";
import { startServer } from "./http/server.ts";
import { randomSecret } from "./keys/keyring.ts";
import type { LocalScan } from "./local/localModels.ts";
import { createMedia, type Media } from "./media.ts";
import { openRpc } from "./openRpc.ts";
import type { SandboxOptions } from "./options.ts";
import { createServices } from "./services.ts";
import type { State } from "./state.ts";

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT/api/v1`. */
  readonly baseUrl: string;
  /** Of type ADMIN. */
  readonly apiKey: string;
  /** Of type INFERENCE. */
  readonly inferenceKey: string;
  setTokensPerSecond(tokensPerSecond: number): void;
  /** Whose models are offered, in place of those so far. */
  setModelServers(addresses: readonly string[]): void;
  /** Asks the servers on this machine for their models now, also those that failed a moment ago. */
  findLocalModels(signal: AbortSignal): Promise<LocalScan>;
  /** Cuts all connections, frees the port and ends all chain nodes. */
  close(): Promise<void>;
}

/** Starts the local service on the loopback address. Rejects when the port is taken or the docs can't be read. */
export async function startSandbox(options: SandboxOptions = {}, hooks: SandboxHooks = {}): Promise<Sandbox> {
  const apiKey = options.apiKey ?? randomSecret("ADMIN");
  const inferenceKey = randomSecret("INFERENCE");
  const speed = { tokensPerSecond: options.tokensPerSecond ?? 80 };
  const address = { origin: "" };
  const docs = typeof options.docs === "string" ? await readPages(options.docs) : (options.docs ?? []);
  const wiring = {
    secrets: { apiKey, inferenceKey },
    origin: () => address.origin,
    tokensPerSecond: () => speed.tokensPerSecond,
  };
  const state = createState(options, docs, wiring, hooks);
  const { rpc, close: closeNodes } = await openRpc(options, state);
  const context = {
    state,
    services: createServices({ ...state, rpc, media: mediaOf(options, state), authors: hooks.authors }),
    routes: routesOf(table, options.otherPaths),
  };
  const server = await startServer(context, options.port ?? 0, hooks);
  address.origin = `http://127.0.0.1:${server.port}`;
  return {
    baseUrl: `${address.origin}/api/v1`,
    apiKey,
    inferenceKey,
    setTokensPerSecond(tokensPerSecond) {
      speed.tokensPerSecond = tokensPerSecond;
    },
    setModelServers: (addresses) => state.localModels.setServers(addresses),
    findLocalModels: (signal) => state.localModels.look(signal, true),
    async close() {
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

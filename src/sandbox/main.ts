import { type DialectId, dialects } from "../api/dialect.ts";
import { table } from "../api/table.ts";
import { createKeyring, randomSecret } from "./auth.ts";
import { createCatalog, type Tier } from "./catalog/catalog.ts";
import { createLibrary } from "./docs/library.ts";
import { modelsPage } from "./docs/modelsPage.ts";
import { type DocPage, readPages } from "./docs/pages.ts";
import type { Faults } from "./faults/faults.ts";
import { createRequestLog, type LoggedRequest, type RequestMatch } from "./http/requestLog.ts";
import { routesOf } from "./http/routes.ts";
import { startServer } from "./http/server.ts";
import { createIds } from "./ids.ts";
import { createFailureBudget } from "./limits/failures.ts";
import { createRates } from "./limits/rates.ts";
import { createServices } from "./services.ts";
import type { State } from "./state.ts";

export type { ErrorShape } from "./faults/errorShapes.ts";
export type { Fault, FaultMatch, Faults } from "./faults/faults.ts";
export type { DocPage, LoggedRequest, RequestMatch };

export interface SandboxOptions {
  /** Default `standard`. */
  readonly dialect?: DialectId;
  /** How fast chat models write; default 80, Infinity for as fast as it is read. */
  readonly tokensPerSecond?: number;
  /** The key that may call everything; default a new one at each start. */
  readonly apiKey?: string;
  /** What the guide answers from: pages, or a folder of markdown files. */
  readonly docs?: readonly DocPage[] | string;
  readonly faults?: Faults;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Unix time in milliseconds; default the system's. Streams are paced by real time. */
  readonly clock?: () => number;
  /** Makes ids the same at each start. */
  readonly seed?: number;
  /** Rate limits of the spec's tiers, default `default`; `none` counts but never refuses. */
  readonly limits?: Tier | "none";
}

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
  /** The next request to arrive whole that matches; its `ended` tells when it was answered or aborted. */
  nextRequest(match?: RequestMatch): Promise<LoggedRequest>;
  /** In place of all faults so far. */
  setFaults(faults: Faults): void;
  setTokensPerSecond(tokensPerSecond: number): void;
  /** Cuts all connections and frees the port. */
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
  const desk = { state, services: createServices(), routes: routesOf(table) };
  const server = await startServer(desk, log, options.port ?? 0);
  address.origin = `http://127.0.0.1:${server.port}`;
  server.setFaults(options.faults ?? []);
  return {
    baseUrl: `${address.origin}/api/v1`,
    apiKey,
    inferenceKey,
    requests: log.requests,
    nextRequest: (match) => log.next(match),
    setFaults: (faults) => server.setFaults(faults),
    setTokensPerSecond(tokensPerSecond) {
      speed.tokensPerSecond = tokensPerSecond;
    },
    async close() {
      log.close();
      await server.close();
    },
  };
}

interface Wiring {
  readonly secrets: { readonly apiKey: string; readonly inferenceKey: string };
  readonly origin: () => string;
  readonly tokensPerSecond: () => number;
}

function createState(options: SandboxOptions, docs: readonly DocPage[], wiring: Wiring): State {
  const dialect = dialects[options.dialect ?? "standard"];
  const limits = options.limits ?? "default";
  const now = options.clock ?? Date.now;
  const catalog = createCatalog(limits === "partner" ? "partner" : "default");
  const pages = docs.length === 0 ? [] : [...docs, modelsPage(catalog)];
  const ids = createIds(options.seed);
  const { apiKey, inferenceKey } = wiring.secrets;
  return {
    dialect,
    catalog,
    ids,
    now,
    tokensPerSecond: wiring.tokensPerSecond,
    keys: createKeyring([
      { id: ids.hex(32), secret: apiKey, type: "ADMIN" },
      { id: ids.hex(32), secret: inferenceKey, type: "INFERENCE" },
    ]),
    rates: createRates(now, limits !== "none"),
    failures: createFailureBudget(dialect.id, now),
    library: createLibrary(pages, wiring.origin),
  };
}

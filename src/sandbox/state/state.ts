import type { Dialect } from "../../api/dialect/dialect.ts";
import type { Billing } from "../billing/billing.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PromptCache } from "../chat/promptCache.ts";
import type { DocsLibrary } from "../docs/library.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestHeaders } from "../http/request/readInput.ts";
import type { Route } from "../http/routes.ts";
import type { ApiKeyStore } from "../keys/apiKeyStore.ts";
import type { Key } from "../keys/keyring.ts";
import type { Wallets } from "../keys/wallets.ts";
import type { FailureBudget } from "../limits/failures.ts";
import type { Rates } from "../limits/rates.ts";
import type { LocalModels } from "../local/localModels.ts";
import type { Ids } from "./ids.ts";

/** The state that all handlers share. */
export interface State {
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  readonly keys: ApiKeyStore;
  readonly wallets: Wallets;
  readonly billing: Billing;
  readonly rates: Rates;
  readonly failures: FailureBudget;
  readonly library: DocsLibrary;
  readonly promptCache: PromptCache;
  readonly localModels: LocalModels;
  readonly ids: Ids;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly tokensPerSecond: () => number;
}

/** One request that has passed authentication and validation. */
export interface ServiceCall {
  readonly route: Route;
  /** Parsed by the row's schema, or raw if the service validates it itself. */
  readonly input: unknown;
  /** The request has `stream: true`. */
  readonly streamed: boolean;
  /** Undefined on public rows. */
  readonly key: Key | undefined;
  /** The key of the rate limit. */
  readonly scope: string;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
}

export type Handler = (state: State, call: ServiceCall) => Reply | Promise<Reply>;

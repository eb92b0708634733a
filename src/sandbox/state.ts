import type { Dialect } from "../api/dialect.ts";
import type { Billing } from "./billing/billing.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { PromptCache } from "./chat/promptCache.ts";
import type { DocsLibrary } from "./docs/library.ts";
import type { RequestHeaders } from "./http/readInput.ts";
import type { Reply } from "./http/reply.ts";
import type { Route } from "./http/routes.ts";
import type { Ids } from "./ids.ts";
import type { ApiKeyStore } from "./keys/apiKeyStore.ts";
import type { Key } from "./keys/keyring.ts";
import type { FailureBudget } from "./limits/failures.ts";
import type { Rates } from "./limits/rates.ts";
import type { LocalModels } from "./local/localModels.ts";
import type { Wallets } from "./wallets.ts";

/** All that the handlers of one running sandbox share. */
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
  /** As the row's schema reads it, or as it came where the service checks it itself. */
  readonly input: unknown;
  /** Whether `stream: true` was asked for. */
  readonly streamed: boolean;
  /** Undefined on public rows. */
  readonly key: Key | undefined;
  /** Which window counts this call. */
  readonly scope: string;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  /** Fires when the caller hangs up. */
  readonly signal: AbortSignal;
}

export type Handler = (state: State, call: ServiceCall) => Reply | Promise<Reply>;

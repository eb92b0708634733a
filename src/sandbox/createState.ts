import { type Dialect, dialects } from "../api/dialect.ts";
import { type Billing, createBilling } from "./billing/billing.ts";
import { createCatalog } from "./catalog/catalog.ts";
import { createPromptCache } from "./chat/promptCache.ts";
import { createLibrary } from "./docs/library.ts";
import { modelsPage } from "./docs/modelsPage.ts";
import type { DocPage } from "./docs/pages.ts";
import { createIds, type Ids, uuidOf } from "./ids.ts";
import { createKeyBook, type KeyBook } from "./keys/keyBook.ts";
import { createFailureBudget } from "./limits/failures.ts";
import { createRates } from "./limits/rates.ts";
import { createLocalModels } from "./local/localModels.ts";
import type { SandboxOptions } from "./options.ts";
import type { State } from "./state.ts";
import { createWallets } from "./wallets.ts";

/** What is known of a sandbox only once it runs, or changes while it does. */
export interface Wiring {
  readonly secrets: Secrets;
  readonly origin: () => string;
  readonly tokensPerSecond: () => number;
}

interface Secrets {
  readonly apiKey: string;
  readonly inferenceKey: string;
}

export function createState(options: SandboxOptions, docs: readonly DocPage[], wiring: Wiring): State {
  const dialect = dialects[options.dialect ?? "standard"];
  const limits = options.limits ?? "default";
  const now = options.clock ?? Date.now;
  const { testModels = true } = options;
  const tier = limits === "partner" ? "partner" : "default";
  const catalog = createCatalog({ tier, dialect: dialect.id, testModels });
  const pages = docs.length === 0 ? [] : [...docs, modelsPage(catalog)];
  const ids = createIds(options.seed);
  return {
    dialect,
    catalog,
    ids,
    now,
    tokensPerSecond: wiring.tokensPerSecond,
    ...openBooks(options, { dialect, ids, now }, wiring.secrets),
    wallets: createWallets(now),
    rates: createRates(now, limits !== "none"),
    failures: createFailureBudget(dialect.id, now),
    library: createLibrary(pages, wiring.origin),
    promptCache: createPromptCache(now),
    localModels: createLocalModels({
      addresses: options.modelServers ?? [],
      now,
      onLook: (models) => catalog.setLocalModels(models),
      ...(options.modelProbeMs === undefined ? {} : { probeMs: options.modelProbeMs }),
    }),
    declines: !testModels,
  };
}

interface Ground {
  readonly dialect: Dialect;
  readonly ids: Ids;
  readonly now: () => number;
}

/** Keys have limits on what the ledger says they spent, and the ledger's analytics name keys. */
function openBooks(
  { balances, history }: SandboxOptions,
  { dialect, ids, now }: Ground,
  secrets: Secrets,
): { readonly keys: KeyBook; readonly billing: Billing } {
  const billing: Billing = createBilling({
    dialect: dialect.id,
    now,
    balances: balances ?? { usd: 25, diemPerDay: 10 },
    describeKey: (id) => keys.describe(id),
    ...(history ? { history: { ...history, endMs: now() } } : {}),
  });
  const newId = () => uuidOf(ids.hex(32));
  const keys: KeyBook = createKeyBook({
    now,
    ids,
    spentSince: billing.spentSince,
    keys: [
      { id: newId(), secret: secrets.apiKey, type: "ADMIN", description: "Sandbox" },
      {
        id: newId(),
        secret: secrets.inferenceKey,
        type: "INFERENCE",
        description: "Sandbox, inference only",
      },
    ],
  });
  return { keys, billing };
}

import { type Dialect, dialects } from "../../api/dialect/dialect.ts";
import { type Billing, createBilling } from "../billing/billing.ts";
import type { LedgerEntry } from "../billing/ledger/entry.ts";
import { exampleMonth as entriesOfMonth } from "../billing/ledger/exampleMonth.ts";
import { type Catalog, createCatalog } from "../catalog/catalog.ts";
import { createPromptCache } from "../chat/promptCache.ts";
import { createDocsLibrary } from "../docs/library.ts";
import { modelsPage } from "../docs/modelsPage.ts";
import type { DocPage } from "../docs/pages.ts";
import type { SandboxHooks } from "../hooks.ts";
import { type ApiKeyStore, createApiKeyStore } from "../keys/apiKeyStore.ts";
import { exampleKeys } from "../keys/exampleKeys.ts";
import type { KeyRecord } from "../keys/keyRecord.ts";
import { Wallets } from "../keys/wallets.ts";
import { createFailureBudget } from "../limits/failures.ts";
import { createRates } from "../limits/rates.ts";
import { createLocalModels } from "../local/localModels.ts";
import type { SandboxOptions } from "../options.ts";
import { type AccountJournal, noJournal, openAccountJournal, spentOf } from "./accountJournal.ts";
import { createIds, type Ids } from "./ids.ts";
import type { State } from "./state.ts";

/** Values that are known after the start, or change at run time. */
export interface Wiring {
  readonly secrets: Secrets;
  readonly origin: () => string;
  readonly tokensPerSecond: () => number;
}

interface Secrets {
  readonly apiKey: string;
  readonly inferenceKey: string;
}

export function createState(
  options: SandboxOptions,
  pages: readonly DocPage[],
  wiring: Wiring,
  hooks: SandboxHooks = {},
): State {
  const dialect = dialects[options.dialect ?? "standard"];
  const { limits, clock: now = Date.now } = hooks;
  const catalog = createCatalog({
    dialect: dialect.id,
    ...(hooks.models ? { moreModels: hooks.models } : {}),
  });
  const library = pages.length === 0 ? [] : [...pages, modelsPage(catalog)];
  const ids = createIds(hooks.seed);
  const wallets = new Wallets({ now, ids, usd: hooks.walletUsd ?? 1 });
  return {
    dialect,
    catalog,
    ids,
    now,
    tokensPerSecond: wiring.tokensPerSecond,
    ...openAccount(options, { catalog, dialect, ids, now, wallets }, wiring.secrets, hooks),
    wallets,
    rates: createRates(now, limits !== "none"),
    failures: createFailureBudget(dialect.id, now),
    library: createDocsLibrary(library, wiring.origin),
    promptCache: createPromptCache(now),
    localModels: createLocalModels({
      addresses: options.modelServers ?? [],
      now,
      onScan: (models) => catalog.setLocalModels(models),
      ...(hooks.modelProbeMs === undefined ? {} : { probeMs: hooks.modelProbeMs }),
    }),
  };
}

interface Ground {
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly ids: Ids;
  readonly now: () => number;
  readonly wallets: Wallets;
}

/** Keys and billing refer to each other: limits read spending, and analytics name keys. */
function openAccount(
  { journal, exampleMonth }: SandboxOptions,
  ground: Ground,
  secrets: Secrets,
  { balances, past, keyPrefix }: SandboxHooks,
): { readonly keys: ApiKeyStore; readonly billing: Billing } {
  const { dialect, ids, now, wallets } = ground;
  const books = openAccountJournal(journal ?? noJournal, ids, now());
  const example = books.isNew && exampleMonth === true ? exampleAccount(ground, books) : undefined;
  const billing: Billing = createBilling({
    dialect: dialect.id,
    now,
    balances: balances ?? { usd: 25, diemPerDay: 10 },
    describeKey: (id) => keys.describe(id),
    payers: wallets,
    ...(past ? { past } : {}),
    restored: example?.entries ?? books.entries,
    spent: spentOf(books.paid, now()),
    onEntries: books.saveEntries,
  });
  const keys: ApiKeyStore = createApiKeyStore({
    now,
    ids,
    spentSince: billing.spentSince,
    lastChargeMs: billing.lastChargeMs,
    restored: example?.keys ?? books.keys,
    onRecord: books.saveKey,
    keyPrefix,
    keys: [
      { id: books.adminKeyId, secret: secrets.apiKey, type: "ADMIN", description: "Sandbox" },
      {
        id: books.inferenceKeyId,
        secret: secrets.inferenceKey,
        type: "INFERENCE",
        description: "Sandbox, inference only",
      },
    ],
  });
  return { keys, billing };
}

/** Keys and a month of usage for a new account. */
function exampleAccount(
  { catalog, dialect, ids, now }: Ground,
  books: AccountJournal,
): { readonly keys: readonly KeyRecord[]; readonly entries: readonly LedgerEntry[] } {
  const { keys, idOf } = exampleKeys(ids, now());
  const entries = entriesOfMonth({
    nowMs: now(),
    catalog,
    usdPerCredit: dialect.usdPerCredit[0],
    keys: { own: books.adminKeyId, ...idOf },
  });
  for (const key of keys) books.saveKey(key);
  books.saveExample(entries);
  return { keys, entries };
}

// A window for budget tests: a client of a service with the extension's ledger and spend gate.
import { createApi } from "../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../src/api/dialect/dialect.ts";
import type { Model } from "../../../src/api/endpoints/models.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { JournalOptions } from "../../../src/platform/files/durable/journal.ts";
import type { Budgets } from "../../../src/platform/settings.ts";
import type { Connection } from "../../../src/session/connection/connection.ts";
import { ModelNameLists } from "../../../src/session/modelNameLists.ts";
import type { PlaceOf } from "../../../src/session/spend/scopes/callTags.ts";
import { createSpend } from "../../../src/session/spend/spend.ts";
import type { BudgetState } from "../../../src/session/spend/spendBudget.ts";
import type { Prices } from "../../../src/session/spend/spendEntry.ts";
import { createSpendGate, type OverdraftAnswer } from "../../../src/session/spend/spendGate.ts";
import { noNames } from "../../../src/shared/chat/modelNames.ts";
import { openConsents } from "./openConsents.ts";

export const connection: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "standard",
};

export interface WindowOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly budgets: Budgets;
  readonly now?: () => number;
  readonly answers?: () => Promise<OverdraftAnswer>;
  /** Runs when a call begins to wait for a rate limit or for its repetition. */
  readonly onWaiting?: () => void;
  readonly journals?: JournalOptions;
  /** The folder and the branch of a call by its resource. */
  readonly placeOf?: PlaceOf;
  /** Of the service; default standard. */
  readonly dialect?: DialectId;
  /** The service's listing, unless it is requested. */
  readonly models?: readonly Model[];
}

export function openWindow(options: WindowOptions) {
  const { folder, baseUrl, apiKey, budgets, now = Date.now, answers, onWaiting, models } = options;
  const { journals, placeOf, dialect = "standard" } = options;
  const asked: BudgetState[] = [];
  const warned: BudgetState[] = [];
  const problems: unknown[] = [];
  const memory = new Map<string, unknown>();
  const report = (error: unknown) => problems.push(error);
  const place = placeOf ? { placeOf } : {};
  const files = journals ? { journals } : {};
  const told: string[] = [];
  const warn = (sentence: string) => void told.push(sentence);
  const spend = createSpend({ folder, now, onChange() {}, report, warn, ...files, ...place });
  const gate = createSpendGate({
    spend,
    ...place,
    consents: openConsents({ now }),
    budgets: () => budgets,
    state: {
      get: <T>(key: string, other?: T) => (memory.get(key) ?? other) as T,
      update: async (key, value) => void memory.set(key, value),
    },
    now,
    warn: (budget) => void warned.push(budget),
    async ask(budget) {
      asked.push(budget);
      return answers?.() ?? "no";
    },
  });
  const prices: Prices = {
    usdPerCredit: [6.25e-7, 7e-7],
    names: async () => (models ? noNames : names.get()),
    models: async () =>
      new Map((models ?? (await api.models.list({ type: "all" })).data).map((model) => [model.id, model])),
  };
  const names = new ModelNameLists(() => api.models);
  const api = createApi(table, createHostTransport(), {
    baseUrl,
    apiKey: async () => apiKey,
    dialect: dialects[dialect],
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
    observe(event) {
      spend.record(connection, event, prices);
      if (event.type === "waiting") onWaiting?.();
    },
    admit: (call, signal) => gate.admit(connection, call, prices, signal),
    admitAgain: (call, hold) => gate.admitAgain(connection, call, hold),
  });
  return { api, spend, gate, prices, asked, warned, told, problems };
}

import type { DialectId } from "../../api/dialect.ts";
import { type Account, createAccount } from "./account.ts";
import { type AnalyticsSource, analyticsOf } from "./analytics.ts";
import { createCache } from "./cache.ts";
import type { Charge } from "./charge.ts";
import { costOf, type Nano, plus } from "./decimal.ts";
import type { Currency, Entry } from "./entry.ts";
import { type HistoryPage, type HistoryQuery, historyPage } from "./historyPage.ts";
import { createKeySpend, type KeyTotals } from "./keySpend.ts";
import { createLedger, type Ledger, noRows } from "./ledger.ts";
import { type AnalyticsQuery, periodOf } from "./period.ts";
import { createSyntheticHistory, type SyntheticOptions } from "./syntheticHistory.ts";
import { type UsagePage, type UsageQuery, usagePage } from "./usagePage.ts";

/** Analytics are cached so long (spec E1). */
const analyticsAgeMs = 600_000;

export interface BillingOptions {
  readonly dialect: DialectId;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** What the account starts with. */
  readonly balances: { readonly usd: number; readonly diemPerDay: number };
  /** A key's description, for the analytics. */
  readonly describeKey: (keyId: string) => string | undefined;
  /** A made-up past that the ledger begins with. */
  readonly history?: SyntheticOptions;
}

/** What a charge came to. */
export interface Charged {
  readonly amount: Nano;
  readonly currency: Currency;
}

/** The sandbox's bookkeeping: every billable call is entered here, all billing routes are read from here. */
export interface Billing {
  readonly account: Account;
  readonly ledger: Ledger;
  /** Enters what one request is charged, all of it in one currency; undefined where it is nothing. */
  charge(charge: Charge): Charged | undefined;
  usage(query: UsageQuery): UsagePage;
  history(query: HistoryQuery): HistoryPage;
  /** May be ten minutes old. */
  analytics(query: AnalyticsQuery): object;
  /** What a key was charged since the start of a UTC day. */
  spentSince(keyId: string, day: number): KeyTotals;
}

export function createBilling(options: BillingOptions): Billing {
  const { now, dialect } = options;
  const account = createAccount(options.balances, now);
  const past = options.history && createSyntheticHistory(options.history);
  const ledger = createLedger(past ?? noRows);
  const describe = (keyId: string) => options.describeKey(keyId) ?? past?.describe(keyId) ?? keyId;
  const source: AnalyticsSource = { ledger, dialect, describe };
  const keySpend = createKeySpend();
  const cached = createCache<object>(now, analyticsAgeMs);
  return {
    account,
    ledger,
    charge(charge) {
      const costs = charge.lines.map(({ pricePerUnitUsd, units }) => costOf(pricePerUnitUsd, units));
      const amount = costs.reduce(plus, 0);
      if (charge.lines.length === 0) return undefined;
      const currency = account.pay(amount);
      const atMs = now();
      ledger.append(entriesOf(charge, costs, currency, atMs));
      if (charge.keyId !== null) keySpend.add(charge.keyId, atMs, currency, amount);
      return { amount, currency };
    },
    usage: (query) => usagePage(ledger, query),
    history: (query) => historyPage(ledger, query),
    analytics(query) {
      const period = periodOf(query, now());
      return cached(period.label, () => analyticsOf(source, period));
    },
    spentSince: keySpend.since,
  };
}

function entriesOf(charge: Charge, costs: readonly Nano[], currency: Currency, atMs: number): Entry[] {
  const { keyId, product, inferenceDetails } = charge;
  return charge.lines.map(({ sku, pricePerUnitUsd, units, part }, index) => ({
    atMs,
    sku,
    pricePerUnitUsd,
    units,
    amount: 0 - (costs[index] ?? 0),
    currency,
    notes: keyId === null ? "Web App" : "API Inference",
    inferenceDetails,
    keyId,
    product,
    part,
  }));
}

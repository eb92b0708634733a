import type { DialectId } from "../../api/dialect/dialect.ts";
import { type Balances, createAccount, type SharedBalance } from "./account.ts";
import { type AnalyticsSource, analyticsOf } from "./analytics/analytics.ts";
import { type AnalyticsQuery, periodOf } from "./analytics/period.ts";
import { type HistoryPage, type HistoryQuery, historyPage } from "./historyPage.ts";
import { amountOf, type Charge, entriesOf } from "./ledger/charge.ts";
import type { Nano } from "./ledger/decimal.ts";
import type { BillCurrency, LedgerEntry } from "./ledger/entry.ts";
import { DailyKeySpend, type KeyTotals } from "./ledger/keySpend.ts";
import { createLedger, type Ledger, noRows, type PastRows } from "./ledger/ledger.ts";
import { type BillPage, type UsageQuery, usagePage } from "./usagePage.ts";

/** Lifetime of cached analytics (spec E1). */
const analyticsAgeMs = 600_000;

export interface BillingOptions {
  readonly dialect: DialectId;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Initial balances. */
  readonly balances: { readonly usd: number; readonly diemPerDay: number };
  /** A key's description, for the analytics. */
  readonly describeKey: (keyId: string) => string | undefined;
  /** Callers who pay for themselves: their charges are not on the bill of the account. */
  readonly payers?: {
    isWallet(callerId: string): boolean;
    pay(callerId: string, charge: Charge): void;
  };
  readonly past?: PastRows;
  /** Entries of earlier starts, oldest first. */
  readonly restored?: readonly LedgerEntry[];
  /** The amount spent in earlier starts. */
  readonly spent?: Balances;
  /** Called for each charge. */
  readonly onEntries?: (entries: readonly LedgerEntry[]) => void;
}

/** The total of a charge. */
interface ChargeResult {
  readonly amount: Nano;
  readonly currency: BillCurrency;
}

/** All charges are entered here, and all billing routes read from here. */
export interface Billing {
  readonly account: SharedBalance;
  readonly ledger: Ledger;
  /** Enters the charge of one request in one currency. Undefined for an empty charge. */
  charge(charge: Charge): ChargeResult | undefined;
  usage(query: UsageQuery): BillPage;
  history(query: HistoryQuery): HistoryPage;
  /** Cached for up to ten minutes. */
  analytics(query: AnalyticsQuery): object;
  /** The charges of a key since the start of a UTC day. */
  spentSince(keyId: string, day: number): KeyTotals;
  /** Unix milliseconds of a key's last charge; undefined if it has none. */
  lastChargeMs(keyId: string): number | undefined;
}

export function createBilling(options: BillingOptions): Billing {
  const { now, dialect, past, payers } = options;
  const account = createAccount(options.balances, now, options.spent);
  const ledger = createLedger(past ?? noRows);
  const describe = (keyId: string) => options.describeKey(keyId) ?? past?.describe(keyId) ?? keyId;
  const source: AnalyticsSource = { ledger, dialect, describe };
  const keySpend = new DailyKeySpend();
  const { restored = [] } = options;
  ledger.append(restored);
  for (const { keyId, atMs, currency, amount } of restored)
    if (keyId !== null) keySpend.add(keyId, atMs, currency, -amount);
  const cached = createCache<object>(now, analyticsAgeMs);
  return {
    account,
    ledger,
    charge(charge) {
      if (charge.lines.length === 0) return undefined;
      const amount = amountOf(charge);
      if (charge.keyId !== null && payers?.isWallet(charge.keyId)) {
        payers.pay(charge.keyId, charge);
        return { amount, currency: "USD" };
      }
      const currency = account.pay(amount);
      const atMs = now();
      const entries = entriesOf(charge, currency, atMs);
      ledger.append(entries);
      options.onEntries?.(entries);
      if (charge.keyId !== null) keySpend.add(charge.keyId, atMs, currency, amount);
      return { amount, currency };
    },
    usage: (query) => usagePage(ledger, query),
    history: (query) => historyPage(ledger, query),
    analytics(query) {
      const period = periodOf(query, now());
      return cached(period.label, () => analyticsOf(source, period));
    },
    spentSince: (keyId, day) => keySpend.since(keyId, day),
    lastChargeMs: (keyId) => keySpend.lastAtMs(keyId),
  };
}

/** Caches results by name for `ageMs`. */
function createCache<Value>(now: () => number, ageMs: number): (name: string, make: () => Value) => Value {
  const stored = new Map<string, { readonly atMs: number; readonly value: Value }>();
  return (name, make) => {
    const atMs = now();
    for (const [old, { atMs: madeMs }] of stored) if (atMs - madeMs >= ageMs) stored.delete(old);
    const known = stored.get(name);
    if (known) return known.value;
    const value = make();
    stored.set(name, { atMs, value });
    return value;
  };
}

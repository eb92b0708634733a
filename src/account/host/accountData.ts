import type { Api } from "../../api/call/client.ts";
import type { RateLimitLogEntry, RateLimits } from "../../api/endpoints/account/account.ts";
import { isApiError } from "../../api/errors/errors.ts";
import type { Table } from "../../api/table.ts";
import { type Diem, diem, type Usd, usd } from "../../shared/money/money.ts";
import { dayMs, dayOf, dayText, monthOf } from "../../shared/time/days.ts";
import { type CachedResource, createCachedResource, joinedResource } from "./cachedResource.ts";
import { type KeyDetails, type KeyRow, toKeyDetails } from "./keys/keyRow.ts";
import { type AnalyticsTotals, filledBy, joined, toAnalyticsTotals } from "./usage/analyticsTotals.ts";
import type { DayFiles } from "./usage/days/dayFiles.ts";
import { type LoadedUsage, UsageStore } from "./usage/usageStore.ts";

/** UTC days, both inclusive, as analytics requests take them. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

export interface Balance {
  readonly usd: Usd | undefined;
  readonly diem: Diem | undefined;
  /** DIEM at the start of each day, if the service states it. */
  readonly diemPerDay: Diem | undefined;
  /** False if the service says that no call can be paid now; undefined if it does not say. */
  readonly canConsume: boolean | undefined;
  /** The currency that pays for calls: `USD`, `DIEM` …; undefined if the service does not say. */
  readonly currency: string | undefined;
}

export interface KeyList {
  readonly keys: readonly KeyRow[];
  /** True if the service lists keys. Otherwise these are the keys that were created here and those that usage names. */
  readonly isListed: boolean;
}

/** The data of the account views for one connection. Each part is loaded on first use. */
export interface AccountData {
  /** The limits of the key in use. Any key can read them. */
  readonly limits: CachedResource<RateLimits["data"]>;
  /** The last requests that a limit refused; undefined if the service has no such log. */
  readonly limitLog: CachedResource<readonly RateLimitLogEntry[] | undefined>;
  readonly balance: CachedResource<Balance>;
  readonly keys: CachedResource<KeyList>;
  /** Ids that the user looked up in this window. */
  readonly lookedUpKeys: Set<string>;
  /** A key's record (spec E12); undefined if the service no longer has it. */
  key(id: string): CachedResource<KeyDetails | undefined>;
  /**
   * Analytics of whole UTC days (spec E1): at most 90. Today is requested separately and raised to the sums of the
   * bill, so that all ranges that end today have the same age and are not below today's bill.
   */
  analytics(period: DayRange): CachedResource<AnalyticsTotals>;
  readonly today: CachedResource<LoadedUsage>;
  /** The records of the calendar month; loaded only for monthly budgets. */
  readonly month: CachedResource<LoadedUsage>;
  readonly usage: UsageStore;
  readonly now: () => number;
}

export interface AccountDataDeps {
  /** The client of the key in use. */
  readonly api: () => Promise<Api<Table>>;
  /** The client for requests that need a key of type ADMIN: the same, or that of a connection added for it. */
  readonly admin: () => Promise<Api<Table>>;
  readonly files: DayFiles;
  /** Ids of the keys that were created here. */
  readonly createdKeys: () => readonly string[];
  /** Default: none. */
  readonly lookedUpKeys?: Set<string>;
  readonly now: () => number;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
  /** Takes each new bill of today or of the month, before its readers get it. */
  readonly onBill?: (usage: LoadedUsage) => Promise<void>;
  /** Takes each new balance, before its readers get it. */
  readonly onBalance?: (balance: Balance) => Promise<void>;
}

const minuteMs = 60_000;
/** The service caches analytics for this long (spec E1). */
const analyticsAgeMs = 10 * minuteMs;
export const maxAnalyticsDays = 90;

export function createAccountData(deps: AccountDataDeps): AccountData {
  const { api, admin, now, onChange, report, createdKeys } = deps;
  const usage = new UsageStore({
    api: admin,
    files: deps.files,
    now,
    report,
  });
  const resource = <Value>(leastAgeMs: number, read: () => Promise<Value>) =>
    createCachedResource({ read, now, leastAgeMs, isLasting: needsAdmin, onChange });
  const listed = optional(async () => (await admin()).keys.list({}));
  const log = optional(async () => (await api()).account.rateLimitLog({}));
  const balance = optional(async () => (await admin()).billing.balance({}));
  const counted = memoized(
    ({ from, to }: DayRange) => `${from}:${to}`,
    ({ from, to }: DayRange) =>
      resource(analyticsAgeMs, async () => {
        const reply = await (await admin()).billing.analytics({
          startDate: dayText(from),
          endDate: dayText(to),
        });
        return toAnalyticsTotals(reply);
      }),
  );
  const analytics = ({ from, to }: DayRange): CachedResource<AnalyticsTotals> => {
    if (to !== dayOf(now())) return counted({ from, to });
    const parts = [...(from < to ? [counted({ from, to: to - 1 })] : []), counted({ from: to, to })];
    return joinedResource(parts, (values) => {
      const bill = today.cached.value?.tallies.find(({ day }) => day === to)?.total.spend;
      const totals = values.reduce(joined);
      return bill ? filledBy(totals, to, bill) : totals;
    });
  };
  const key = memoized(
    (id: string) => id,
    (id: string) =>
      resource(minuteMs, async () => {
        const reply = await unlessAbsent((await admin()).keys.read({ id }));
        return reply && toKeyDetails(reply.data);
      }),
  );
  const keys = resource(10_000, async (): Promise<KeyList> => {
    const reply = await listed();
    if (!reply) return unlistedKeys(analytics(lastDays(maxAnalyticsDays, now())), createdKeys());
    const rows = reply.data.map((record) => ({
      id: record.id,
      description: record.description || "(no description)",
      source: "list" as const,
      details: toKeyDetails(record),
    }));
    return { keys: rows, isListed: true };
  });
  const bill = async (from: number) => {
    const loaded = await usage.load({ from, to: dayOf(now()) }, { maxAgeMs: 0 });
    await deps.onBill?.(loaded);
    return loaded;
  };
  const today = resource(30_000, () => bill(dayOf(now())));
  const limits = resource(10_000, async () => (await (await api()).account.rateLimits({})).data);
  return {
    limits,
    limitLog: resource(30_000, async () => (await log())?.data),
    balance: resource(30_000, async () => {
      const read = await balanceOf(balance, limits);
      await deps.onBalance?.(read);
      return read;
    }),
    keys,
    lookedUpKeys: deps.lookedUpKeys ?? new Set(),
    key,
    analytics,
    today,
    month: resource(analyticsAgeMs, () => bill(monthOf(now()).from)),
    usage,
    now,
  };
}

/** The keys that usage names, and those that were created here. */
async function unlistedKeys(
  analytics: CachedResource<AnalyticsTotals>,
  createdKeys: readonly string[],
): Promise<KeyList> {
  const { value, error } = await analytics.load();
  if (value === undefined) throw error;
  const used = value.keys.flatMap(({ id, name }) =>
    id === null ? [] : [{ id, description: name, source: "usage" as const }],
  );
  const ids = new Set(used.map(({ id }) => id));
  const created = createdKeys.filter((id) => !ids.has(id));
  return {
    keys: [...created.map((id) => ({ id, description: "", source: "created" as const })), ...used],
    isListed: false,
  };
}

/** The last UTC days, today included. */
export function lastDays(days: number, nowMs: number): DayRange {
  const to = dayOf(nowMs);
  return { from: to - days + 1, to };
}

/** The current period of a key's limit (spec, limitPeriod); for a limit without reset, the whole range of analytics. */
export function periodOfLimit(limitPeriod: string, nowMs: number): DayRange {
  const to = dayOf(nowMs);
  if (limitPeriod === "EPOCH") return { from: to, to };
  if (limitPeriod === "MONTH") return { from: monthOf(nowMs).from, to };
  return lastDays(maxAnalyticsDays, nowMs);
}

/** Time of the limit's reset in Unix milliseconds; undefined if it never resets. */
export function limitResetMs(limitPeriod: string, nowMs: number): number | undefined {
  if (limitPeriod === "EPOCH") return (dayOf(nowMs) + 1) * dayMs;
  return limitPeriod === "MONTH" ? monthOf(nowMs).to * dayMs : undefined;
}

type BalanceReply = Awaited<ReturnType<Api<Table>["billing"]["balance"]>>;

/** From the balance route if the service has it, else from the rate limits, which any key can read. */
async function balanceOf(
  request: () => Promise<BalanceReply | undefined>,
  limits: AccountData["limits"],
): Promise<Balance> {
  const read = <Read>(money: (value: number) => Read, value: number | null | undefined) =>
    typeof value === "number" ? money(value) : undefined;
  const reply = await request().catch((error: unknown) => {
    if (needsAdmin(error)) return undefined;
    throw error;
  });
  if (reply) {
    return {
      usd: read(usd, reply.balances?.usd),
      diem: read(diem, reply.balances?.diem),
      diemPerDay: read(diem, reply.diemEpochAllocation),
      canConsume: reply.canConsume ?? undefined,
      currency: reply.consumptionCurrency || undefined,
    };
  }
  const { value, error } = await limits.load();
  if (value === undefined) throw error;
  const { USD, DIEM } = value.balances ?? {};
  const unsaid = { diemPerDay: undefined, canConsume: undefined, currency: undefined };
  return { usd: read(usd, USD), diem: read(diem, DIEM), ...unsaid };
}

export function needsAdmin(error: unknown): boolean {
  return isApiError(error) && error.kind === "admin-key-required";
}

function isAbsent(error: unknown): boolean {
  return isApiError(error) && (error.kind === "not-found" || error.kind === "gone");
}

/** A request to an optional route. After a 404 it is not sent again. */
function optional<Value>(request: () => Promise<Value>): () => Promise<Value | undefined> {
  let isSupported = true;
  return async () => {
    if (!isSupported) return undefined;
    const value = await unlessAbsent(request());
    isSupported = value !== undefined;
    return value;
  };
}

/** Undefined if the service does not have the route. */
async function unlessAbsent<Value>(reply: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function memoized<Input, Value>(
  nameOf: (input: Input) => string,
  make: (input: Input) => Value,
): (input: Input) => Value {
  const values = new Map<string, Value>();
  return (input) => {
    const name = nameOf(input);
    const found = values.get(name);
    if (found !== undefined) return found;
    const made = make(input);
    values.set(name, made);
    return made;
  };
}

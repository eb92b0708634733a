import { explain } from "../../platform/errorMessage.ts";
import type { Connection } from "../../session/connection.ts";
import { dayFrom, daysBetween } from "../../shared/days.ts";
import type { FromUsageView, ToUsageView, UsageState } from "../../shared/usageProtocol.ts";
import { type AccountData, needsAdmin } from "./accountData.ts";
import type { KeySpend } from "./analyticsTotals.ts";
import { type CallLedger, createCallSearch } from "./callSearch.ts";
import { type DashboardChoice, lookbackRange, toDashboardState } from "./dashboardState.ts";
import { toRequestDetail, toUsageRow } from "./recordRow.ts";
import { createRecordTable, type RecordTable, type RecordView } from "./recordTable.ts";
import type { LoadedUsage, StoredDays } from "./usageStore.ts";

/** The data of an account that the dashboard uses. */
interface DashboardAccount {
  readonly connection: Connection;
  readonly admin: Connection;
  readonly data: AccountData;
  takeBill(usage: LoadedUsage): Promise<void>;
  ledger(): Promise<CallLedger>;
}

export interface DashboardControllerDeps {
  readonly account: () => DashboardAccount | undefined;
  readonly post: (message: ToUsageView) => void;
  readonly report: (error: unknown) => void;
}

/** Requests of the view that the controller handles. The panel handles the others. */
export type UsageRequest = Exclude<FromUsageView, { readonly type: "exportFile" | "addAdmin" | "copy" }>;

/** The dashboard without VS Code: answers its view from the account's usage. */
export interface DashboardController {
  handle(message: UsageRequest): Promise<void>;
  /** Reloads everything and updates the view. */
  load(maxAgeMs?: number): Promise<void>;
  /** Sets the filter of the table after its data has loaded. */
  filter(text: string): void;
  readonly range: StoredDays;
  /** The records of the table with its filter and order; undefined before they have loaded. */
  readonly shown: RecordView | undefined;
  /** Cancels loading. */
  close(): void;
}

interface Loaded {
  readonly of: DashboardAccount;
  readonly usage: LoadedUsage;
  readonly table: RecordTable;
}

const maxDays = 90;

export function createDashboardController(deps: DashboardControllerDeps): DashboardController {
  const { account, post, report } = deps;
  let choice: DashboardChoice | undefined;
  let loaded: Loaded | undefined;
  let loading: AbortController | undefined;
  let pendingFilter: string | undefined;
  const search = createRecordSearch(() => loaded?.table, post);
  const calls = createCallSearch(() => account()?.ledger(), post);

  const nowMs = () => account()?.data.now() ?? Date.now();
  const chosen = () => choice ?? firstChoice(nowMs());
  const onProgress = (text: string) => post({ v: 1, type: "loading", text });
  const load = async (maxAgeMs?: number) => {
    const of = account();
    loading?.abort();
    const current = new AbortController();
    loading = current;
    if (!of) return;
    const { signal } = current;
    try {
      loaded = await loadUsage(of, chosen().range, { signal, onProgress, maxAgeMs });
      search.clear();
      void of.takeBill(loaded.usage).catch(report);
      const state = await loadState(loaded, chosen(), signal, onProgress);
      if (signal.aborted) return;
      post({ v: 1, type: "state", state });
      if (pendingFilter !== undefined) post({ v: 1, type: "filter", text: pendingFilter });
      pendingFilter = undefined;
    } catch (error) {
      if (signal.aborted) return;
      report(error);
      loaded = undefined;
      post({ v: 1, type: "state", state: failedState(of, chosen(), error) });
    }
  };
  const change = (next: Partial<DashboardChoice>) => {
    choice = { ...chosen(), ...next };
    return load();
  };
  const changeRange = async (range: StoredDays | undefined) => range && change({ lookback: 0, range });
  return {
    load,
    async handle(message) {
      switch (message.type) {
        case "ready":
          return load();
        case "refresh":
          return load(0);
        case "lookback":
          return change({ lookback: message.body.days, range: lookbackRange(message.body.days, nowMs()) });
        case "range":
          return changeRange(toRange(message.body));
        case "groupBy":
          return change({ groupBy: message.body.by });
        case "currency":
          return change({ currency: message.body.currency });
        case "calls":
          return calls.query(message.body);
        case "callRows":
          return calls.rows(message.body);
        default:
          return search.handle(message);
      }
    },
    filter(text) {
      pendingFilter = text;
    },
    get range() {
      return chosen().range;
    },
    get shown() {
      return search.shown;
    },
    close() {
      loading?.abort();
      loaded = undefined;
      search.clear();
    },
  };
}

function firstChoice(nowMs: number): DashboardChoice {
  return { range: lookbackRange(30, nowMs), lookback: 30, groupBy: "model", currency: "" };
}

type SearchRequest = Extract<UsageRequest, { readonly type: "query" | "rows" | "request" }>;

/** Searches the records, and sends the rows that the view requests. */
interface RecordSearch {
  handle(message: SearchRequest): Promise<void>;
  /** The result of the last query. */
  readonly shown: RecordView | undefined;
  clear(): void;
}

function createRecordSearch(
  table: () => RecordTable | undefined,
  post: DashboardControllerDeps["post"],
): RecordSearch {
  let found: { readonly query: number; readonly view: RecordView } | undefined;
  let newestQuery = 0;
  const query = async (body: Extract<UsageRequest, { type: "query" }>["body"]) => {
    newestQuery = body.query;
    const searched = table();
    const isNewest = () => newestQuery === body.query;
    const view = await searched?.query({ ...body, currency: undefined }, isNewest);
    if (!view || !isNewest() || table() !== searched) return;
    found = { query: body.query, view };
    post({ v: 1, type: "found", query: body.query, size: view.size });
  };
  return {
    async handle({ type, body }) {
      switch (type) {
        case "query":
          return query(body);
        case "rows": {
          if (found?.query !== body.query) return;
          const rows = found.view.rows(body.from, body.count).map(toUsageRow);
          return post({ v: 1, type: "rows", query: body.query, from: body.from, rows });
        }
        case "request": {
          const { requestId } = body;
          const records = table()?.ofRequest(requestId) ?? [];
          return post({ v: 1, type: "request", detail: toRequestDetail(requestId, records) });
        }
      }
    },
    get shown() {
      return found?.view;
    },
    clear() {
      found = undefined;
    },
  };
}

/** Undefined if the range is invalid or too long. */
function toRange({ from, to }: { readonly from: string; readonly to: string }): StoredDays | undefined {
  const [first, last] = [dayFrom(from), dayFrom(to)];
  if (first === undefined || last === undefined || first > last || last - first >= maxDays) return undefined;
  return { from: first, to: last };
}

interface LoadUsageOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly maxAgeMs: number | undefined;
}

async function loadUsage(
  of: DashboardAccount,
  range: StoredDays,
  { signal, onProgress, maxAgeMs }: LoadUsageOptions,
): Promise<Loaded> {
  onProgress("Reading usage…");
  const usage = await of.data.usage.load(range, {
    signal,
    onProgress: (read, total) => onProgress(progressText(read, total)),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  });
  signal.throwIfAborted();
  return { of, usage, table: createRecordTable(usage.days, of.data.usage.words) };
}

async function loadState(
  { of, usage }: Loaded,
  choice: DashboardChoice,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<UsageState> {
  const { data, admin, connection } = of;
  const [totals, balance] = await Promise.all([data.analytics(choice.range).load(), data.balance.load()]);
  const isMissing = totals.value === undefined && totals.error !== undefined;
  return toDashboardState(choice, {
    service: connection.name,
    isPlayMoney: connection.kind === "sandbox",
    usage,
    totals: totals.value,
    balance: balance.value,
    keysByDay: choice.groupBy === "key" ? await keysOfDays(of, usage, signal, onProgress) : new Map(),
    nowMs: data.now(),
    problem: isMissing ? sentenceOf(totals.error, admin) : "",
  });
}

/**
 * Records name no key, and the daily series merge keys with the same name. So each day is requested separately, two
 * at a time.
 */
async function keysOfDays(
  { data }: DashboardAccount,
  { days, range }: LoadedUsage,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<ReadonlyMap<number, readonly KeySpend[]>> {
  const keys = new Map<number, readonly KeySpend[]>();
  const spent = new Set(days.filter(({ size }) => size > 0).map(({ day }) => day));
  const waiting = daysBetween(range.from, range.to).filter((day) => spent.has(day));
  const work = async () => {
    for (let day = waiting.shift(); day !== undefined && !signal.aborted; day = waiting.shift()) {
      onProgress(`Reading the keys of each day: ${waiting.length + 1} days left`);
      const { value } = await data.analytics({ from: day, to: day }).load();
      if (value) keys.set(day, value.keys);
    }
  };
  await Promise.all([work(), work()]);
  return keys;
}

function progressText(read: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`;
  return `Reading usage: ${read.toLocaleString("en-US")}${of} records`;
}

function sentenceOf(error: unknown, { name, kind }: Connection): string {
  return explain(error, { service: name, kind }).sentence;
}

function failedState(
  { connection, admin }: DashboardAccount,
  choice: DashboardChoice,
  error: unknown,
): UsageState {
  const nowMs = Date.now();
  const usage = { range: choice.range, days: [], tallies: [], asOfMs: nowMs, warningMessage: undefined };
  const facts = {
    service: connection.name,
    isPlayMoney: connection.kind === "sandbox",
    usage,
    totals: undefined,
    keysByDay: new Map(),
    balance: undefined,
    nowMs,
    problem: sentenceOf(error, admin),
  };
  return { ...toDashboardState(choice, facts), needsAdmin: needsAdmin(error) };
}

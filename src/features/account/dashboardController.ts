import { explain } from "../../platform/errorMessage.ts";
import type { Connection } from "../../session/connection.ts";
import { dayFrom, daysBetween } from "../../shared/days.ts";
import type { FromUsageView, ToUsageView, UsageState } from "../../shared/usageProtocol.ts";
import { type AccountData, needsAdmin } from "./accountData.ts";
import type { KeySpend } from "./analyticsTotals.ts";
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

export function createDashboardController({
  account,
  post,
  report,
}: DashboardControllerDeps): DashboardController {
  let choice: DashboardChoice | undefined;
  let loaded: Loaded | undefined;
  let found: { readonly query: number; readonly view: RecordView } | undefined;
  let wantedQuery = 0;
  let loading: AbortController | undefined;
  let waitingFilter: string | undefined;

  const nowMs = () => account()?.data.now() ?? Date.now();
  const chosen = (): DashboardChoice =>
    choice ?? { range: lookbackRange(30, nowMs()), lookback: 30, groupBy: "model", currency: "" };
  const telling = (text: string) => post({ v: 1, type: "loading", text });
  const load = async (maxAgeMs?: number) => {
    const of = account();
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    if (!of) return;
    const { signal } = mine;
    telling("Reading usage…");
    try {
      const onProgress = (read: number, total: number | undefined) => telling(progressText(read, total));
      const age = maxAgeMs === undefined ? {} : { maxAgeMs };
      const usage = await of.data.usage.load(chosen().range, { signal, onProgress, ...age });
      signal.throwIfAborted();
      loaded = { of, usage, table: createRecordTable(usage.days, of.data.usage.words) };
      found = undefined;
      void of.takeBill(usage).catch(report);
      await notify(loaded, signal);
    } catch (error) {
      if (signal.aborted) return;
      report(error);
      loaded = undefined;
      post({ v: 1, type: "state", state: failedState(of, chosen(), error) });
    }
  };
  const notify = async ({ of, usage }: Loaded, signal: AbortSignal) => {
    const { data, admin, connection } = of;
    const { range, groupBy } = chosen();
    const [totals, balance] = await Promise.all([data.analytics(range).load(), data.balance.load()]);
    const keysByDay =
      groupBy === "key" ? await keysOfDays(of, usage, signal) : new Map<number, readonly KeySpend[]>();
    if (signal.aborted) return;
    const isMissing = totals.value === undefined && totals.error !== undefined;
    const facts = {
      service: connection.name,
      isPlayMoney: connection.kind === "sandbox",
      usage,
      totals: totals.value,
      balance: balance.value,
      keysByDay,
      nowMs: data.now(),
      problem: isMissing ? sentenceOf(totals.error, admin) : "",
    };
    post({ v: 1, type: "state", state: toDashboardState(chosen(), facts) });
    if (waitingFilter !== undefined) post({ v: 1, type: "filter", text: waitingFilter });
    waitingFilter = undefined;
  };
  /**
   * Records name no key, and the daily series merge keys with the same name. So each day is requested separately, two
   * at a time.
   */
  const keysOfDays = async (
    { data }: DashboardAccount,
    { days, range }: LoadedUsage,
    signal: AbortSignal,
  ) => {
    const keys = new Map<number, readonly KeySpend[]>();
    const spent = new Set(days.filter(({ size }) => size > 0).map(({ day }) => day));
    const waiting = daysBetween(range.from, range.to).filter((day) => spent.has(day));
    const work = async () => {
      for (let day = waiting.shift(); day !== undefined && !signal.aborted; day = waiting.shift()) {
        telling(`Reading the keys of each day: ${waiting.length + 1} days left`);
        const { value } = await data.analytics({ from: day, to: day }).load();
        if (value) keys.set(day, value.keys);
      }
    };
    await Promise.all([work(), work()]);
    return keys;
  };
  const change = (next: Partial<DashboardChoice>) => {
    choice = { ...chosen(), ...next };
    return load();
  };
  const changeRange = async ({ from, to }: { readonly from: string; readonly to: string }) => {
    const [first, last] = [dayFrom(from), dayFrom(to)];
    if (first === undefined || last === undefined || first > last || last - first >= maxDays) return;
    await change({ lookback: 0, range: { from: first, to: last } });
  };
  const search = async (body: Extract<UsageRequest, { type: "query" }>["body"]) => {
    wantedQuery = body.query;
    const table = loaded?.table;
    const query = { ...body, currency: undefined };
    const view = await table?.query(query, () => wantedQuery === body.query);
    if (!view || wantedQuery !== body.query || loaded?.table !== table) return;
    found = { query: body.query, view };
    post({ v: 1, type: "found", query: body.query, size: view.size });
  };
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
          return changeRange(message.body);
        case "groupBy":
          return change({ groupBy: message.body.by });
        case "currency":
          return change({ currency: message.body.currency });
        case "query":
          return search(message.body);
        case "rows": {
          const { query, from, count } = message.body;
          if (found?.query !== query) return;
          return post({
            v: 1,
            type: "rows",
            query,
            from,
            rows: found.view.rows(from, count).map(toUsageRow),
          });
        }
        case "request": {
          const { requestId } = message.body;
          const records = loaded?.table.ofRequest(requestId) ?? [];
          return post({ v: 1, type: "request", detail: toRequestDetail(requestId, records) });
        }
      }
    },
    filter(text) {
      waitingFilter = text;
    },
    get range() {
      return chosen().range;
    },
    get shown() {
      return found?.view;
    },
    close() {
      loading?.abort();
      loaded = undefined;
      found = undefined;
    },
  };
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

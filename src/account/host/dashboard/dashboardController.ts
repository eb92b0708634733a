import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Known, known, unknown } from "../../../shared/known.ts";
import { dayFrom, dayMs, daysBetween } from "../../../shared/time/days.ts";
import {
  type FromUsageView,
  type KeptChoice,
  readKeptChoice,
  type ToUsageView,
  type UsageState,
} from "../../protocol/usageProtocol.ts";
import { type AccountData, needsAdmin } from "../accountData.ts";
import { MonthComparison } from "../report/monthComparison.ts";
import type { KeySpend } from "../usage/analyticsTotals.ts";
import { toRequestDetail, toUsageRow, unknownRequest } from "../usage/recordRow.ts";
import {
  createRecordTable,
  type RecordsOf,
  type RecordTable,
  type RecordView,
} from "../usage/recordTable.ts";
import { recordsText } from "../usage/unitsText.ts";
import type { LoadedUsage, StoredDays } from "../usage/usageStore.ts";
import { type CallLedger, type CallSearch, createCallSearch } from "./callSearch.ts";
import { type DashboardChoice, lookbackRange, toDashboardState } from "./dashboardState.ts";

/** The data of an account that the dashboard uses. */
interface DashboardAccount {
  /** Equal for the same account alone. */
  readonly identity: string;
  readonly connection: Connection;
  readonly admin: Connection;
  readonly data: AccountData;
  takeBill(usage: LoadedUsage): Promise<void>;
  /** `wantsKeySpend`: with what the service counts by key. */
  ledger(wantsKeySpend?: boolean): Promise<CallLedger>;
  callsSince(atMs: number): Promise<readonly SpentEntry[]>;
}

export interface DashboardControllerDeps {
  readonly account: () => DashboardAccount | undefined;
  readonly post: (message: ToUsageView) => void;
  readonly report: (error: unknown) => void;
}

const ofPanel = ["exportFile", "addAdmin", "changeBudget", "openChat", "copy", "showRequest"] as const;

/** Requests of the view that the controller handles. The panel handles the others. */
export type UsageRequest = Exclude<FromUsageView, { readonly type: (typeof ofPanel)[number] }>;

export function isUsageRequest(message: FromUsageView): message is UsageRequest {
  return !ofPanel.some((type) => type === message.type);
}

/** The dashboard without VS Code: answers its view from the account's usage. */
export interface DashboardController {
  handle(message: UsageRequest): Promise<void>;
  /** Reloads everything and updates the view. What belongs to another account is removed first. */
  load(maxAgeMs?: number): Promise<void>;
  /** The account may be another one now: removes what belongs to the last one, and stops loading it. */
  accountChanged(): void;
  /** After the data has loaded, filters the table by a text, or calls and records by the end of a key. */
  filter(by: { readonly text: string } | { readonly key: string }): void;
  readonly range: StoredDays;
  /** The records of the table of this account with its filter and order; undefined if they were not read. */
  shownOf(identity: string): RecordView | undefined;
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
  const { account, post } = deps;
  let choice: DashboardChoice | undefined;
  let loaded: Loaded | undefined;
  let loading: AbortController | undefined;
  let pendingFilter: Extract<ToUsageView, { readonly type: "filter" | "pickKey" }> | undefined;
  /** The account that the page shows. */
  let shownIdentity: string | undefined;
  /** The records are those of the account that is active now, whether a change of it was told yet or not. */
  const shownTable = () => (loaded?.of.identity === account()?.identity ? loaded?.table : undefined);
  const search = createRecordSearch(shownTable, () => callsOfRecords(loaded), post);
  const calls = createCallSearch((wantsKeySpend) => callsOf(account, wantsKeySpend), post);
  const comparison = new MonthComparison(account, post);
  const drop = () => {
    loading?.abort();
    comparison.clear();
    loaded = undefined;
    search.clear();
  };
  const accountChanged = () => {
    const identity = account()?.identity;
    if (identity === shownIdentity) return;
    const isFirst = shownIdentity === undefined;
    shownIdentity = identity;
    if (isFirst) return;
    drop();
    calls.clear();
    choice = inAllCurrencies(choice);
    post({ v: 1, type: "cleared" });
  };
  const nowMs = () => account()?.data.now() ?? Date.now();
  const chosen = () => choice ?? firstChoice(nowMs());
  const load = async (maxAgeMs?: number) => {
    accountChanged();
    const of = account();
    loading?.abort();
    loading = new AbortController();
    const { signal } = loading;
    if (!of) return post({ v: 1, type: "loading", text: "Sign in to a service to see its usage." });
    const isCurrent = () => !signal.aborted && account()?.identity === of.identity;
    const take = (next: Loaded | undefined) => {
      loaded = next;
      search.clear();
    };
    if (!(await showUsage({ of, choice: chosen(), signal, isCurrent, maxAgeMs }, deps, take))) return;
    if (pendingFilter !== undefined) post(pendingFilter);
    pendingFilter = undefined;
  };
  const start = (kept: KeptChoice | undefined) => {
    const connection = account()?.connection;
    if (kept && connection && kept.connection !== connection.id)
      post({ v: 1, type: "moved", text: movedText(kept, connection) });
    else if (kept) choice ??= choiceBefore(kept, nowMs());
    return load();
  };
  const change = (next: Partial<DashboardChoice>) => {
    choice = { ...chosen(), ...next };
    return load();
  };
  const handle = createHandler({ load, start, change, search, calls, comparison, nowMs });
  return {
    load,
    accountChanged,
    handle(message) {
      accountChanged();
      return handle(message);
    },
    filter(by) {
      pendingFilter = "key" in by ? { v: 1, type: "pickKey", ...by } : { v: 1, type: "filter", ...by };
      choice = inAllCurrencies(choice);
    },
    get range() {
      return chosen().range;
    },
    shownOf: (identity) =>
      identity === account()?.identity && identity === loaded?.of.identity ? search.shown : undefined,
    close: drop,
  };
}

interface LoadOptions {
  readonly of: DashboardAccount;
  readonly choice: DashboardChoice;
  readonly signal: AbortSignal;
  /** False once another load has begun, or another account is active, whether that was told yet or not. */
  readonly isCurrent: () => boolean;
  readonly maxAgeMs: number | undefined;
}

/** Reads the usage and posts the state, or the reason that it can't be read. True if it was read and is current. */
async function showUsage(
  { of, choice, signal, isCurrent, maxAgeMs }: LoadOptions,
  { post, report }: DashboardControllerDeps,
  take: (loaded: Loaded | undefined) => void,
): Promise<boolean> {
  const onProgress = (text: string) => {
    if (isCurrent()) post({ v: 1, type: "loading", text });
  };
  try {
    const read = await loadUsage(of, choice.range, { signal, onProgress, maxAgeMs });
    if (!isCurrent()) return false;
    take(read);
    void of.takeBill(read.usage).catch(report);
    const state = await loadState(read, choice, signal, onProgress);
    if (isCurrent()) post({ v: 1, type: "state", state });
    return isCurrent();
  } catch (error) {
    if (!isCurrent()) return false;
    report(error);
    take(undefined);
    const state = await failedState(of, choice, error);
    if (isCurrent()) post({ v: 1, type: "state", state });
    return false;
  }
}

/** The calls of an account, unless another one is active when they are read. */
/** The calls that the loaded records may be of. */
async function callsOfRecords(loaded: Loaded | undefined): Promise<readonly SpentEntry[]> {
  return loaded ? loaded.of.callsSince(loaded.usage.range.from * dayMs) : [];
}

async function callsOf(
  account: DashboardControllerDeps["account"],
  wantsKeySpend: boolean,
): Promise<CallLedger | undefined> {
  const of = account();
  const ledger = await of?.ledger(wantsKeySpend);
  return of?.identity === account()?.identity ? ledger : undefined;
}

function movedText({ service }: KeptChoice, { name }: Connection): string {
  return `This tab showed ${service}. The connection is ${name} now.`;
}

/** Days back from today stay so; other days stay the same days. Undefined if they are none that can be shown. */
function choiceBefore(kept: KeptChoice, nowMs: number): DashboardChoice | undefined {
  const { lookback, groupBy, currency } = kept;
  const range = lookback > 0 ? lookbackRange(lookback, nowMs) : toRange(kept);
  return range && { range, lookback, groupBy, currency };
}

/** For other records, which may not be in the chosen currency: those of another account, or of one request. */
function inAllCurrencies(choice: DashboardChoice | undefined): DashboardChoice | undefined {
  return choice && { ...choice, currency: "" };
}

interface HandlerDeps {
  readonly load: (maxAgeMs?: number) => Promise<void>;
  /** A page starts, maybe after a reload of the window, with what the user had chosen for a connection then. */
  readonly start: (kept: KeptChoice | undefined) => Promise<void>;
  readonly change: (next: Partial<DashboardChoice>) => Promise<void>;
  readonly search: RecordSearch;
  readonly calls: CallSearch;
  readonly comparison: MonthComparison;
  readonly nowMs: () => number;
}

function createHandler({
  load,
  start,
  change,
  search,
  calls,
  comparison,
  nowMs,
}: HandlerDeps): DashboardController["handle"] {
  const changeRange = async (range: StoredDays | undefined) => range && change({ lookback: 0, range });
  return async (message) => {
    switch (message.type) {
      case "ready":
        return start(readKeptChoice(message.body.kept));
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
      case "compare":
        return comparison.show();
      default:
        return search.handle(message);
    }
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
  callsOfTable: () => Promise<readonly SpentEntry[]>,
  post: DashboardControllerDeps["post"],
): RecordSearch {
  let found: { readonly query: number; readonly view: RecordView; readonly of: RecordTable } | undefined;
  let newestQuery = 0;
  const current = () => (found !== undefined && found.of === table() ? found : undefined);
  const query = async (body: Extract<UsageRequest, { type: "query" }>["body"]) => {
    newestQuery = body.query;
    const searched = table();
    if (!searched) return post({ v: 1, type: "found", query: body.query, size: 0 });
    const isNewest = () => newestQuery === body.query;
    const of =
      body.key === undefined ? undefined : await recordsOfKey(searched, await callsOfTable(), body.key);
    const view = await searched.query({ ...body, of }, isNewest);
    if (!view || !isNewest() || table() !== searched) return;
    found = { query: body.query, view, of: searched };
    post({ v: 1, type: "found", query: body.query, size: view.size });
  };
  return {
    async handle({ type, body }) {
      switch (type) {
        case "query":
          return query(body);
        case "rows": {
          const shown = current();
          if (shown?.query !== body.query) return;
          const rows = shown.view.rows(body.from, body.count).map(toUsageRow);
          return post({ v: 1, type: "rows", query: body.query, from: body.from, rows });
        }
        case "request": {
          const { requestId } = body;
          const records = table()?.ofRequest(requestId);
          const detail = records?.length
            ? toRequestDetail(requestId, records)
            : unknownRequest(requestId, records ? notInRange : notRead);
          return post({ v: 1, type: "request", detail });
        }
      }
    },
    get shown() {
      return current()?.view;
    },
    clear() {
      found = undefined;
    },
  };
}

/** Records name no key, so these are those of calls of this computer. */
async function recordsOfKey(
  table: RecordTable,
  entries: readonly SpentEntry[],
  key: string,
): Promise<RecordsOf> {
  const { byId, byRow } = await table.join(entries);
  const isOfKey = (entry: SpentEntry) => (entry.keyEnding ?? "") === key;
  return {
    requestIds: new Set([...byId].flatMap(([id, entry]) => (isOfKey(entry) ? [id] : []))),
    rows: new Set([...byRow].flatMap(([row, entry]) => (isOfKey(entry) ? [row] : []))),
  };
}

const notInRange =
  "The bill of the shown days has no record of this request. Records may be delayed: refresh, or choose more days.";
const notRead = "The bill could not be read.";

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
    onProgress: (read, total) => onProgress(`Reading usage: ${recordsText(read, total)}`),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  });
  signal.throwIfAborted();
  const span = { fromMs: range.from * dayMs, toMs: (range.to + 1) * dayMs, asOfMs: usage.asOfMs };
  return { of, usage, table: createRecordTable(usage.days, of.data.usage.words, span) };
}

async function loadState(
  { of, usage }: Loaded,
  choice: DashboardChoice,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<UsageState> {
  const { data } = of;
  const totals = await data.analytics(choice.range).load();
  const keysByDay =
    choice.groupBy === "key" ? await keysOfDays(of, usage, signal, onProgress) : known(new Map());
  return toDashboardState(choice, {
    ...(await commonFacts(of)),
    usage: known(usage),
    totals: toKnown(totals, of),
    keysByDay,
    needsAdmin: needsAdmin(totals.error),
  });
}

/** What is known without the records. */
async function commonFacts(of: DashboardAccount) {
  const { data, connection } = of;
  const [balance, ledger] = await Promise.all([data.balance.load(), of.ledger().catch(() => undefined)]);
  return {
    service: connection.name,
    connection: connection.id,
    isPlayMoney: connection.kind === "sandbox",
    balance: toKnown(balance, of),
    isBalanceOld: balance.error !== undefined,
    spent: ledger?.totals,
    keyEndings: ledger?.keys?.endings ?? new Map(),
    nowMs: data.now(),
  };
}

/** The value of a resource, also one that could not be renewed; else the reason. */
function toKnown<Value>(
  { value, error }: { readonly value: Value | undefined; readonly error: unknown },
  { admin }: DashboardAccount,
): Known<Value> {
  return value === undefined ? unknown(sentenceOf(error, admin)) : known(value);
}

/**
 * Records name no key, and the daily series merge keys with the same name. So each day is requested separately, two
 * at a time. Unknown if a day can't be read.
 */
async function keysOfDays(
  of: DashboardAccount,
  { days, range }: LoadedUsage,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<Known<ReadonlyMap<number, readonly KeySpend[]>>> {
  const keys = new Map<number, readonly KeySpend[]>();
  const spent = new Set(days.filter(({ size }) => size > 0).map(({ day }) => day));
  const waiting = daysBetween(range.from, range.to).filter((day) => spent.has(day));
  let failed: Known<never> | undefined;
  const work = async () => {
    for (let day = waiting.shift(); day !== undefined && !signal.aborted && !failed; day = waiting.shift()) {
      onProgress(`Reading the keys of each day: ${waiting.length + 1} days left`);
      const { value, error } = await of.data.analytics({ from: day, to: day }).load();
      if (value) keys.set(day, value.keys);
      else failed = unknown(sentenceOf(error, of.admin));
    }
  };
  await Promise.all([work(), work()]);
  return failed ?? known(keys);
}

function sentenceOf(error: unknown, { name, kind }: Connection): string {
  return explain(error, { service: name, kind }).sentence;
}

/** The records could not be read. The balance may be known all the same. */
async function failedState(
  of: DashboardAccount,
  choice: DashboardChoice,
  error: unknown,
): Promise<UsageState> {
  const reason = unknown(sentenceOf(error, of.admin));
  return toDashboardState(choice, {
    ...(await commonFacts(of)),
    usage: reason,
    totals: reason,
    keysByDay: reason,
    needsAdmin: needsAdmin(error),
  });
}

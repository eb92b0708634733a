import * as vscode from "vscode";
import { explain } from "../../platform/errorMessage.ts";
import { webviewPage, webviewRoot } from "../../platform/webviewPage.ts";
import { dayFrom, daysBetween } from "../../shared/days.ts";
import { commands } from "../../shared/ids.ts";
import {
  type FromUsageView,
  parseFromUsageView,
  type ToUsageView,
  type UsageState,
} from "../../shared/usageProtocol.ts";
import { needsAdmin } from "./accountData.ts";
import type { Account } from "./accountOf.ts";
import type { KeySpend } from "./analyticsTotals.ts";
import { type DashboardChoice, lookbackRange, toDashboardState } from "./dashboardState.ts";
import { toRequestDetail, toUsageRow } from "./recordRow.ts";
import { createRecordTable, type RecordTable, type RecordView } from "./recordTable.ts";
import type { DayRange, LoadedUsage } from "./usageStore.ts";

/** The dashboard's editor tab; there is one. */
export interface Dashboard extends vscode.Disposable {
  /** Opens the tab, with this text in the filter of its table if there is one. */
  show(filter?: string): void;
  /** Another account, or something in it has changed. */
  accountChanged(): void;
  /** The range that it shows, for the export. */
  readonly range: DayRange;
}

export interface DashboardDeps {
  readonly extensionUri: vscode.Uri;
  readonly account: () => Account | undefined;
  readonly log: vscode.LogOutputChannel;
}

const viewType = "inference.usageDashboard";

export function createDashboard({ extensionUri, account, log }: DashboardDeps): Dashboard {
  let panel: vscode.WebviewPanel | undefined;
  let choice: DashboardChoice = {
    range: lookbackRange(30, Date.now()),
    lookback: 30,
    groupBy: "model",
    currency: "",
  };
  let loaded: { readonly of: Account; readonly usage: LoadedUsage; readonly table: RecordTable } | undefined;
  let found: { readonly query: number; readonly view: RecordView } | undefined;
  let wantedQuery = 0;
  let loading: AbortController | undefined;
  let waitingFilter: string | undefined;
  const post = (message: ToUsageView) => void panel?.webview.postMessage(message);

  const load = async (maxAgeMs?: number) => {
    const of = account();
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    if (!of || !panel?.visible) return;
    const { signal } = mine;
    post({ v: 1, type: "loading", text: "Reading usage…" });
    try {
      const usage = await of.data.usage.load(choice.range, {
        signal,
        ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
        onProgress: (read, total) =>
          post({
            v: 1,
            type: "loading",
            text: `Reading usage: ${read.toLocaleString("en-US")}${total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`} records`,
          }),
      });
      signal.throwIfAborted();
      loaded = { of, usage, table: createRecordTable(usage.days, of.data.usage.words) };
      found = undefined;
      void of.takeBill(usage).catch((error: unknown) => log.error(String(error)));
      await tell(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.error("usage could not be read", error instanceof Error ? error : String(error));
      const { sentence } = explain(error, { service: of.admin.name, kind: of.admin.kind });
      post({
        v: 1,
        type: "state",
        state: { ...emptyState(of, choice), problem: sentence, needsAdmin: needsAdmin(error) },
      });
    }
  };
  /** Sums first; what needs more requests follows. */
  const tell = async (signal: AbortSignal) => {
    if (!loaded) return;
    const { of, usage } = loaded;
    const { data } = of;
    const [totals, balance] = await Promise.all([data.analytics(choice.range).look(), data.balance.look()]);
    const keysByDay =
      choice.groupBy === "key" ? await keysOfDays(of, signal) : new Map<number, readonly KeySpend[]>();
    if (signal.aborted) return;
    const problem =
      totals.value === undefined && totals.error !== undefined
        ? explain(totals.error, { service: of.admin.name, kind: of.admin.kind }).sentence
        : "";
    const facts = {
      service: of.connection.name,
      usage,
      totals: totals.value,
      balance: balance.value,
      keysByDay,
      nowMs: Date.now(),
      problem,
    };
    post({ v: 1, type: "state", state: toDashboardState(choice, facts) });
    if (waitingFilter !== undefined) post({ v: 1, type: "filter", text: waitingFilter });
    waitingFilter = undefined;
  };
  /** Records name no key and the daily series merge keys of one name, so each day is asked for by itself, two at a time. */
  const keysOfDays = async ({ data }: Account, signal: AbortSignal) => {
    const days = daysBetween(choice.range.from, choice.range.to);
    const keys = new Map<number, readonly KeySpend[]>();
    const spent = new Set(loaded?.usage.days.filter(({ size }) => size > 0).map(({ day }) => day));
    const waiting = days.filter((day) => spent.has(day));
    const work = async () => {
      for (let day = waiting.shift(); day !== undefined && !signal.aborted; day = waiting.shift()) {
        post({ v: 1, type: "loading", text: `Reading the keys of each day: ${waiting.length} to go` });
        const { value } = await data.analytics({ from: day, to: day }).look();
        if (value) keys.set(day, value.keys);
      }
    };
    await Promise.all([work(), work()]);
    return keys;
  };
  const change = (next: Partial<DashboardChoice>) => {
    choice = { ...choice, ...next };
    return load();
  };
  const hear = async (message: FromUsageView): Promise<unknown> => {
    switch (message.type) {
      case "ready":
        return load();
      case "refresh":
        return load(0);
      case "lookback":
        return change({ lookback: message.body.days, range: lookbackRange(message.body.days, Date.now()) });
      case "range":
        return changeRange(message.body);
      case "groupBy":
        return change({ groupBy: message.body.by });
      case "currency":
        return change({ currency: message.body.currency });
      case "query":
        return search(message.body);
      case "rows":
        return sendRows(message.body);
      case "request": {
        const records = loaded?.table.ofRequest(message.body.requestId) ?? [];
        return post({ v: 1, type: "request", detail: toRequestDetail(message.body.requestId, records) });
      }
      case "exportFile":
        return vscode.commands.executeCommand(commands.usageExport);
      case "addAdmin":
        return vscode.commands.executeCommand(commands.accountAddAdmin);
      case "copy":
        return vscode.env.clipboard.writeText(message.body.text);
    }
  };
  const changeRange = ({ from, to }: { readonly from: string; readonly to: string }) => {
    const [first, last] = [dayFrom(from), dayFrom(to)];
    if (first === undefined || last === undefined || first > last || last - first >= 90) return undefined;
    return change({ lookback: 0, range: { from: first, to: last } });
  };
  const search = async (body: Extract<FromUsageView, { type: "query" }>["body"]) => {
    wantedQuery = body.query;
    const table = loaded?.table;
    const view = await table?.query({ ...body, currency: undefined }, () => wantedQuery === body.query);
    if (!view || wantedQuery !== body.query || loaded?.table !== table) return;
    found = { query: body.query, view };
    post({ v: 1, type: "found", query: body.query, size: view.size });
  };
  const sendRows = ({ query, from, count }: Extract<FromUsageView, { type: "rows" }>["body"]) => {
    if (found?.query !== query) return;
    post({ v: 1, type: "rows", query, from, rows: found.view.rows(from, count).map(toUsageRow) });
  };
  const open = () => {
    const title = "Inference Usage";
    const opened = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    opened.iconPath = vscode.Uri.joinPath(extensionUri, "media", "activity.svg");
    opened.webview.onDidReceiveMessage((said: unknown) => {
      const message = parseFromUsageView(said);
      if (!message) return log.warn("the usage dashboard said something that is not understood");
      hear(message)?.catch((error: unknown) => log.error(String(error)));
    });
    opened.onDidDispose(() => {
      loading?.abort();
      panel = undefined;
      loaded = undefined;
    });
    opened.webview.html = webviewPage(opened.webview, extensionUri, { bundle: "dashboard", title });
    return opened;
  };
  return {
    show(filter) {
      waitingFilter = filter;
      if (!panel) panel = open();
      else {
        panel.reveal();
        void load();
      }
    },
    accountChanged() {
      if (panel?.visible) void load();
    },
    get range() {
      return choice.range;
    },
    dispose() {
      loading?.abort();
      panel?.dispose();
    },
  };
}

function emptyState(of: Account, choice: DashboardChoice): UsageState {
  const usage: LoadedUsage = {
    range: choice.range,
    days: [],
    tallies: [],
    asOfMs: Date.now(),
    warningMessage: undefined,
  };
  return toDashboardState(choice, {
    service: of.connection.name,
    usage,
    totals: undefined,
    keysByDay: new Map(),
    balance: undefined,
    nowMs: Date.now(),
    problem: "",
  });
}

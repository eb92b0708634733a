import { type Signal, signal } from "@preact/signals";
import { createPageRequests } from "../../webview/ui/pageRequests.ts";
import type {
  CompletionRow,
  RequestDetail,
  SortColumn,
  ToUsageView,
  UsageRow,
  UsageState,
} from "../protocol/usageProtocol.ts";
import type { UsageBridge } from "./bridge.ts";
import { type CallsModel, createCallsModel } from "./callsModel.ts";

/** Data of the table: the query, the number of records, and the loaded rows. */
interface FoundRecords {
  readonly query: number;
  readonly size: number;
  /** Rows by page number; a page is loaded when it becomes visible. */
  readonly pages: ReadonlyMap<number, readonly UsageRow[]>;
}

interface TableQuery {
  readonly text: string;
  readonly model: string | undefined;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

const pageRows = 100;
/** Pages cached on each side of the visible ones: a list may have a million records. */
const storedPages = 20;

/** State of the page, with its requests. */
export interface UsageModel {
  readonly state: Signal<UsageState | undefined>;
  readonly loading: Signal<string>;
  readonly query: Signal<TableQuery>;
  readonly found: Signal<FoundRecords>;
  readonly detail: Signal<RequestDetail | undefined>;
  readonly calls: CallsModel;
  readonly completions: Signal<readonly CompletionRow[]>;
  readonly bridge: UsageBridge;
  search(change: Partial<TableQuery>): void;
  /** Loads the pages with these rows, each once. */
  want(from: number, to: number): void;
  /** Undefined until it is loaded. */
  rowAt(index: number): UsageRow | undefined;
}

export function createUsageModel(bridge: UsageBridge): UsageModel {
  const state = signal<UsageState | undefined>(undefined);
  const loading = signal("Loading usage…");
  const query = signal<TableQuery>({ text: "", model: undefined, sort: "time", isDescending: true });
  const found = signal<FoundRecords>({ query: 0, size: 0, pages: new Map() });
  const detail = signal<RequestDetail | undefined>(undefined);
  const completions = signal<readonly CompletionRow[]>([]);
  let asked = 0;
  const requests = createPageRequests({
    length: pageRows,
    stored: storedPages,
    request: (from, count) => bridge.post("rows", { query: found.value.query, from, count }),
  });

  const ask = () => {
    bridge.post("query", toQuery(++asked, query.value));
  };
  const handle = (message: ToUsageView) => {
    switch (message.type) {
      case "loading":
        loading.value = message.text;
        break;
      case "state":
        loading.value = "";
        state.value = message.state;
        ask();
        break;
      case "cleared":
        // Nothing that is shown or asked for belongs to the new connection.
        asked += 1;
        requests.clear();
        loading.value = "Loading usage…";
        state.value = undefined;
        found.value = { query: 0, size: 0, pages: new Map() };
        detail.value = undefined;
        completions.value = [];
        query.value = { ...query.value, text: "", model: undefined };
        break;
      case "found":
        if (message.query !== asked) break;
        requests.clear();
        found.value = { query: message.query, size: message.size, pages: new Map() };
        break;
      case "rows": {
        const { query: of, size, pages } = found.value;
        if (message.query !== of) break;
        const known = [...pages, [message.from / pageRows, message.rows] as const];
        found.value = { query: of, size, pages: new Map(known.filter(([page]) => requests.isNear(page))) };
        break;
      }
      case "request":
        detail.value = message.detail;
        break;
      case "completions":
        completions.value = message.rows;
        break;
      case "filter":
        query.value = { ...query.value, text: message.text, model: undefined };
        ask();
        break;
    }
  };
  bridge.onMessage(handle);
  return {
    state,
    loading,
    query,
    found,
    detail,
    calls: createCallsModel(bridge),
    completions,
    bridge,
    search(change) {
      query.value = { ...query.value, ...change };
      ask();
    },
    want: (from, to) => requests.need(from, Math.min(to, found.value.size)),
    rowAt: (index) => found.value.pages.get(Math.floor(index / pageRows))?.[index % pageRows],
  };
}

function toQuery(query: number, { text, model, sort, isDescending }: TableQuery) {
  return { query, text, sort, isDescending, ...(model === undefined ? {} : { model }) };
}

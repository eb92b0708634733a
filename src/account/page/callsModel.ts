import { type Signal, signal } from "@preact/signals";
import { createPageRequests } from "../../webview/ui/pageRequests.ts";
import type { CallDimension, CallFilter, CallRow, CallsState } from "../protocol/callsProtocol.ts";
import type { UsageBridge } from "./bridge.ts";

interface CallQuery {
  readonly by: CallDimension;
  readonly filter: CallFilter;
}

const pageRows = 100;
const storedPages = 20;

/** This month's calls in the spend ledger: the query, its result, and the loaded rows. */
export interface CallsModel {
  readonly query: Signal<CallQuery>;
  readonly state: Signal<CallsState | undefined>;
  /** Changes with the user's search, but not if the ledger changes, so that the list stays where it is scrolled to. */
  readonly search: Signal<number>;
  /** Loaded rows by page number. */
  readonly pages: Signal<ReadonlyMap<number, readonly CallRow[]>>;
  ask(change: Partial<CallQuery>): void;
  want(from: number, to: number): void;
  rowAt(index: number): CallRow | undefined;
}

export function createCallsModel(bridge: UsageBridge): CallsModel {
  const query = signal<CallQuery>({ by: "source", filter: {} });
  const state = signal<CallsState | undefined>(undefined);
  const pages = signal<ReadonlyMap<number, readonly CallRow[]>>(new Map());
  const search = signal(0);
  let asked = 0;
  let newestSearch = 0;
  let isOutdated = false;
  const requests = createPageRequests({
    length: pageRows,
    stored: storedPages,
    request: (from, count) => {
      if (state.value) bridge.post("callRows", { query: state.value.query, from, count });
    },
  });
  const ask = () => {
    asked += 1;
    isOutdated = false;
    bridge.post("calls", { query: asked, ...query.value });
  };
  bridge.on("state", ask);
  bridge.on("cleared", () => {
    // Answers to earlier questions are those of another connection.
    asked += 1;
    requests.clear();
    state.value = undefined;
    pages.value = new Map();
    query.value = { ...query.value, filter: {} };
  });
  bridge.on("callsChanged", () => {
    // Many calls may end while the host answers. One more request covers them.
    if (state.value?.query === asked) ask();
    else isOutdated = true;
  });
  bridge.on("calls", ({ state: answered }) => {
    if (answered.query !== asked) return;
    const isRefresh = search.value === newestSearch;
    state.value = answered;
    if (!isRefresh) {
      requests.clear();
      pages.value = new Map();
      search.value = newestSearch;
    } else if (pages.value.size > 0) requests.renew();
    if (isOutdated) ask();
  });
  bridge.on("callRows", ({ query: of, from, rows }) => {
    if (of !== state.value?.query) return;
    const known = [...pages.value, [from / pageRows, rows] as const];
    pages.value = new Map(known.filter(([page]) => requests.isNear(page)));
  });
  return {
    query,
    state,
    pages,
    search,
    ask(change) {
      query.value = { ...query.value, ...change };
      newestSearch += 1;
      ask();
    },
    want: (from, to) => requests.need(from, Math.min(to, state.value?.size ?? 0)),
    rowAt: (index) => pages.value.get(Math.floor(index / pageRows))?.[index % pageRows],
  };
}

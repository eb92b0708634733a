import { type Signal, signal } from "@preact/signals";
import type { Bridge } from "../../webview/ui/bridge.ts";
import { RowPages } from "../../webview/ui/grid/rowPages.ts";
import type {
  FromRequestsView,
  KeptRequests,
  RequestDetail,
  RequestFilter,
  RequestRow,
  RequestsState,
  ToRequestsView,
} from "../protocol/requestsProtocol.ts";

export type RequestsBridge = Bridge<FromRequestsView, ToRequestsView, KeptRequests>;

const noFilter: RequestFilter = { text: "", outcome: undefined, source: undefined, connection: undefined };

/** The number of calls that match the filter. */
interface Found {
  readonly query: number;
  readonly size: number;
}

/** State of the page, with its requests. */
export class RequestsModel {
  readonly bridge: RequestsBridge;
  readonly state = signal<RequestsState | undefined>(undefined);
  readonly filter: Signal<RequestFilter>;
  readonly found = signal<Found>({ query: 0, size: 0 });
  readonly detail = signal<RequestDetail | undefined>(undefined);
  /** Why a call can't be shown; empty if none was asked for. */
  readonly missing = signal("");
  #asked = 0;
  readonly rows = new RowPages<RequestRow>((from, count) =>
    this.bridge.post("rows", { query: this.found.value.query, from, count }),
  );

  constructor(bridge: RequestsBridge) {
    this.bridge = bridge;
    this.filter = signal(bridge.kept?.filter ?? noFilter);
    bridge.onMessage((message) => this.#handle(message));
  }

  /** Asks the host for the list, and for what was shown before the page was hidden. */
  start(): void {
    const { filter, open } = this.bridge.kept ?? {};
    this.bridge.post("ready", {});
    if (filter) this.search({});
    if (open !== undefined) this.bridge.post("open", { id: open });
  }

  /** Closes the open request. */
  close(): void {
    this.detail.value = undefined;
    this.bridge.keep({ open: undefined });
  }

  search(change: Partial<RequestFilter>): void {
    this.filter.value = { ...this.filter.value, ...change };
    this.bridge.keep({ filter: this.filter.value });
    const { text, ...choices } = this.filter.value;
    const chosen = Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
    this.#asked += 1;
    this.bridge.post("query", { query: this.#asked, text, ...chosen });
  }

  #handle(message: ToRequestsView): void {
    switch (message.type) {
      case "state":
        this.state.value = message.state;
        break;
      case "found":
        this.#take(message.query, message.size);
        break;
      case "rows":
        if (message.query === this.found.value.query) this.rows.add(message.from, message.rows);
        break;
      case "detail":
        this.missing.value = "";
        this.detail.value = message.detail;
        this.bridge.keep({ open: message.detail.id });
        break;
      case "missing":
        this.missing.value = message.text;
        break;
      case "filter":
        this.search({ text: message.text });
        break;
    }
  }

  /** The same query again has new calls: the list stays where it is scrolled to. */
  #take(query: number, size: number): void {
    if (query !== this.#asked) return;
    const isSame = query === this.found.value.query;
    this.found.value = { query, size };
    if (isSame) this.rows.renew();
    else this.rows.clear();
  }
}

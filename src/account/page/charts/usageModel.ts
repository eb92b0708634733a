import { type Signal, signal } from "@preact/signals";
import { PageRequests } from "../../../webview/ui/pageRequests.ts";
import type { BudgetsState } from "../../protocol/budgetsProtocol.ts";
import type { CacheState } from "../../protocol/cacheProtocol.ts";
import type {
  CompletionRow,
  RequestDetail,
  SortColumn,
  ToUsageView,
  UsageRow,
  UsageState,
} from "../../protocol/usageProtocol.ts";
import type { UsageBridge } from "../bridge.ts";
import { ComparisonModel } from "../comparison/comparisonModel.ts";
import { choiceIn, keptView } from "../keptView.ts";
import { CallsModel } from "../records/callsModel.ts";

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
  /** The end of a key: only the records of its calls. */
  readonly key: string | undefined;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

const firstQuery = { text: "", sort: "time", isDescending: true } as const;
const pageRows = 100;
const unfiltered = { text: "", model: undefined, key: undefined };
/** Pages cached on each side of the visible ones: a list may have a million records. */
const storedPages = 20;

/** State of the page, with its requests. */
export class UsageModel {
  readonly bridge: UsageBridge;
  readonly state = signal<UsageState | undefined>(undefined);
  readonly loading = signal("Loading usage…");
  /** What the user should know of the tab; empty if there is nothing. */
  readonly notice = signal("");
  readonly query: Signal<TableQuery>;
  readonly found = signal<FoundRecords>({ query: 0, size: 0, pages: new Map() });
  readonly detail = signal<RequestDetail | undefined>(undefined);
  readonly budgets = signal<BudgetsState | undefined>(undefined);
  readonly cache = signal<CacheState | undefined>(undefined);
  readonly completions = signal<readonly CompletionRow[]>([]);
  #asked = 0;
  readonly #requests = new PageRequests({
    length: pageRows,
    stored: storedPages,
    request: (from, count) => this.bridge.post("rows", { query: this.found.value.query, from, count }),
  });
  readonly calls: CallsModel;
  readonly comparison: ComparisonModel;

  constructor(bridge: UsageBridge) {
    this.bridge = bridge;
    const { query } = keptView(bridge);
    this.query = signal({ ...firstQuery, ...query, model: query?.model, key: query?.key });
    bridge.onMessage((message) => this.#handle(message));
    this.calls = new CallsModel(bridge);
    this.comparison = new ComparisonModel(bridge);
  }

  /** Shows all currencies, or one alone. The host answers with a new state, for which the records are asked. */
  chooseCurrency(currency: string): void {
    this.bridge.post("currency", { currency });
  }

  search(change: Partial<TableQuery>): void {
    this.#choose(change);
    this.#ask();
  }

  /** Shows the calls and the records of the key with this end; undefined for those of all keys. */
  pickKey(key: string | undefined): void {
    this.search({ key });
    this.calls.ask(key === undefined ? { filter: {} } : { by: "keyAndModel", filter: { key } });
  }

  /** The search of the records, which is kept while the page is hidden. */
  #choose(change: Partial<TableQuery>): void {
    this.query.value = { ...this.query.value, ...change };
    const { model, key, ...query } = this.query.value;
    const picked = { ...(model === undefined ? {} : { model }), ...(key === undefined ? {} : { key }) };
    this.bridge.keep({ v: 1, query: { ...query, ...picked } });
  }

  /** Loads the pages with these rows, each once. */
  want(from: number, to: number): void {
    this.#requests.need(from, Math.min(to, this.found.value.size));
  }

  /** Undefined until it is loaded. */
  rowAt(index: number): UsageRow | undefined {
    return this.found.value.pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  #ask(): void {
    const currency = this.state.value?.onlyCurrency;
    this.bridge.post("query", {
      ...toQuery(++this.#asked, this.query.value),
      ...(currency ? { currency } : {}),
    });
  }

  #handle(message: ToUsageView): void {
    switch (message.type) {
      case "loading":
        this.loading.value = message.text;
        break;
      case "state":
        this.loading.value = "";
        this.state.value = message.state;
        this.bridge.keep({ v: 1, choice: choiceIn(message.state) });
        this.#ask();
        break;
      case "moved":
        this.notice.value = message.text;
        this.#choose({ text: "", model: undefined });
        break;
      case "cleared":
        this.notice.value = "";
        // Nothing that is shown or asked for belongs to the new connection.
        this.#asked += 1;
        this.#requests.clear();
        this.loading.value = "Loading usage…";
        this.state.value = undefined;
        this.found.value = { query: 0, size: 0, pages: new Map() };
        this.detail.value = undefined;
        this.completions.value = [];
        this.cache.value = undefined;
        this.budgets.value = undefined;
        this.#choose(unfiltered);
        break;
      case "found":
        if (message.query !== this.#asked) break;
        this.#requests.clear();
        this.found.value = { query: message.query, size: message.size, pages: new Map() };
        break;
      case "rows": {
        const { query: of, size, pages } = this.found.value;
        if (message.query !== of) break;
        const known = [...pages, [message.from / pageRows, message.rows] as const];
        this.found.value = {
          query: of,
          size,
          pages: new Map(known.filter(([page]) => this.#requests.isNear(page))),
        };
        break;
      }
      case "request":
        this.detail.value = message.detail;
        break;
      case "budgets":
        this.budgets.value = message.state;
        break;
      case "cache":
        this.cache.value = message.state;
        break;
      case "completions":
        this.completions.value = message.rows;
        break;
      case "filter":
        this.#choose({ ...unfiltered, text: message.text });
        this.#ask();
        break;
      case "pickKey":
        this.#choose({ ...unfiltered, key: message.key });
        this.#ask();
        break;
    }
  }
}

function toQuery(query: number, { text, model, key, sort, isDescending }: TableQuery) {
  const picked = { ...(model === undefined ? {} : { model }), ...(key === undefined ? {} : { key }) };
  return { query, text, sort, isDescending, ...picked };
}

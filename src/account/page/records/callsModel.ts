import { type Signal, signal } from "@preact/signals";
import { RowPages } from "../../../webview/ui/grid/rowPages.ts";
import type { CallFilter, CallGrouping, CallRow, CallsState } from "../../protocol/callsProtocol.ts";
import type { UsageBridge } from "../bridge.ts";
import { keptView } from "../keptView.ts";

interface CallQuery {
  readonly by: CallGrouping;
  readonly filter: CallFilter;
}

/** This month's calls in the spend ledger: the query, its result, and the loaded rows. */
export class CallsModel {
  readonly #bridge: UsageBridge;
  readonly query: Signal<CallQuery>;
  readonly state = signal<CallsState | undefined>(undefined);
  /** Changes with the user's search, but not if the ledger changes, so that the list stays where it is scrolled to. */
  readonly search = signal(0);
  #asked = 0;
  #newestSearch = 0;
  #isOutdated = false;
  readonly #rows = new RowPages<CallRow>((from, count) => {
    if (this.state.value) this.#bridge.post("callRows", { query: this.state.value.query, from, count });
  });

  constructor(bridge: UsageBridge) {
    this.#bridge = bridge;
    this.query = signal(keptView(bridge).calls ?? { by: "source", filter: {} });
    bridge.on("moved", () => this.#choose({ filter: {} }));
    bridge.on("state", () => this.#ask());
    bridge.on("cleared", () => {
      // Answers to earlier questions are those of another connection.
      this.#asked += 1;
      this.#rows.clear();
      this.state.value = undefined;
      this.#choose({ filter: {} });
    });
    bridge.on("pickKey", ({ key }) => this.ask({ by: "keyAndModel", filter: { key } }));
    bridge.on("callsChanged", () => {
      // Many calls may end while the host answers. One more request covers them.
      if (this.state.value?.query === this.#asked) this.#ask();
      else this.#isOutdated = true;
    });
    bridge.on("calls", ({ state: answered }) => {
      if (answered.query !== this.#asked) return;
      const isRefresh = this.search.value === this.#newestSearch;
      this.state.value = answered;
      if (isRefresh) this.#rows.renew();
      else {
        this.#rows.clear();
        this.search.value = this.#newestSearch;
      }
      if (this.#isOutdated) this.#ask();
    });
    bridge.on("callRows", ({ query: of, from, rows }) => {
      if (of === this.state.value?.query) this.#rows.add(from, rows);
    });
  }

  ask(change: Partial<CallQuery>): void {
    this.#choose(change);
    this.#newestSearch += 1;
    this.#ask();
  }

  want(from: number, to: number): void {
    this.#rows.want(from, to, this.state.value?.size ?? 0);
  }

  rowAt(index: number): CallRow | undefined {
    return this.#rows.rowAt(index);
  }

  #choose(change: Partial<CallQuery>): void {
    this.query.value = { ...this.query.value, ...change };
    this.#bridge.keep({ v: 1, calls: this.query.value });
  }

  #ask(): void {
    this.#asked += 1;
    this.#isOutdated = false;
    this.#bridge.post("calls", { query: this.#asked, ...this.query.value });
  }
}

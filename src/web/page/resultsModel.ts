import { batch, computed, signal } from "@preact/signals";
import type { Bridge } from "../../webview/ui/bridge.ts";
import type {
  FromResultsView,
  KeptResults,
  ResultAction,
  ResultRow,
  ToResultsView,
} from "../protocol/resultsProtocol.ts";
import { afterChange, nothingSelected, type Selection } from "./selection.ts";

export type ResultsBridge = Bridge<FromResultsView, ToResultsView, KeptResults>;

/** State of the page with the stored results. */
export class ResultsModel {
  readonly bridge: ResultsBridge;
  /** Undefined until the host has told them. */
  readonly rows = signal<readonly ResultRow[] | undefined>(undefined);
  readonly readPrice = signal("");
  readonly filter = signal("");
  readonly selection = signal<Selection>(nothingSelected);
  /** A row to scroll to. It stays until the list has done it. */
  readonly shown = signal<string | undefined>(undefined);
  /** The rows that match the filter. A search is among them if one of its hits is. */
  readonly found = computed(() => matching(this.rows.value ?? [], this.filter.value));
  readonly ids = computed(() => this.found.value.map(({ id }) => id));

  constructor(bridge: ResultsBridge) {
    this.bridge = bridge;
    const { filter, selected } = bridge.kept ?? {};
    this.filter.value = filter ?? "";
    this.selection.value = { ...nothingSelected, ids: new Set(selected ?? []) };
    bridge.onMessage((message) => this.#handle(message));
  }

  start(): void {
    this.bridge.post("ready", {});
  }

  search(text: string): void {
    batch(() => {
      this.filter.value = text;
      this.select(afterChange(this.selection.value, this.ids.value));
    });
    this.bridge.keep({ filter: text });
  }

  select(selection: Selection): void {
    this.selection.value = selection;
    this.bridge.keep({ selected: [...selection.ids] });
  }

  /** The selected rows in the order of the list. */
  get selected(): readonly ResultRow[] {
    const { ids } = this.selection.value;
    return this.found.value.filter(({ id }) => ids.has(id));
  }

  act(action: ResultAction, rows: readonly ResultRow[] = this.selected): void {
    if (rows.length > 0) this.bridge.post("act", { action, ids: rows.map(({ id }) => id) });
  }

  #handle(message: ToResultsView): void {
    if (message.type === "show") this.#show(message.id);
    else this.#take(message.rows, message.readPrice);
  }

  #take(rows: readonly ResultRow[], readPrice: string): void {
    batch(() => {
      this.rows.value = rows;
      this.readPrice.value = readPrice;
      this.select(afterChange(this.selection.value, this.ids.value));
    });
  }

  /** A row that the filter hides can't be shown: the filter goes. */
  #show(id: string): void {
    batch(() => {
      if (!this.ids.value.includes(id)) this.search("");
      const index = this.ids.value.indexOf(id);
      if (index < 0) return;
      this.select({ ids: new Set([id]), active: index, anchor: index });
      this.shown.value = id;
    });
  }
}

function matching(rows: readonly ResultRow[], filter: string): readonly ResultRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const has = ({ title, facts, excerpt }: ResultRow) => {
    const text = `${title}\n${facts}\n${excerpt}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const kept = new Set(rows.filter(has).map(({ id }) => id));
  for (const { id, kind } of rows) if (kind === "hit" && kept.has(id)) kept.add(id.split("#")[0] ?? "");
  return rows.filter(({ id }) => kept.has(id));
}

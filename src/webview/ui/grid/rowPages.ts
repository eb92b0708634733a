import { signal } from "@preact/signals";
import { PageRequests } from "../pageRequests.ts";

const pageRows = 100;
/** Pages cached on each side of the visible ones. */
const storedPages = 20;

/** The loaded rows of a list of any length. A page of rows is loaded when one of them becomes visible. */
export class RowPages<Row> {
  readonly #pages = signal<ReadonlyMap<number, readonly Row[]>>(new Map());
  readonly #requests: PageRequests;

  constructor(request: (from: number, count: number) => void) {
    this.#requests = new PageRequests({ length: pageRows, stored: storedPages, request });
  }

  /** Loads the pages with these rows of a list with `size` rows, each once. `to` is exclusive. */
  want(from: number, to: number, size: number): void {
    this.#requests.need(from, Math.min(to, size));
  }

  /** Undefined until it is loaded. */
  rowAt(index: number): Row | undefined {
    return this.#pages.value.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  /** The rows of one request. */
  add(from: number, rows: readonly Row[]): void {
    const known = [...this.#pages.value, [from / pageRows, rows] as const];
    this.#pages.value = new Map(known.filter(([page]) => this.#requests.isNear(page)));
  }

  /** Another list: nothing is loaded. */
  clear(): void {
    this.#requests.clear();
    this.#pages.value = new Map();
  }

  /** The rows have changed. Those that are loaded are shown until the visible ones are loaded again. */
  renew(): void {
    if (this.#pages.value.size > 0) this.#requests.renew();
  }
}

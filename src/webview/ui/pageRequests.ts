export interface PageOptions {
  /** Rows per page. */
  readonly length: number;
  /** Pages that stay loaded on each side of the visible ones; all of them if it is left out. */
  readonly stored?: number;
  readonly request: (from: number, count: number) => void;
}

/** Requests the pages of a list that become visible, each once. */
export class PageRequests {
  readonly #length: number;
  readonly #stored: number;
  readonly #request: (from: number, count: number) => void;
  #asked = new Set<number>();
  #visible: readonly [from: number, to: number] = [0, 1];

  constructor({ length, stored = Infinity, request }: PageOptions) {
    this.#length = length;
    this.#stored = stored;
    this.#request = request;
  }

  /** Rows `from` to `to`, exclusive, are visible. */
  need(from: number, to: number): void {
    this.#visible = [from, to];
    this.#asked = new Set([...this.#asked].filter((page) => this.isNear(page)));
    for (let page = Math.floor(from / this.#length); page * this.#length < to; page++) {
      if (this.#asked.has(page)) continue;
      this.#asked.add(page);
      this.#request(page * this.#length, this.#length);
    }
  }

  /** True if a page is so near to the visible ones that it stays loaded. */
  isNear(page: number): boolean {
    return Math.abs(page - Math.floor(this.#visible[0] / this.#length)) <= this.#stored;
  }

  /** Another list: nothing is loaded. */
  clear(): void {
    this.#asked.clear();
  }

  /** The rows have changed: requests the visible ones again. */
  renew(): void {
    this.#asked.clear();
    this.need(...this.#visible);
  }
}

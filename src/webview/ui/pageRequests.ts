/** Requests the pages of a list that become visible, each once. */
export interface PageRequests {
  /** Rows `from` to `to`, exclusive, are visible. */
  need(from: number, to: number): void;
  /** Another list: nothing is loaded. */
  clear(): void;
  /** The rows have changed: requests the visible ones again. */
  renew(): void;
  /** True if a page is so near to the visible ones that it stays loaded. */
  isNear(page: number): boolean;
}

export interface PageOptions {
  /** Rows per page. */
  readonly length: number;
  /** Pages that stay loaded on each side of the visible ones; all of them if it is left out. */
  readonly stored?: number;
  readonly request: (from: number, count: number) => void;
}

export function createPageRequests({ length, stored = Infinity, request }: PageOptions): PageRequests {
  let asked = new Set<number>();
  let visible: readonly [from: number, to: number] = [0, 1];
  const isNear = (page: number) => Math.abs(page - Math.floor(visible[0] / length)) <= stored;
  const need = (from: number, to: number) => {
    visible = [from, to];
    asked = new Set([...asked].filter(isNear));
    for (let page = Math.floor(from / length); page * length < to; page++) {
      if (asked.has(page)) continue;
      asked.add(page);
      request(page * length, length);
    }
  };
  return {
    need,
    isNear,
    clear: () => asked.clear(),
    renew() {
      asked.clear();
      need(...visible);
    },
  };
}

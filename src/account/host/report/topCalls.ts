import { addTo, type Exact, newSum, sumTotal } from "../../../shared/money/exact.ts";
import type { TakePiece } from "../usage/usageStore.ts";

/** A call that cost much in one currency. */
export interface TopCall {
  /** Empty for a record without one, which is a call of its own. */
  readonly requestId: string;
  readonly atMs: number;
  readonly amount: Exact;
  readonly sku: string;
}

const kept = 10;

/** The most expensive calls in each currency, from records that pass by. The records of a call are in one piece. */
export class TopCalls {
  readonly #byCurrency = new Map<string, TopCall[]>();

  readonly take: TakePiece = (columns, words) => {
    const sums = new Map<string, { sum: ReturnType<typeof newSum>; row: number }>();
    for (let row = 0; row < columns.size; row++) {
      const request = columns.request[row] ?? 0;
      const currency = columns.currency[row] ?? 0;
      const name = request === 0 ? `${currency} row ${row}` : `${currency} ${request}`;
      const known = sums.get(name) ?? { sum: newSum(), row };
      sums.set(name, known);
      addTo(known.sum, -(columns.amount[row] ?? 0));
    }
    for (const { sum, row } of sums.values())
      this.#enter(words.currencies.list[columns.currency[row] ?? -1] ?? "", {
        requestId: columns.requestIds[columns.request[row] ?? 0] ?? "",
        atMs: columns.atMs[row] ?? 0,
        amount: sumTotal(sum),
        sku: words.skus.list[columns.sku[row] ?? -1] ?? "",
      });
  };

  /** By currency, the highest first. */
  get calls(): ReadonlyMap<string, readonly TopCall[]> {
    return this.#byCurrency;
  }

  #enter(currency: string, call: TopCall): void {
    if (call.amount <= 0n) return;
    const list = this.#byCurrency.get(currency) ?? [];
    const lowest = list.at(-1);
    if (list.length >= kept && lowest && lowest.amount >= call.amount) return;
    const sorted = [...list, call].sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0));
    this.#byCurrency.set(currency, sorted.slice(0, kept));
  }
}

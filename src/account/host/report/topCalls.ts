import { addTo, newSum, sumTotal } from "../../../shared/money/exact.ts";
import { Money, type RuntimeCurrency, toRuntimeCurrency } from "../../../shared/money/money.ts";
import type { TakePiece } from "../usage/usageStore.ts";

/** A call that cost much in one currency. */
export interface TopCall {
  /** Empty for a record without one, which is a call of its own. */
  readonly requestId: string;
  readonly atMs: number;
  readonly spent: Money<RuntimeCurrency>;
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
    for (const { sum, row } of sums.values()) {
      const currency = toRuntimeCurrency(words.currencies.list[columns.currency[row] ?? -1] ?? "");
      this.#enter(currency, {
        requestId: columns.requestIds[columns.request[row] ?? 0] ?? "",
        atMs: columns.atMs[row] ?? 0,
        spent: new Money(currency, sumTotal(sum)),
        sku: words.skus.list[columns.sku[row] ?? -1] ?? "",
      });
    }
  };

  /** By currency, the highest first. */
  get calls(): ReadonlyMap<string, readonly TopCall[]> {
    return this.#byCurrency;
  }

  #enter(currency: string, call: TopCall): void {
    if (call.spent.sign <= 0) return;
    const list = this.#byCurrency.get(currency) ?? [];
    const lowest = list.at(-1);
    if (list.length >= kept && lowest && !call.spent.exceeds(lowest.spent)) return;
    const sorted = [...list, call].sort((a, b) => b.spent.compare(a.spent));
    this.#byCurrency.set(currency, sorted.slice(0, kept));
  }
}

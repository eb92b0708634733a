import type { ClientEvent } from "../../../src/api/call/client.ts";
import { type Amount, sum } from "../../../src/api/money/estimate.ts";
import { type ChargeEntry, type PriceBook, toChargeEntry } from "../../../src/api/money/ledger.ts";

/** The charges that this side observed, entry by entry. */
export interface ChargeLedger {
  /** Takes every event of a client; events without a charge add no entry. */
  record(event: ClientEvent): void;
  readonly entries: readonly ChargeEntry[];
  /** Calls the listener for each entry; the returned function removes it. */
  onEntry(listener: (entry: ChargeEntry) => void): () => void;
  /** The sum of all entries with a price; `unpriced` counts the others. */
  total(): { readonly amount: Amount; readonly unpriced: number };
}

export function createChargeLedger(prices: PriceBook, now: () => number): ChargeLedger {
  const entries: ChargeEntry[] = [];
  const listeners = new Set<(entry: ChargeEntry) => void>();
  return {
    record(event) {
      if (event.type !== "charged") return;
      const entry = toChargeEntry(event, prices, now());
      entries.push(entry);
      for (const listener of listeners) listener(entry);
    },
    entries,
    onEntry(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    total() {
      const priced = entries
        .filter(({ basis }) => basis !== "unknown")
        .map(({ amount }) => withZeros(amount));
      return { amount: sum(priced), unpriced: entries.length - priced.length };
    },
  };
}

/** Zero for a currency that an entry does not name. */
function withZeros({ usd, diem }: Amount): Amount {
  return { usd: usd ?? [0, 0], diem: diem ?? [0, 0] };
}

import type { Charged, ChargeFact } from "../charge.ts";
import type { ClientEvent } from "../client.ts";
import type { Model } from "../endpoints/models.ts";
import {
  type Amount,
  creditsAmount,
  flatAmount,
  imageAmount,
  noAmount,
  speechAmount,
  sum,
  usageAmount,
} from "./estimate.ts";

/** How sure an amount is: said by the service, computed from what it reported, or from what was asked for. */
type Basis = "stated" | "reported" | "estimated" | "unknown";

/** One charge as this side saw it. */
export interface LedgerEntry {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly endpoint: string;
  readonly model: string | undefined;
  readonly requestId: string | undefined;
  readonly amount: Amount;
  readonly basis: Basis;
}

export interface PriceBook {
  model(id: string): Model | undefined;
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
}

/** What this side has seen charged, entry by entry, as it happens. */
export interface Ledger {
  /** Takes every event of a client; those that charge nothing leave no entry. */
  record(event: ClientEvent): void;
  readonly entries: readonly LedgerEntry[];
  /** Hears of each entry; the returned function ends that. */
  onEntry(listener: (entry: LedgerEntry) => void): () => void;
  /** The sum of all entries that have a price; `unpriced` counts the others. */
  total(): { readonly amount: Amount; readonly unpriced: number };
}

export function createLedger(prices: PriceBook, now: () => number): Ledger {
  const entries: LedgerEntry[] = [];
  const listeners = new Set<(entry: LedgerEntry) => void>();
  return {
    record(event) {
      if (event.type !== "charged") return;
      const entry = toLedgerEntry(event, prices, now());
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

/** A currency that an entry does not name was not spent by it. */
function withZeros({ usd, diem }: Amount): Amount {
  return { usd: usd ?? [0, 0], diem: diem ?? [0, 0] };
}

const unknown: Amount = { usd: undefined, diem: undefined };

/** What a charge came to, priced as well as what is known allows. */
export function toLedgerEntry(charged: Charged, prices: PriceBook, atMs: number): LedgerEntry {
  const { endpoint, model, requestId, fact } = charged;
  return {
    atMs,
    endpoint,
    model,
    requestId,
    ...priced(fact, model ? prices.model(model) : undefined, prices),
  };
}

function priced(
  fact: ChargeFact,
  model: Model | undefined,
  prices: PriceBook,
): Pick<LedgerEntry, "amount" | "basis"> {
  switch (fact.by) {
    case "request":
      return { amount: flatAmount(fact.usd), basis: "reported" };
    case "credits":
      if (fact.replayed) return { amount: noAmount, basis: "stated" };
      if (fact.usd !== undefined) return { amount: flatAmount(fact.usd), basis: "stated" };
      if (fact.credits === undefined) return { amount: unknown, basis: "unknown" };
      return { amount: creditsAmount(fact.credits, prices.usdPerCredit), basis: "reported" };
    case "tokens":
      if (fact.cost) return { amount: stated(fact.cost.usd, fact.cost.diem), basis: "stated" };
      if (!fact.usage) return { amount: unknown, basis: "unknown" };
      return { amount: usageAmount(model, fact.usage), basis: "reported" };
    case "characters":
      return { amount: speechAmount(model, fact.characters), basis: "estimated" };
    case "image":
      return { amount: imageAmount(model, fact), basis: "estimated" };
  }
}

function stated(usd: number | null | undefined, diem: number | null | undefined): Amount {
  const exact = (value: number | null | undefined) =>
    value === null || value === undefined ? undefined : ([value, value] as const);
  return { usd: exact(usd), diem: exact(diem) };
}

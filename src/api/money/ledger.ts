import type { Model } from "../endpoints/models.ts";
import type { Charged, ChargeFact } from "./charge.ts";
import {
  type Amount,
  creditsAmount,
  flatAmount,
  imageAmount,
  inputAmount,
  noAmount,
  usageAmount,
} from "./estimate.ts";

/** Source of an amount: stated by the service, computed from the reported usage, estimated from the request. */
type Basis = "stated" | "reported" | "estimated" | "unknown";

/** One charge as the client recorded it. */
export interface ChargeEntry {
  /** Unix time in milliseconds. */
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

const unknown: Amount = { usd: undefined, diem: undefined };

/** Amount of a charge, as exact as the known facts allow. */
export function toChargeEntry(charged: Charged, prices: PriceBook, atMs: number): ChargeEntry {
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
): Pick<ChargeEntry, "amount" | "basis"> {
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
      return { amount: inputAmount(model, fact.characters), basis: "estimated" };
    case "image":
      return { amount: imageAmount(model, fact), basis: "estimated" };
  }
}

function stated(usd: number | null | undefined, diem: number | null | undefined): Amount {
  const exact = (value: number | null | undefined) =>
    value === null || value === undefined ? undefined : ([value, value] as const);
  return { usd: exact(usd), diem: exact(diem) };
}

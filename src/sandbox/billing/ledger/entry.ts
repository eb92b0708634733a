import { type Nano, nanoNumber } from "./decimal.ts";

/** Currencies of the bill (spec, Billing usage record). VCU is the legacy form of DIEM. */
export type BillCurrency = "USD" | "VCU" | "DIEM" | "BUNDLED_CREDITS";

/** The product in analytics (spec E1, byModel). null for usage without a model. */
export interface Product {
  readonly model: string;
  readonly modelType: "LLM" | "IMAGE" | "TTS" | "ASR" | "VIDEO" | null;
  /**
   * The spec (E1) names five: tokens, images, chars, minutes and seconds. None of them counts searches, pages, documents
   * and chain calls, which are no usage of a model: `requests` and `credits` are the sandbox's own words for these.
   */
  readonly unitType: "tokens" | "images" | "chars" | "minutes" | "seconds" | "requests" | "credits";
}

/** The kind of usage of a line, if the request has several lines. */
export type UsagePart = "Input" | "Output" | "Cache Read" | "Cache Write";

/** The request of an entry. All entries of one request have the same. */
export interface InferenceDetails {
  readonly requestId: string;
  /** Milliseconds. */
  readonly inferenceExecutionTime: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** One line of the ledger: a usage record with the members for analytics. */
export interface LedgerEntry {
  /** Unix time in milliseconds. */
  readonly atMs: number;
  readonly sku: string;
  readonly pricePerUnitUsd: number;
  /** Whole units. */
  readonly units: number;
  /** Negative for a charge. */
  readonly amount: Nano;
  readonly currency: BillCurrency;
  readonly notes: string;
  readonly inferenceDetails: InferenceDetails | null;
  /** Null for usage in the service's own web app. */
  readonly keyId: string | null;
  readonly product: Product;
  readonly part: UsagePart | undefined;
}

/** An entry in replies (spec, Billing usage record). */
export function toUsageRecord(entry: LedgerEntry): object {
  const { atMs, sku, pricePerUnitUsd, units, amount, currency, notes, inferenceDetails } = entry;
  const timestamp = new Date(atMs).toISOString();
  return {
    timestamp,
    sku,
    pricePerUnitUsd,
    units,
    amount: nanoNumber(amount),
    currency,
    notes,
    inferenceDetails,
  };
}

import { addNano, costOf, type Nano, perMillion } from "./decimal.ts";
import type { BillCurrency, InferenceDetails, LedgerEntry, Product, UsagePart } from "./entry.ts";

/** The charge for one request: one ledger line per kind of usage. */
export interface Charge {
  /** Null for usage in the service's own web app. */
  readonly keyId: string | null;
  readonly product: Product;
  readonly lines: readonly ChargeLine[];
  /** Null without a model. */
  readonly inferenceDetails: InferenceDetails | null;
}

interface ChargeLine {
  readonly sku: string;
  readonly pricePerUnitUsd: number;
  /** Whole units. */
  readonly units: number;
  readonly part?: UsagePart;
}

/** The request that is charged. */
export interface ChargedUsage {
  readonly keyId: string | null;
  readonly requestId: string;
  /** Execution time of the model. */
  readonly executionMs: number;
}

export interface ChatSpent extends ChargedUsage {
  readonly model: string;
  /** USD per million tokens. */
  readonly price: { readonly input: number; readonly output: number; readonly cacheInput: number };
  /** Including the cached ones. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Of all choices (spec E10, n). */
  readonly completionTokens: number;
}

/** A chat: (prompt − cached)·input + cached·cache_input + output·output (wire.md section 4), one line each. */
export function chatCharge(spent: ChatSpent): Charge {
  const { model, price, promptTokens, cachedTokens, completionTokens } = spent;
  const line = (part: UsagePart, name: string, usdPerMillion: number, units: number): ChargeLine => ({
    sku: `${model}-llm-${name}-token`,
    pricePerUnitUsd: perMillion(usdPerMillion),
    units,
    part,
  });
  const lines = [
    line("Input", "input", price.input, promptTokens - cachedTokens),
    line("Cache Read", "cache-input", price.cacheInput, cachedTokens),
    line("Output", "output", price.output, completionTokens),
  ];
  return {
    keyId: spent.keyId,
    product: { model, modelType: "LLM", unitType: "tokens" },
    lines: lines.filter(({ units }) => units > 0),
    inferenceDetails: { ...detailsOf(spent), promptTokens, completionTokens },
  };
}

/** Embeddings, per token of their texts. */
export function embeddingCharge(
  spent: ChargedUsage & { readonly model: string; readonly tokens: number; readonly usdPerMillion: number },
): Charge {
  const { keyId, model, tokens, usdPerMillion } = spent;
  return {
    keyId,
    product: { model, modelType: null, unitType: "tokens" },
    lines: [{ sku: `${model}-embedding-token`, pricePerUnitUsd: perMillion(usdPerMillion), units: tokens }],
    inferenceDetails: { ...detailsOf(spent), promptTokens: tokens, completionTokens: 0 },
  };
}

/** Speech, per character. */
export function speechCharge(
  spent: ChargedUsage & {
    readonly model: string;
    readonly characters: number;
    readonly usdPerMillion: number;
  },
): Charge {
  const { keyId, model, characters, usdPerMillion } = spent;
  return {
    keyId,
    product: { model, modelType: "TTS", unitType: "chars" },
    lines: [{ sku: `${model}-tts-char`, pricePerUnitUsd: perMillion(usdPerMillion), units: characters }],
    inferenceDetails: detailsOf(spent),
  };
}

/** Generated or edited images with one price. */
export function imageCharge(
  spent: ChargedUsage & { readonly model: string; readonly images: number; readonly usdPerImage: number },
): Charge {
  const { keyId, model, images, usdPerImage } = spent;
  return {
    keyId,
    product: { model, modelType: "IMAGE", unitType: "images" },
    lines: [{ sku: `${model}-image-unit`, pricePerUnitUsd: usdPerImage, units: images }],
    inferenceDetails: detailsOf(spent),
  };
}

/** One request to a route with a flat price (spec E2, E4, E9). */
export function requestCharge(spent: {
  readonly keyId: string | null;
  readonly name: "search" | "scrape" | "text-parser";
  readonly usd: number;
}): Charge {
  const name = `augment-${spent.name}`;
  return {
    keyId: spent.keyId,
    product: { model: name, modelType: null, unitType: "requests" },
    lines: [{ sku: `${name}-request`, pricePerUnitUsd: spent.usd, units: 1 }],
    inferenceDetails: null,
  };
}

/** One request to the chain proxy, with any number of items (spec E3, Billing rules). */
export function rpcCharge(spent: {
  readonly keyId: string | null;
  readonly network: string;
  readonly credits: number;
  readonly usdPerCredit: number;
}): Charge {
  const name = `crypto-rpc-${spent.network}`;
  return {
    keyId: spent.keyId,
    product: { model: name, modelType: null, unitType: "credits" },
    lines: [{ sku: `${name}-credit`, pricePerUnitUsd: spent.usdPerCredit, units: spent.credits }],
    inferenceDetails: null,
  };
}

function detailsOf({ requestId, executionMs }: ChargedUsage): InferenceDetails {
  return { requestId, inferenceExecutionTime: Math.max(0, Math.round(executionMs)) };
}

/** The sum of all lines of a charge. */
export function amountOf({ lines }: Charge): Nano {
  return lines.map(({ pricePerUnitUsd, units }) => costOf(pricePerUnitUsd, units)).reduce(addNano, 0);
}

/** The ledger lines of a charge. */
export function entriesOf(charge: Charge, currency: BillCurrency, atMs: number): LedgerEntry[] {
  const { keyId, product, inferenceDetails } = charge;
  return charge.lines.map(({ sku, pricePerUnitUsd, units, part }) => ({
    atMs,
    sku,
    pricePerUnitUsd,
    units,
    amount: 0 - costOf(pricePerUnitUsd, units),
    currency,
    notes: keyId === null ? "Web App" : "API Inference",
    inferenceDetails,
    keyId,
    product,
    part,
  }));
}

import { costOf, perMillion } from "../../src/sandbox/billing/ledger/decimal.ts";
import type {
  BillCurrency,
  LedgerEntry,
  Product,
  UsagePart,
} from "../../src/sandbox/billing/ledger/entry.ts";
import type { PastRows } from "../../src/sandbox/billing/ledger/ledger.ts";

export interface SyntheticOptions {
  /** Entries. */
  readonly count: number;
  /** Unix time in milliseconds; all entries are before it. */
  readonly endMs: number;
  /** Number of days over which they are spread evenly; default 30. */
  readonly days?: number;
  /** A seed: another number gives another history. */
  readonly seed?: number;
}

/** USD per million tokens: in, from the cache, out. Each is whole nano-USD per token. */
const models = [
  model("guide", [0.2, 0.05, 0.8]),
  model("thinker", [1.2, 0.12, 4.8]),
  model("echo", [0.02, 0.01, 0.02]),
];
const sides: readonly { readonly part: UsagePart; readonly name: string }[] = [
  { part: "Input", name: "input" },
  { part: "Cache Read", name: "cache-input" },
  { part: "Output", name: "output" },
];
/** Five keys, then Web App. */
const keyIds = [1, 2, 3, 4, 5].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const currencies: readonly BillCurrency[] = [
  "USD",
  "DIEM",
  "DIEM",
  "USD",
  "VCU",
  "USD",
  "BUNDLED_CREDITS",
  "USD",
];

/** Chats of three entries each. Every entry is computed from its number on each read, so a million take no memory. */
export function createSyntheticHistory(options: SyntheticOptions): PastRows {
  const { count, endMs, days = 30, seed = 1 } = options;
  const requests = Math.ceil(count / sides.length);
  const spanMs = days * 86_400_000;
  const requestOf = (index: number) => Math.floor(index / sides.length);
  const timeAt = (index: number) => endMs - spanMs + Math.floor((requestOf(index) * spanMs) / requests);
  const currencyAt = (index: number) => pick(currencies, mixed(requestOf(index), seed));
  return {
    size: count,
    timeAt,
    currencyAt,
    at: (index) => entryOf(index, mixed(requestOf(index), seed), timeAt(index), currencyAt(index)),
    describe: (keyId) => (keyIds.includes(keyId) ? `Archive ${keyId.at(-1)}` : undefined),
  };
}

function entryOf(index: number, dice: number, atMs: number, currency: BillCurrency): LedgerEntry {
  const side = index % sides.length;
  const { part, name } = pick(sides, side);
  const { name: model, product, prices } = pick(models, dice >>> 3);
  const cached = (dice >>> 5) % 900;
  const promptTokens = 1 + cached + ((dice >>> 9) % 4000);
  const completionTokens = 1 + ((dice >>> 13) % 1500);
  const units = pick([promptTokens - cached, cached, completionTokens], side);
  const { usd: pricePerUnitUsd, nano } = pick(prices, side);
  return {
    atMs,
    sku: `${model}-llm-${name}-token`,
    pricePerUnitUsd,
    units,
    amount: 0 - units * nano,
    currency,
    notes: "API Inference",
    inferenceDetails: {
      requestId: `chatcmpl-${dice.toString(16).padStart(8, "0")}${Math.floor(index / sides.length)}`,
      inferenceExecutionTime: 40 + ((dice >>> 7) % 9000),
      promptTokens,
      completionTokens,
    },
    keyId: keyIds[(dice >>> 17) % (keyIds.length + 1)] ?? null,
    product,
    part,
  };
}

/** Computed once, because doing it for each of a million entries would be most of the work. */
function model(name: string, usdPerMillion: readonly number[]) {
  const product: Product = { model: name, modelType: "LLM", unitType: "tokens" };
  const prices = usdPerMillion.map(perMillion).map((usd) => ({ usd, nano: costOf(usd, 1) }));
  return { name, product, prices };
}

function pick<Item>(items: readonly Item[], dice: number): Item {
  const item = items[dice % items.length];
  if (item === undefined) throw new RangeError("Nothing to pick from");
  return item;
}

/** 32 bits without a pattern, the same for the same number (murmur3's finish). */
function mixed(number: number, seed: number): number {
  let bits = (number + Math.imul(seed, 0x9e3779b9)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

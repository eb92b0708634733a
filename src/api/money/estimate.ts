import { isMembers, type Members, optionalMember } from "../../shared/members.ts";
import { believedCost, believedPrice } from "../../shared/money/believable.ts";
import type { Usage } from "../endpoints/chat/chatReply.ts";
import type { Model, Price } from "../endpoints/models.ts";

/** An amount between two bounds, in both currencies. Equal bounds are exact. Undefined: the list states no price. */
export interface Amount {
  readonly usd: Range | undefined;
  readonly diem: Range | undefined;
}
export type Range = readonly [low: number, high: number];

export const noAmount: Amount = { usd: [0, 0], diem: [0, 0] };
const perMillion = 1e-6;

/** Tokens of the service's own system prompt, unless it is disabled (wire.md section 4). */
export const systemPromptTokens: Range = [1100, 1750];

export interface ChatTokens {
  readonly prompt: Range;
  /** Those of the prompt that come from the cache. */
  readonly cached: number;
  /** Those of the prompt that go into the cache; undefined if it is not known, and it may be all that are not in it. */
  readonly written?: number | undefined;
  readonly completion: Range;
}

/**
 * Price of a text model, per million tokens: (prompt − cached − written)·input + cached·cache_input + written·cache_write
 * + output·output. A model without one of the two cache prices charges its input price there.
 */
export function chatAmount(
  model: Model | undefined,
  { prompt, cached, written, completion }: ChatTokens,
): Amount {
  const leaf = pricesFor(model, prompt[1]);
  const input = leaf("input");
  const fresh: Range = [Math.max(0, prompt[0] - cached), Math.max(0, prompt[1] - cached)];
  return sum([
    freshAmount([input, leaf("cache_write")], fresh, written),
    times(leaf("cache_input") ?? input, [cached, cached]),
    times(leaf("output"), completion),
  ]);
}

/** Price of the tokens of a prompt that do not come from the cache. */
function freshAmount(
  [input, write]: readonly [Price | undefined, Price | undefined],
  fresh: Range,
  written: number | undefined,
): Amount {
  if (!write) return times(input, fresh);
  if (written !== undefined) {
    const stored = Math.min(Math.max(0, written), fresh[1]);
    const others: Range = [Math.max(0, fresh[0] - stored), fresh[1] - stored];
    return sum([times(input, others), times(write, [stored, stored])]);
  }
  const [all, none] = [times(write, fresh), times(input, fresh)];
  return { usd: between(all.usd, none.usd), diem: between(all.diem, none.diem) };
}

function between(a: Range | undefined, b: Range | undefined): Range | undefined {
  return a && b && [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

/** The prices of a prompt of this length, by name. */
function pricesFor(model: Model | undefined, promptTokens: number): (name: string) => Price | undefined {
  const prices = model?.model_spec?.pricing ?? {};
  const long = extendedPrices(prices, promptTokens);
  return (name) => priceAt(long, [name]) ?? priceAt(prices, [name]);
}

/** What tokens of a prompt cost more because they were not read from the cache. */
export function missAmount(
  model: Model | undefined,
  { promptTokens, missed }: { readonly promptTokens: number; readonly missed: number },
): Amount {
  const leaf = pricesFor(model, promptTokens);
  const [input, cached] = [leaf("input"), leaf("cache_input")];
  const more = (currency: "usd" | "diem"): number | undefined => {
    const [whole, part] = [input?.[currency], cached?.[currency]];
    return typeof whole === "number" && typeof part === "number" ? Math.max(0, whole - part) : undefined;
  };
  const [usd, diem] = [more("usd"), more("diem")];
  return times({ ...optionalMember("usd", usd), ...optionalMember("diem", diem) }, [missed, missed]);
}

/** Price of an answer, from the usage that the service reported. */
export function usageAmount(model: Model | undefined, usage: Usage): Amount {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const { cached_tokens, cache_creation_input_tokens } = usage.prompt_tokens_details ?? {};
  return chatAmount(model, {
    prompt: [prompt, prompt],
    cached: cached_tokens ?? 0,
    written: cache_creation_input_tokens ?? undefined,
    completion: [completion, completion],
  });
}

/** Price of what only has an input: characters of speech, or tokens of embeddings, at the model's price per million. */
export function inputAmount(model: Model | undefined, units: number): Amount {
  return times(priceAt(model?.model_spec?.pricing ?? {}, ["input"]), [units, units]);
}

export interface ImageChoice {
  readonly resolution?: string | undefined;
  readonly quality?: string | undefined;
  /** Number of input images, the base included. */
  readonly inputs?: number | undefined;
}

/** Price of one image: by quality and resolution if the model has such prices, else flat (wire.md section 4). */
export function imageAmount(model: Model | undefined, choice: ImageChoice): Amount {
  const prices = model?.model_spec?.pricing ?? {};
  const resolution = choice.resolution ?? "1K";
  const base =
    priceAt(prices, ["quality", resolution, choice.quality ?? "high"]) ??
    priceAt(prices, ["resolutions", resolution]) ??
    priceAt(prices, ["generation"]) ??
    priceAt(prices, ["inpaint"]);
  const included = numberAt(prices, ["inputImages", "included"]) ?? Number.POSITIVE_INFINITY;
  const extra = Math.max(0, (choice.inputs ?? 1) - included);
  const one = scaled(base, [1, 1], 1);
  return extra === 0
    ? one
    : sum([one, scaled(priceAt(prices, ["inputImages", "additional"]), [extra, extra], 1)]);
}

/** USD of RPC credits, as a range if the service states two prices (spec E3, billing rule 4). */
export function creditsAmount(credits: number, usdPerCredit: Range): Amount {
  return { usd: [credits * usdPerCredit[0], credits * usdPerCredit[1]], diem: undefined };
}

export function flatAmount(usd: number): Amount {
  return { usd: [usd, usd], diem: undefined };
}

/** Sum by currency. Undefined if a part has no price. */
export function sum(amounts: readonly Amount[]): Amount {
  const add = (a: Range | undefined, b: Range | undefined): Range | undefined =>
    a && b && [a[0] + b[0], a[1] + b[1]];
  return amounts.reduce(
    (all, { usd, diem }) => ({ usd: add(all.usd, usd), diem: add(all.diem, diem) }),
    noAmount,
  );
}

/**
 * Every price of a model with its path, in USD; undefined for a leaf that is no price. A price in DIEM alone is taken 1:1.
 */
export function pricesIn(
  prices: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly usd: number | undefined }[] {
  if (!isMembers(prices) || path.length > deepestPrice) return [];
  if ("usd" in prices || "diem" in prices) {
    const { usd, diem } = believedCost(prices, believedPrice);
    return [{ path, usd: usd ?? diem }];
  }
  return Object.entries(prices).flatMap(([name, value]) => pricesIn(value, [...path, name]));
}

/** `quality`, resolution, tier is the deepest path of the service (wire.md section 4). */
const deepestPrice = 4;

function times(price: Price | undefined, units: Range): Amount {
  return scaled(price, units, perMillion);
}

function scaled(price: Price | undefined, units: Range, factor: number): Amount {
  const one = (leaf: number | null | undefined): Range | undefined =>
    leaf === null || leaf === undefined ? undefined : [leaf * units[0] * factor, leaf * units[1] * factor];
  // Zero units are free, whatever the price.
  if (units[1] === 0) return noAmount;
  return { usd: one(price?.usd), diem: one(price?.diem) };
}

/** The prices above a context threshold, if the model has them and the prompt exceeds it. */
function extendedPrices(prices: Members, promptTokens: number): Members {
  const extended = prices.extended;
  if (!isMembers(extended)) return {};
  const threshold = extended.context_token_threshold;
  return typeof threshold === "number" && promptTokens > threshold ? extended : {};
}

function priceAt(prices: Members, path: readonly string[]): Price | undefined {
  const value = at(prices, path);
  return isMembers(value) ? believedCost(value, believedPrice) : undefined;
}

function numberAt(prices: Members, path: readonly string[]): number | undefined {
  const value = at(prices, path);
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function at(prices: Members, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isMembers(value) ? value[name] : undefined), prices);
}

import { splitModelId } from "../../shared/chat/modelId.ts";
import { type NameLists, noNames, resolveName } from "../../shared/chat/modelNames.ts";
import { stringIn } from "../../shared/stringIn.ts";
import type { Model } from "../endpoints/models.ts";
import type { SpendSource } from "./charge.ts";
import { type Amount, imageAmount, inputAmount, pricesIn, systemPromptTokens } from "./estimate.ts";
import type { CallPrice as PriceRule } from "./price.ts";
import { mostCredits } from "./rpcCredits.ts";

/** A call that costs money, before it is sent. */
export interface PaidCall {
  /** `resource.call`. */
  readonly endpoint: string;
  readonly price: PriceRule;
  /** The validated input of the row. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly source?: SpendSource;
  /** The end of the key that will pay, as the service shows it. Absent if a wallet pays, and for a short key. */
  readonly keyEnding?: string;
}

/** The prices to use; `models` are all models that the service lists. */
export interface UpperPrices {
  readonly models: readonly Model[];
  /** USD per RPC credit, lowest and highest stated. */
  readonly usdPerCredit: readonly [low: number, high: number];
  /** What the service says of names that are no ids of text models. */
  readonly names?: NameLists;
}

/** True if the price of a call comes from the list of models. */
export function needsListing({ by }: PriceRule): boolean {
  return by === "tokens" || by === "inputTokens" || by === "characters" || by === "image";
}

/**
 * Upper bound of the cost of a call, in USD; undefined if it has no bound. A name that neither list has gets the price of
 * the most expensive model of its type, because the service chooses the model. That no listed text model costs anything
 * says nothing about such a name.
 */
export function upperUsd(call: PaidCall, prices: UpperPrices): number | undefined {
  const { price, input } = call;
  switch (price.by) {
    case "nothing":
      return 0;
    case "request":
      return price.usd;
    case "credits":
      return mostCredits(String(input.network), methodsIn(input.body)) * prices.usdPerCredit[1];
    case "inputTokens": {
      const tokens = mostTextTokens(input.input);
      return highestUsd(call, prices, ["embedding"], (model) => worth(inputAmount(model, tokens)));
    }
    case "characters": {
      const characters = lengthOf(input.input);
      return highestUsd(call, prices, ["tts"], (model) => worth(inputAmount(model, characters)));
    }
    case "image":
      return highestUsd(call, prices, ["image", "inpaint"], (model) => imageUsd(model, input));
    case "tokens":
      return highestUsd(call, prices, ["text", "code"], (model) => chatUsd(model, input));
  }
}

/** The price of the most expensive model that may answer; undefined if a named model has no price. */
function highestUsd(
  { input, price }: PaidCall,
  { models, names = noNames }: UpperPrices,
  types: readonly string[],
  usdOf: (model: Model) => number | undefined,
): number | undefined {
  const find = (id: string) => models.find((model) => model.id === id);
  const isText = price.by === "tokens";
  // Only text models have such names: `default` of an image is another model.
  const lists = isText ? names : noNames;
  const sums = namesIn(input).map((name) => {
    const found =
      name === undefined ? undefined : find(resolveName(name, (id) => find(id) !== undefined, lists).modelId);
    if (found) return usdOf(found);
    const others = models.filter(({ type }) => types.includes(type ?? "text")).map(usdOf);
    const usd = highest(others.filter((other) => other !== undefined));
    return isText && usd === 0 ? undefined : usd;
  });
  return sums.every((usd) => usd !== undefined) ? highest(sums) : undefined;
}

/** The models that may answer: the requested one and its fallbacks. */
export function namesIn({ model, modelId, fallbacks }: PaidCall["input"]): (string | undefined)[] {
  const asked = [model, modelId].find((name) => typeof name === "string");
  const others = Array.isArray(fallbacks) ? fallbacks.map((one) => String(one?.model)) : [];
  return [asked, ...others];
}

function imageUsd(model: Model, input: PaidCall["input"]): number | undefined {
  const inputs = Array.isArray(input.images) ? input.images.length : 1;
  const choice = { resolution: stringIn(input.resolution), quality: stringIn(input.quality), inputs };
  // A quality or resolution without a listed price may be charged at any listed price.
  const any = highest(usdIn(pricesIn(model.model_spec?.pricing)));
  return worth(imageAmount(model, choice)) ?? (any === undefined ? undefined : any * Math.max(1, inputs));
}

const perMillion = 1e-6;
/** USD of a web search, and of a page that is read, for an answer (wire.md section 5). */
const lookUpUsd = 0.01;

function chatUsd(model: Model, input: PaidCall["input"]): number | undefined {
  const { pricing, availableContextTokens, maxCompletionTokens } = model.model_spec ?? {};
  const context = availableContextTokens ?? model.context_length ?? undefined;
  const longest = maxCompletionTokens ?? context;
  const leaves = pricesIn(pricing);
  const perInput = highest(usdIn(leaves.filter(({ path }) => !path.includes("output"))));
  const perOutput = highest(usdIn(leaves.filter(({ path }) => path.includes("output"))));
  const asked = requestedTokens(input);
  const completion = asked === undefined ? longest : Math.min(asked, longest ?? asked);
  const searches = lookUps(input);
  const isExtended = searches > 0 || featuresOf(input).character_slug !== undefined;
  // The service adds results and personas of any length to the prompt.
  const written = isExtended ? Number.POSITIVE_INFINITY : mostPromptTokens(input.messages);
  const others = lengthOf(JSON.stringify([input.tools, input.response_format])) + systemPromptTokens[1];
  const prompt = Math.min(written, context ?? Number.POSITIVE_INFINITY) + others;
  const choices = typeof input.n === "number" ? input.n : 1;
  const promptUsd = mostWorth(prompt, perInput);
  const completionUsd = mostWorth((completion ?? Number.POSITIVE_INFINITY) * choices, perOutput);
  if (promptUsd === undefined || completionUsd === undefined) return undefined;
  return promptUsd + completionUsd + searches * lookUpUsd;
}

/** Undefined without a price, or if the tokens have no bound. Any number of free tokens is free. */
function mostWorth(tokens: number, usdPerMillion: number | undefined): number | undefined {
  if (usdPerMillion === 0) return 0;
  if (usdPerMillion === undefined || !Number.isFinite(tokens)) return undefined;
  return tokens * usdPerMillion * perMillion;
}

function requestedTokens({ max_completion_tokens, max_tokens }: PaidCall["input"]): number | undefined {
  return [max_completion_tokens, max_tokens].find(
    (value): value is number => typeof value === "number" && value > 0,
  );
}

/** Tokens of role and separators of a message. */
const perMessage = 16;
/** Upper bound for the tokens of a picture in any model. */
const perImage = 16_000;

/** A token has at least one byte of text. Files, audio and video are bounded only by the context length. */
function mostPromptTokens(messages: unknown): number {
  if (!Array.isArray(messages)) return 0;
  return messages.reduce<number>((sum, { content, ...rest }) => {
    const others = Buffer.byteLength(JSON.stringify(rest));
    if (!Array.isArray(content)) return sum + perMessage + others + lengthOf(content);
    return content.reduce<number>((all, part) => all + partTokens(part), sum + perMessage + others);
  }, 0);
}

/** Of one text or several. Each has at most two tokens that the model adds. */
function mostTextTokens(texts: unknown): number {
  return [texts].flat().reduce<number>((sum, text) => sum + lengthOf(text) + 2, 0);
}

function partTokens({ type, text }: { readonly type?: unknown; readonly text?: unknown }): number {
  if (type === "text") return lengthOf(text);
  return type === "image_url" ? perImage : Number.POSITIVE_INFINITY;
}

/** The switches of the service, in the body or in the model's name. */
function featuresOf({ service_parameters, model }: PaidCall["input"]): Readonly<Record<string, unknown>> {
  return { ...splitModelId(String(model)).features, ...(service_parameters as object | undefined) };
}

/** At most one search, and each address in the messages. */
function lookUps(input: PaidCall["input"]): number {
  const { messages } = input;
  const features = featuresOf(input);
  const isOn = (name: string) =>
    Object.hasOwn(features, name) && !/^(off|false)$/.test(String(features[name]));
  const searches = ["enable_web_search", "enable_x_search"].filter(isOn).length;
  if (!isOn("enable_web_scraping")) return searches;
  return searches + (JSON.stringify(messages).match(/https?:\/\//g)?.length ?? 0);
}

function methodsIn(body: unknown): string[] {
  return (Array.isArray(body) ? body : [body]).map((item) => String(item?.method));
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}

/** In USD. A price in DIEM alone is taken 1:1, as the service does. */
function worth({ usd, diem }: Amount): number | undefined {
  return usd?.[1] ?? diem?.[1];
}

function usdIn(leaves: readonly { readonly usd: number | undefined }[]): (number | undefined)[] {
  return leaves.map(({ usd }) => usd);
}

/** Undefined without a sum, or if one of them is unknown: it may be the highest. */
function highest(sums: readonly (number | undefined)[]): number | undefined {
  const known = sums.filter((sum) => sum !== undefined);
  return known.length === 0 || known.length < sums.length ? undefined : Math.max(...known);
}

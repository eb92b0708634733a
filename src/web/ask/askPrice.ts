import type { Model } from "../../api/endpoints/models.ts";
import { chatAmount } from "../../api/money/estimate.ts";
import { augmentation } from "../../api/money/price.ts";
import { upperUsd } from "../../api/money/upperPrice.ts";
import type { ChosenModel } from "../../session/requestModel.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";

/** Pages that are read for a question. */
export const mostPages = 4;
/** Characters of each page that the model is sent. */
const longestExcerpt = 6_000;
const charactersPerToken = 4;
/** A character has at most so many bytes, and a token at least one. */
const bytesPerCharacter = 3;
/** Tokens of the chat's own prompt, of the rules and of the question, at most. */
const otherTokens = 3_000;
const usualAnswerTokens = 500;

/** Characters of each page that fit into half of the model's context. */
export function excerptLength({ contextTokens }: Pick<ChosenModel, "contextTokens">): number {
  if (contextTokens === undefined) return longestExcerpt;
  const room = Math.floor(((contextTokens / 2) * charactersPerToken) / mostPages);
  return Math.max(500, Math.min(longestExcerpt, room));
}

/** The upper price of a question to the web. */
export interface AskPrice {
  /** In USD: what is listed in DIEM alone counts 1:1, as at the service. Undefined if the answer has no listed bound. */
  readonly usd: number | undefined;
  /** `search $0.01, up to 4 pages $0.04, answer by X at most $0.02, usually about $0.0012`. */
  readonly parts: string;
}

/** `isSearched`: the search is stored, and costs nothing. */
export function askPrice(chosen: ChosenModel, isSearched: boolean): AskPrice {
  const { usd } = augmentation;
  const answerUsd = answerBound(chosen);
  const parts = [
    isSearched ? "search stored, free" : `search ${formatUsd(usd)}`,
    `up to ${mostPages} pages ${formatUsd(usd * mostPages)}`,
    `answer by ${chosen.name} ${answerText(chosen, answerUsd)}`,
  ];
  const readUsd = (isSearched ? 0 : usd) + usd * mostPages;
  return { usd: answerUsd === undefined ? undefined : readUsd + answerUsd, parts: parts.join(", ") };
}

/** The most that the answer can cost; undefined if the list bounds it not. */
function answerBound(chosen: ChosenModel): number | undefined {
  const { model } = chosen;
  if (!model) return undefined;
  const bytes = mostPages * excerptLength(chosen) * bytesPerCharacter + otherTokens;
  const input = { model: model.id, messages: [{ role: "user", content: "x".repeat(bytes) }] };
  const call = { endpoint: "chat.stream", price: { by: "tokens" }, input } as const;
  return upperUsd(call, { models: [model], usdPerCredit: [0, 0] });
}

function answerText(chosen: ChosenModel, upper: number | undefined): string {
  if (upper === undefined) return "without a listed bound";
  if (upper === 0) return "free";
  const usual = usualAmount(chosen);
  const about = usual === undefined ? "" : `, usually about ${inCurrency(usual, chosen.model)}`;
  return `at most ${inCurrency(upper, chosen.model)}${about}`;
}

function usualAmount(chosen: ChosenModel): number | undefined {
  const tokens = Math.round((mostPages * excerptLength(chosen)) / charactersPerToken) + otherTokens;
  const { usd, diem } = chatAmount(chosen.model, {
    prompt: [tokens, tokens],
    cached: 0,
    completion: [usualAnswerTokens, usualAnswerTokens],
  });
  return usd?.[1] ?? diem?.[1];
}

/** An amount of a model that is listed in DIEM alone is no number of dollars. */
function inCurrency(amount: number, model: Model | undefined): string {
  const { usd } = chatAmount(model, { prompt: [1, 1], cached: 0, completion: [1, 1] });
  return usd === undefined ? `${formatUsd(amount).slice(1)} DIEM` : formatUsd(amount);
}

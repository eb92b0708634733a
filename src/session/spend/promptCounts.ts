import type { Model } from "../../api/endpoints/models.ts";
import type { Charged } from "../../api/money/charge.ts";
import { type Amount, missAmount } from "../../api/money/estimate.ts";
import { fewestCachedTokens } from "../../api/money/sentPrompts.ts";
import { isMembers, optionalMember } from "../../shared/members.ts";
import { type Amounts, type AmountTexts, amountsOf, fromAmountTexts } from "../../shared/money/amounts.ts";
import { believedAmount, isTokenCount } from "../../shared/money/believable.ts";
import { computedIn } from "../../shared/money/money.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";

/** The prompt of a recorded call, as the service counted it. What is absent is unknown, not zero. */
export interface PromptCounts {
  readonly tokens: number;
  /** Tokens that the service read from its cache. */
  readonly cached?: number;
  /** Tokens that this window had sent before, within the life of a cache, and that were not read from it. */
  readonly missed?: number;
  /** What these cost more than from the cache; absent if none was missed, or if the list states no price of cached tokens. */
  readonly lost?: Amounts;
  /** The `prompt_cache_key`, which the requests of a conversation share. */
  readonly conversation?: string;
}

/** The same in a line of the ledger. */
export type PromptLine = Omit<PromptCounts, "lost"> & { readonly lost?: AmountTexts };

/** A smaller share of a prompt is within the error of the estimate, and of the blocks in which services cache. */
const leastMissedShare = 0.05;

/** Undefined if the call has no prompt, or the service did not count it. `modelOf` is asked only if something was missed. */
export async function promptIn(
  { fact }: Charged,
  cost: Amounts | undefined,
  modelOf: () => Promise<Model | undefined>,
): Promise<PromptCounts | undefined> {
  if (fact.by !== "tokens" || !fact.usage) return undefined;
  const { prompt_tokens: tokens, prompt_tokens_details: details } = fact.usage;
  const cached = details?.cached_tokens ?? undefined;
  const { prompt } = fact;
  const missed = prompt && cached !== undefined ? missedOf(tokens, cached, prompt.sentBefore) : undefined;
  const lost = missed
    ? lostIn(missAmount(await modelOf(), { promptTokens: tokens, missed }), cost)
    : undefined;
  return {
    tokens,
    ...optionalMember("cached", cached),
    ...optionalMember("missed", missed),
    ...optionalMember("lost", lost),
    ...optionalMember("conversation", prompt && keyText(prompt.cacheKey)),
  };
}

const longestKey = 100;

/** Bounded and without hidden characters, because other extensions can choose keys of their own. */
function keyText(key: string): string {
  return visibleLine(key.slice(0, longestKey)).slice(0, longestKey);
}

function missedOf(tokens: number, cached: number, sentBefore: number): number {
  const missed = Math.max(0, Math.round(tokens * sentBefore) - cached);
  return missed < Math.max(fewestCachedTokens, tokens * leastMissedShare) ? 0 : missed;
}

/** In the currency of the call. */
function lostIn({ usd, diem }: Amount, cost: Amounts | undefined): Amounts | undefined {
  if (cost?.currencies.join() === "DIEM") return diem && amountsOf(computedIn("DIEM", diem[1]));
  return usd && amountsOf(computedIn("USD", usd[1]));
}

export function promptLine({ lost, ...counts }: PromptCounts): PromptLine {
  return { ...counts, ...optionalMember("lost", lost?.toTexts()) };
}

/** Counts of a line that no prompt can have are unknown, all of them: none is more believable than the others. */
export function readPrompt(value: unknown): PromptCounts | undefined {
  if (!isMembers(value)) return undefined;
  const { tokens, cached, missed, lost, conversation } = value;
  const isCount = (count: unknown) => count === undefined || isTokenCount(count);
  if (!isTokenCount(tokens) || !isCount(cached) || !isCount(missed)) return undefined;
  const [read, again] = [cached ?? 0, missed ?? 0] as readonly [number, number];
  const amounts = fromAmountTexts(lost);
  if (read + again > tokens || (lost !== undefined && !isLoss(amounts))) return undefined;
  return {
    tokens,
    ...optionalMember("cached", cached as number | undefined),
    ...optionalMember("missed", missed as number | undefined),
    ...optionalMember("lost", amounts),
    ...optionalMember("conversation", typeof conversation === "string" ? keyText(conversation) : undefined),
  };
}

function isLoss(amounts: Amounts | undefined): boolean {
  return (
    amounts !== undefined &&
    [...amounts].every((amount) => believedAmount(Number(amount.digits())) !== undefined)
  );
}

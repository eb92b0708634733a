import type { JSX } from "preact";
import { estimateTokens } from "../../../../shared/chat/tokenEstimate.ts";
import { amountIn } from "../../../../shared/money/amounts.ts";
import { formatUsd } from "../../../../shared/money/formatUsd.ts";
import { hitRateOf, hitRateText } from "../../../../shared/money/hitRate.ts";
import { limitText, priceText } from "../../../../shared/money/statedPrice.ts";
import type { AnswerCost } from "../../../protocol/chatState.ts";
import { cardOf } from "../../details/chosenCard.ts";
import { estimateTurn } from "../../estimate.ts";
import { formatTokens } from "../../format.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";

/** The estimated cost of the next question, beside the Send button. */
export function CostEstimateLine({
  deps,
  draft,
}: {
  readonly deps: ChatPageDeps;
  readonly draft: string;
}): JSX.Element | null {
  const { store } = deps;
  const settings = store.field("settings");
  const spent = store.field("spent");
  const modelIds = [store.field("modelId"), ...store.field("compareIds")];
  const hitRate = hitRateOf(spent);
  const estimate = estimateTurn({
    cards: modelIds.map((id) => cardOf(deps, id)),
    promptTokens: store.field("context")?.tokens ?? estimateTokens(draft),
    hitRate,
    meanAnswerTokens: spent.answers > 0 ? spent.completionTokens / spent.answers : undefined,
    maxAnswerTokens: settings.max_completion_tokens,
    each: settings.n ?? 1,
  });
  if (!estimate || estimate.usd === 0 || draft.trim() === "") return null;
  const isPlayMoney = store.field("service")?.kind === "sandbox";
  const title = [
    `About ${formatTokens(estimate.promptTokens)} tokens are sent: ${formatUsd(estimate.questionUsd, isPlayMoney)}.`,
    `With an answer of ${formatTokens(estimate.answerTokens)} tokens: ${formatUsd(estimate.usd, isPlayMoney)}.`,
    ...(hitRate !== undefined && estimate.usd < estimate.uncachedUsd
      ? [
          `If ${hitRateText(hitRate)} are read from the cache, as in this conversation so far; ${formatUsd(estimate.uncachedUsd, isPlayMoney)} without it.`,
        ]
      : []),
  ].join("\n");
  return (
    <span class="estimate" title={title}>
      ≈ {formatUsd(estimate.usd, isPlayMoney)}
    </span>
  );
}

/** The cost of the conversation, with real and play money separated. */
export function SpentLine({ deps }: { readonly deps: ChatPageDeps }): JSX.Element | null {
  const {
    promptTokens,
    completionTokens,
    reasoningTokens,
    usd,
    diem,
    playUsd,
    playDiem,
    answers,
    isPartial,
  } = deps.store.field("spent");
  const { budgetUsd } = deps.store.field("settings");
  if (answers === 0) return null;
  const isSandbox = deps.store.field("service")?.kind === "sandbox";
  const real = spentText(usd, diem);
  const play = spentText(playUsd, playDiem, " play money");
  const inUse = isSandbox ? [playUsd, playDiem] : [usd, diem];
  const spent = amountIn("USD", inUse[0] ?? 0).plus(amountIn("DIEM", inUse[1] ?? 0));
  const budget = budgetUsd === undefined ? "" : ` of ${limitText(budgetUsd, spent)}`;
  // The budget is shown with the money in use.
  const sums = [
    ...(real === undefined ? [] : [isSandbox ? real : `${real}${budget}`]),
    ...(play === undefined ? [] : [isSandbox ? `${play}${budget}` : play]),
  ];
  const tokens = `${formatTokens(promptTokens + completionTokens)} tokens`;
  const title = [
    "This conversation, including all versions:",
    `${promptTokens.toLocaleString("en")} tokens in${cachedText(deps.store.field("spent"))}`,
    `${completionTokens.toLocaleString("en")} tokens out, ${reasoningTokens.toLocaleString("en")} of them reasoning`,
    ...sums,
    ...(isPartial ? ["At least: the service has not told what some calls cost."] : []),
  ].join("\n");
  return (
    <span class="spent" title={title}>
      {isPartial ? "≥ " : ""}
      {sums.length === 0 ? tokens : sums.join(" · ")}
    </span>
  );
}

function cachedText(spent: AnswerCost): string {
  const hitRate = hitRateOf(spent);
  if (hitRate === undefined) return "";
  return `, ${spent.cachedTokens.toLocaleString("en")} of them cached (${hitRateText(hitRate)})`;
}

/** `$0.42 · 0.05 DIEM`; undefined if it is nothing. */
function spentText(usd: number, diem: number, worth = ""): string | undefined {
  const sums = [
    ...(usd > 0 ? [priceText({ currency: "USD", amount: usd })] : []),
    ...(diem > 0 ? [priceText({ currency: "DIEM", amount: diem })] : []),
  ];
  return sums.length === 0 ? undefined : `${sums.join(" · ")}${worth}`;
}

import type { JSX } from "preact";
import { formatUsd } from "../../shared/formatUsd.ts";
import { estimateTokens } from "../../shared/tokenEstimate.ts";
import type { ChatDeps } from "./chatDeps.ts";
import { cardOf } from "./chosenCard.ts";
import { estimateTurn } from "./estimate.ts";
import { formatTokens } from "./format.ts";

/** What the next question will cost about, beside the button that sends it. */
export function CostEstimate({
  deps,
  draft,
}: {
  readonly deps: ChatDeps;
  readonly draft: string;
}): JSX.Element | null {
  const { store } = deps;
  const settings = store.field("settings");
  const spent = store.field("spent");
  const modelIds = [store.field("modelId"), ...store.field("compareIds")];
  const estimate = estimateTurn({
    cards: modelIds.map((id) => cardOf(deps, id)),
    promptTokens: store.field("context")?.tokens ?? estimateTokens(draft),
    meanAnswerTokens: spent.answers > 0 ? spent.completionTokens / spent.answers : undefined,
    maxAnswerTokens: settings.max_completion_tokens,
    each: settings.n ?? 1,
  });
  if (!estimate || estimate.usd === 0 || draft.trim() === "") return null;
  const title = [
    `About ${formatTokens(estimate.promptTokens)} tokens go along: ${formatUsd(estimate.questionUsd)}.`,
    `With an answer of ${formatTokens(estimate.answerTokens)} tokens: ${formatUsd(estimate.usd)}.`,
  ].join("\n");
  return (
    <span class="estimate" title={title}>
      ≈ {formatUsd(estimate.usd)}
    </span>
  );
}

/** What the conversation came to. */
export function SpentLine({ deps }: { readonly deps: ChatDeps }): JSX.Element | null {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, usd, diem, answers } =
    deps.store.field("spent");
  const { budgetUsd } = deps.store.field("settings");
  if (answers === 0) return null;
  const money = usd > 0 ? formatUsd(usd) : diem > 0 ? `${Number(diem.toPrecision(2))} DIEM` : undefined;
  const budget = budgetUsd === undefined ? "" : ` of ${formatUsd(budgetUsd)}`;
  const tokens = `${formatTokens(promptTokens + completionTokens)} tokens`;
  const title = [
    "This conversation, with all its versions:",
    `${promptTokens.toLocaleString("en")} tokens in, ${cachedTokens.toLocaleString("en")} of them cached`,
    `${completionTokens.toLocaleString("en")} tokens out, ${reasoningTokens.toLocaleString("en")} of them reasoning`,
    ...(money === undefined ? [] : [`${money}${budget}`]),
  ].join("\n");
  return (
    <span class="spent" title={title}>
      {money === undefined ? tokens : `${money}${budget}`}
    </span>
  );
}

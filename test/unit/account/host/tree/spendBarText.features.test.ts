// The one item with money in the status bar names the parts of the day in its tooltip.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shownFeatures, spendBarOf } from "../../../../../src/account/host/tree/spendBarText.ts";
import { amountIn, nothing } from "../../../../../src/shared/money/amounts.ts";
import { dayMs, dayOf } from "../../../../../src/shared/time/days.ts";

const nowMs = 20_000 * dayMs + 5;
const features = shownFeatures(amountIn("USD", 0.0008), {
  credits: 60,
  unstated: 0,
  spent: amountIn("USD", 0.00006),
});
const stored = {
  day: dayOf(nowMs),
  today: amountIn("USD", 0.1).toTexts(),
  month: amountIn("USD", 2).toTexts(),
  isTodayBilled: true,
  isMonthBilled: true,
  features,
};
const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
const service = { name: "Work", kind: "live" } as const;

test("completions and chain RPC of today are rows of the tooltip, and not of another day", () => {
  const bar = spendBarOf(service, budgets, stored, nowMs);
  assert.equal(bar?.text, "$0.10 today");
  assert.match(bar.tooltip, /\| Inline completions today \| \\\$0\.00080 \|/);
  assert.match(bar.tooltip, /\| Chain RPC today \| 60 credits, \\\$0\.000060 \|/);
  const next = spendBarOf(service, budgets, { ...stored, day: stored.day - 1 }, nowMs);
  assert.doesNotMatch(next?.tooltip ?? "", /today \|.*credits/);
  const none = spendBarOf(
    service,
    budgets,
    { ...stored, features: shownFeatures(nothing, { credits: 0, unstated: 0, spent: nothing }) },
    nowMs,
  );
  assert.doesNotMatch(none?.tooltip ?? "", /completions|Chain RPC/);
});

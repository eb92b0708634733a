import assert from "node:assert/strict";
import { test } from "node:test";
import { spentOn } from "../../../../src/chat/host/conversation/spending.ts";
import { estimateTurn } from "../../../../src/chat/page/estimate.ts";
import type { ModelCard } from "../../../../src/shared/chat/chatModels.ts";
import { hitRateOf, hitRateText } from "../../../../src/shared/money/hitRate.ts";
import { answerWith } from "../answerMessage.ts";

const card = (prices: Partial<ModelCard>) =>
  ({ id: "m", name: "M", capabilities: [], ...prices }) as unknown as ModelCard;
const priced = card({ inputUsd: 2, cachedInputUsd: 0.5, outputUsd: 10 });
const input = {
  cards: [priced],
  promptTokens: 100_000,
  meanAnswerTokens: 1000,
  maxAnswerTokens: undefined,
  each: 1,
};

const rounded = (usd = 0) => Number(usd.toFixed(9));

test("the next question is expected to hit the cache as the conversation did so far; the uncached price stays beside it", () => {
  const estimate = estimateTurn({ ...input, hitRate: 0.8 });
  assert.equal(rounded(estimate?.questionUsd), 0.08);
  assert.equal(rounded(estimate?.usd), 0.09);
  assert.equal(rounded(estimate?.uncachedUsd), 0.21);
});

test("without a known hit rate, or a price of cached tokens, the question is expected to cost its whole price", () => {
  const { cachedInputUsd: _, ...plain } = priced;
  for (const estimate of [
    estimateTurn({ ...input, hitRate: undefined }),
    estimateTurn({ ...input, hitRate: 0 }),
    estimateTurn({ ...input, hitRate: 0.8, cards: [plain] }),
  ])
    assert.deepEqual([estimate?.usd, estimate?.uncachedUsd].map(rounded), [0.21, 0.21]);
  assert.equal(estimateTurn({ ...input, hitRate: 1, cards: [priced, undefined] }), undefined);
});

test("the hit rate is that of the answers whose service states it; a stated 0 is no unknown", () => {
  const usage = { promptTokens: 1000, completionTokens: 1 };
  const rateOf = (...cached: readonly (number | undefined)[]) =>
    hitRateOf(
      spentOn(
        cached.map((cachedTokens, index) =>
          answerWith(String(index), {
            usage: { ...usage, ...(cachedTokens === undefined ? {} : { cachedTokens }) },
          }),
        ),
      ),
    );
  assert.equal(rateOf(undefined), undefined);
  assert.equal(rateOf(0), 0);
  assert.equal(rateOf(undefined, 900, 0), 0.45);
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(hitRateText), ["0 %", "1 %", "50 %", "99 %", "100 %"]);
});

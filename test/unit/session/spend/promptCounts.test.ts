// What the ledger keeps of a prompt. What is not known stays unknown, and a line can't claim what no prompt can have.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Usage } from "../../../../src/api/endpoints/chat/chatReply.ts";
import { Model } from "../../../../src/api/endpoints/models.ts";
import type { Charged, ChargeFact } from "../../../../src/api/money/charge.ts";
import type { Prices } from "../../../../src/session/spend/spendEntry.ts";
import { entryOf } from "../../../../src/session/spend/spendEntry.ts";
import {
  lineOfEntry,
  parseLine,
  type SpentEntry,
  toEntry,
} from "../../../../src/session/spend/spendLines.ts";
import { noNames } from "../../../../src/shared/chat/modelNames.ts";
import { nothing } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";

const pricing = {
  input: { usd: 2, diem: 2 },
  output: { usd: 10, diem: 10 },
  cache_input: { usd: 0.5, diem: 0.5 },
};

function pricesOf(listed: object): Prices & { asked: number } {
  const models = new Map([["m", Model.parse({ id: "m", model_spec: { pricing: listed } })]]);
  const prices = {
    asked: 0,
    models: async () => {
      prices.asked += 1;
      return models;
    },
    names: async () => noNames,
    usdPerCredit: [0, 0] as const,
  };
  return prices;
}

const tokensFact = (
  prompt: number,
  cached: number | undefined,
  more: Partial<Extract<ChargeFact, { readonly by: "tokens" }>> = {},
): ChargeFact => ({
  by: "tokens",
  usage: Usage.parse({
    prompt_tokens: prompt,
    completion_tokens: 10,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  }),
  cost: { usd: 0.01 },
  prompt: { cacheKey: "talk", sentBefore: 0.9 },
  ...more,
});

const promptOf = async (fact: ChargeFact, prices = pricesOf(pricing)) => {
  const event: Charged = { type: "charged", endpoint: "chat.stream", model: "m", fact };
  return (await entryOf("id", event, prices, 0)).prompt;
};
const textsOf = (lost: SpentEntry["cost"]) => lost?.toTexts();

test("tokens that were sent before and not read from the cache are missed, at the price of input less that of the cache", async () => {
  const missed = await promptOf(tokensFact(100_000, 10_000));
  assert.deepEqual(
    { ...missed, lost: textsOf(missed?.lost) },
    {
      tokens: 100_000,
      cached: 10_000,
      missed: 80_000,
      lost: { USD: "0.12" },
      conversation: "talk",
    },
  );
  const paidInDiem = await promptOf(tokensFact(100_000, 0, { cost: { diem: 0.2 } }));
  assert.deepEqual(textsOf(paidInDiem?.lost), { DIEM: "0.135" });
});

test("nothing is missed of a hit, of what was never sent, and within the error of the estimate", async () => {
  const prices = pricesOf(pricing);
  const facts = [
    tokensFact(100_000, 90_000),
    tokensFact(100_000, 86_000),
    tokensFact(100_000, 0, { prompt: { cacheKey: "talk", sentBefore: 0 } }),
    tokensFact(1000, 0, { prompt: { cacheKey: "talk", sentBefore: 1 } }),
  ];
  for (const fact of facts) {
    const prompt = await promptOf(fact, prices);
    assert.deepEqual([prompt?.missed, prompt?.lost], [0, undefined]);
  }
  assert.equal(prices.asked, 0, "the list of models is read only for a miss");
});

test("unknown is not zero: no count of the cache, no cache key, no listed price", async () => {
  const uncounted = await promptOf(tokensFact(100_000, undefined));
  assert.deepEqual(uncounted, { tokens: 100_000, conversation: "talk" });
  const { prompt: _, ...keyless } = tokensFact(100_000, 0) as Extract<ChargeFact, { readonly by: "tokens" }>;
  assert.deepEqual(await promptOf(keyless), { tokens: 100_000, cached: 0 });
  const { cache_input: __, ...noCachePrice } = pricing;
  const unpriced = await promptOf(tokensFact(100_000, 0), pricesOf(noCachePrice));
  assert.deepEqual([unpriced?.missed, unpriced?.lost], [90_000, undefined]);
  assert.equal(await promptOf({ by: "tokens", cost: { usd: 1 } }), undefined);
});

test("a line keeps the counts, and one that claims the impossible keeps its amount alone", async () => {
  const prompt = await promptOf(tokensFact(100_000, 10_000));
  assert.ok(prompt);
  const entry: SpentEntry = { id: "a", atMs: 1, endpoint: "chat.stream", cost: nothing, prompt };
  const read = (text: string) => {
    const line = parseLine(text);
    return line?.t === "spent" ? toEntry(line) : assert.fail(text);
  };
  assert.deepEqual(read(lineOfEntry(entry)), entry);
  const hostile = [
    ...[7, null, "text", [], {}, { tokens: "1" }, { tokens: -1 }, { tokens: 1e300 }, { tokens: 1.5 }],
    ...[
      { cached: 2 },
      { cached: -1 },
      { cached: "1" },
      { missed: 2 },
      { cached: 1, missed: 1 },
      { missed: 1e300 },
    ],
    ...[{ lost: { USD: "-1" } }, { lost: { USD: "1e9" } }, { lost: { USD: "99999999" } }, { lost: 1 }],
  ].map((value) =>
    value && typeof value === "object" && !("tokens" in value) ? { tokens: 1, ...value } : value,
  );
  for (const value of hostile.filter((one) => JSON.stringify(one) !== '{"tokens":1}')) {
    const kept = read(
      JSON.stringify({ t: "spent", id: "a", atMs: 1, endpoint: "e", usd: "0.5", prompt: value }),
    );
    assert.equal(kept.prompt, undefined, JSON.stringify(value));
    assert.deepEqual(textsOf(kept.cost), { USD: "0.5" });
  }
  const hidden = read(
    JSON.stringify({
      t: "spent",
      id: "a",
      atMs: 1,
      endpoint: "e",
      prompt: { tokens: 1, conversation: `a\u202e${"b".repeat(500)}` },
    }),
  );
  assert.match(hidden.prompt?.conversation ?? "", /^a⟨U\+202E⟩b{1,100}$/);
  assert.equal(hidden.prompt?.conversation?.length, 100);
});

test("a count that can't be right says nothing of the prompt either", async () => {
  const { cost: _, ...fact } = tokensFact(90_000_000, 0) as Extract<ChargeFact, { readonly by: "tokens" }>;
  const event: Charged = { type: "charged", endpoint: "chat.stream", model: "m", fact };
  const entryFor = (reserved: number) =>
    entryOf("id", event, pricesOf(pricing), 0, { reserved: Counted.parse(reserved) });
  const doubted = await entryFor(0.01);
  assert.deepEqual([doubted.cost, doubted.prompt], [undefined, undefined]);
  const believed = await entryFor(100);
  assert.equal(believed.prompt?.tokens, 90_000_000);
});

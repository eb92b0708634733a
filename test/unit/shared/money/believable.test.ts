// Numbers of money from a service: whatever they are, they are amounts that a call can cost, or unknown.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { ChatCompletion } from "../../../../src/api/endpoints/chat/chatReply.ts";
import { Model } from "../../../../src/api/endpoints/models.ts";
import { chargeFact, readCharge } from "../../../../src/api/money/charge.ts";
import { chatAmount, imageAmount, inputAmount } from "../../../../src/api/money/estimate.ts";
import { toChargeEntry } from "../../../../src/api/money/ledger.ts";
import { upperUsd } from "../../../../src/api/money/upperPrice.ts";
import { toModelCard } from "../../../../src/session/modelCards.ts";
import { believedCost, isBelievableUsage } from "../../../../src/shared/money/believable.ts";

/** Any number in JSON, and what stands in its place. */
const odd = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom<unknown>(
    0,
    -0,
    -1,
    -1e6,
    1e300,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    null,
    "1000",
    "",
    {},
    [],
    true,
  ),
);
const isAmount = (value: number | undefined) =>
  value === undefined || (Number.isFinite(value) && value >= 0 && value <= 1e7);

test("usage: counted, not negative, no more cached than sent, and not nothing", () => {
  const usage = (prompt_tokens: number, completion_tokens: number, cached_tokens?: number) =>
    isBelievableUsage({ prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens } });
  for (const fine of [usage(10, 0), usage(10, 5, 10), usage(1, 1e8)]) assert.ok(fine);
  for (const wrong of [
    usage(-1, 5),
    usage(5, -1),
    usage(1.5, 1),
    usage(1e300, 1),
    usage(10, 5, 1e9),
    usage(10, 5, 11),
    usage(10, 5, -1),
    usage(0, 0),
    usage(Number.NaN, 1),
    usage(1, Number.POSITIVE_INFINITY),
  ])
    assert.ok(!wrong);
});

test("cost: null, text or a negative amount beside 0 is not free", () => {
  for (const usd of [null, "1000", -1, 1e300, Number.POSITIVE_INFINITY, Number.NaN])
    assert.deepEqual(believedCost({ usd, diem: 0 }), {});
  assert.deepEqual(believedCost({ usd: null, diem: 2 }), { diem: 2 });
  assert.deepEqual(believedCost({ usd: 0, diem: "2" }), {});
  assert.deepEqual(believedCost({ usd: 0, diem: null }), { usd: 0 });
  assert.deepEqual(believedCost({ usd: 0, diem: 0 }), { usd: 0, diem: 0 });
  assert.deepEqual(believedCost({ diem: 0 }), { diem: 0 });
  assert.deepEqual(believedCost({ usd: 10_000.01, diem: 1 }), { diem: 1 });
});

test("no reply makes a charge that is negative, endless or absurd", () => {
  const usage = fc.record(
    {
      prompt_tokens: odd,
      completion_tokens: odd,
      prompt_tokens_details: fc.oneof(odd, fc.record({ cached_tokens: odd })),
    },
    { requiredKeys: [] },
  );
  const cost = fc.oneof(odd, fc.record({ usd: odd, diem: odd }, { requiredKeys: [] }));
  const prices = fc.oneof(odd, fc.record({ usd: odd, diem: odd }, { requiredKeys: [] }));
  const pricing = fc.dictionary(
    fc.constantFrom("input", "output", "cache_input", "generation", "extended", "resolutions", "inputImages"),
    fc.oneof(
      prices,
      fc.dictionary(fc.constantFrom("1K", "input", "context_token_threshold", "included"), prices),
    ),
  );
  const reply = fc.record({ usage: fc.oneof(odd, usage), cost }, { requiredKeys: [] });
  fc.assert(
    fc.property(reply, pricing, odd, odd, (members, listed, credits, headerUsd) => {
      const choices = [{ index: 0, message: { role: "assistant", content: "x" } }];
      const parsed = ChatCompletion.parse({
        id: "1",
        object: "o",
        created: 1,
        model: "m",
        choices,
        ...members,
      });
      const model = Model.parse({ id: "m", type: "text", model_spec: { pricing: listed } });
      const headers = new Headers({
        "x-service-rpc-credits": String(credits),
        "x-service-rpc-cost-usd": String(headerUsd),
      });
      const charge = readCharge(headers, dialects.standard);
      const book = { model: () => model, usdPerCredit: [6.25e-7, 7e-7] as const };
      for (const by of ["tokens", "credits", "characters", "image"] as const) {
        const fact = chargeFact({ by }, { input: "text", model: "m" }, charge, parsed);
        assert.ok(fact);
        const { amount } = toChargeEntry({ type: "charged", endpoint: "e", model: "m", fact }, book, 0);
        for (const bound of [...(amount.usd ?? []), ...(amount.diem ?? [])])
          assert.ok(isAmount(bound), `${by} ${bound}`);
        const input = {
          model: "m",
          messages: [{ role: "user", content: "Hi" }],
          max_tokens: 5,
          network: "base-mainnet",
        };
        const most = upperUsd(
          { endpoint: "e", price: { by }, input },
          { models: [model], usdPerCredit: book.usdPerCredit },
        );
        assert.ok(isAmount(most), `${by} ${most}`);
      }
      const card = toModelCard(model);
      for (const price of [card.inputUsd, card.outputUsd, card.cachedInputUsd]) assert.ok(isAmount(price));
      for (const { usd, diem } of [
        chatAmount(model, { prompt: [1, 2], cached: 1, completion: [1, 2] }),
        inputAmount(model, 7),
        imageAmount(model, { inputs: 3 }),
      ])
        assert.ok([...(usd ?? []), ...(diem ?? [])].every(isAmount));
    }),
  );
});

test("a price that can't be believed bounds nothing, and others do not stand in for it", () => {
  for (const usd of [-1, 1e300, null, "1"]) {
    const pricing = { input: { usd: 1 }, output: { usd: 2 }, cache_input: { usd } };
    const model = Model.parse({
      id: "m",
      model_spec: { pricing, availableContextTokens: 9, maxCompletionTokens: 9 },
    });
    const input = { model: "m", messages: [] };
    const most = upperUsd(
      { endpoint: "e", price: { by: "tokens" }, input },
      { models: [model], usdPerCredit: [0, 0] },
    );
    assert.equal(most, undefined);
  }
});

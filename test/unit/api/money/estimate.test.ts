import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../../../src/api/endpoints/models.ts";
import {
  chatAmount,
  creditsAmount,
  imageAmount,
  inputAmount,
  noAmount,
  usageAmount,
} from "../../../../src/api/money/estimate.ts";

const withPrices = (pricing: object) => Model.parse({ id: "m", model_spec: { pricing } });
const text = withPrices({
  input: { usd: 2, diem: 2 },
  output: { usd: 10, diem: 10 },
  cache_input: { usd: 0.5, diem: 0.5 },
});
const usd = (amount: { readonly usd: readonly number[] | undefined }) =>
  amount.usd?.map((value) => Number(value.toFixed(10)));

test("a chat costs fresh, cached and written tokens at their own prices per million", () => {
  const amount = chatAmount(text, { prompt: [1000, 1000], cached: 400, completion: [100, 300] });
  assert.deepEqual(
    usd(amount),
    [0.0012 + 0.0002 + 0.001, 0.0012 + 0.0002 + 0.003].map((v) => Number(v.toFixed(10))),
  );
});

test("an answer's usage is priced exactly", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  assert.deepEqual(usd(usageAmount(text, usage)), [0.00007, 0.00007]);
});

test("prices beyond a context threshold hold for the prompts that pass it", () => {
  const long = withPrices({
    input: { usd: 1 },
    output: { usd: 1 },
    extended: { context_token_threshold: 100, input: { usd: 4 }, output: { usd: 8 } },
  });
  const tokens = (prompt: number) => ({ prompt: [prompt, prompt], cached: 0, completion: [0, 0] }) as const;
  assert.deepEqual(usd(chatAmount(long, tokens(100))), [0.0001, 0.0001]);
  assert.deepEqual(usd(chatAmount(long, tokens(200))), [0.0008, 0.0008]);
});

test("a model that names no price has an unknown one, not zero", () => {
  assert.equal(chatAmount(withPrices({}), { prompt: [1, 1], cached: 0, completion: [1, 1] }).usd, undefined);
  assert.equal(inputAmount(undefined, 10).usd, undefined);
  assert.deepEqual(inputAmount(undefined, 0), noAmount);
});

test("speech is priced by the million characters", () => {
  assert.deepEqual(usd(inputAmount(withPrices({ input: { usd: 3.5, diem: 3.5 } }), 2000)), [0.007, 0.007]);
});

test("images are priced by quality and resolution, by resolution, or flat; more inputs than included cost extra", () => {
  const tiered = withPrices({
    quality: { "2K": { low: { usd: 0.02 }, high: { usd: 0.2 } } },
    generation: { usd: 1 },
  });
  assert.deepEqual(usd(imageAmount(tiered, { resolution: "2K", quality: "low" })), [0.02, 0.02]);
  assert.deepEqual(usd(imageAmount(tiered, { resolution: "2K" })), [0.2, 0.2], "the default tier is high");
  assert.deepEqual(usd(imageAmount(tiered, {})), [1, 1]);
  const edits = withPrices({
    inpaint: { usd: 0.04 },
    inputImages: { included: 1, additional: { usd: 0.01 } },
  });
  assert.deepEqual(usd(imageAmount(edits, { inputs: 3 })), [0.06, 0.06]);
});

test("RPC credits show the range that the service states (spec E3, billing rule 4)", () => {
  assert.deepEqual(usd(creditsAmount(20, [6.25e-7, 7e-7])), [0.0000125, 0.000014]);
});

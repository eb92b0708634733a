import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Model } from "../../../../src/api/endpoints/models.ts";
import { chargeFact } from "../../../../src/api/money/charge.ts";
import { usageAmount } from "../../../../src/api/money/estimate.ts";
import { toChargeEntry } from "../../../../src/api/money/ledger.ts";
import type { CallPrice } from "../../../../src/api/money/price.ts";
import { baseCredits, rpcTier } from "../../../../src/api/money/rpcCredits.ts";
import { upperUsd } from "../../../../src/api/money/upperPrice.ts";
import { methodTiers } from "../../../../src/shared/rpc/methodTiers.ts";
import { networks } from "../../../../src/shared/rpc/networks.ts";
import { randomCases } from "../../../runner/cases.ts";

const usdPerCredit = [6.25e-7, 7e-7] as const;
const usd = (value: number) => ({ usd: value, diem: value });
const text: Model = {
  id: "text",
  type: "text",
  model_spec: {
    availableContextTokens: 32_000,
    maxCompletionTokens: 4000,
    pricing: {
      input: usd(1),
      output: usd(4),
      cache_input: usd(0.25),
      extended: { context_token_threshold: 16_000, input: usd(2), output: usd(8) },
    },
  },
};
const models: readonly Model[] = [
  text,
  {
    id: "cheap",
    type: "text",
    model_spec: {
      maxCompletionTokens: 100,
      availableContextTokens: 1000,
      pricing: { input: usd(0.1), output: usd(0.1) },
    },
  },
  { id: "unpriced", type: "text", model_spec: {} },
  { id: "flat", type: "image", model_spec: { pricing: { generation: usd(0.04) } } },
  {
    id: "tiers",
    type: "inpaint",
    model_spec: {
      pricing: {
        quality: { "1K": { low: usd(0.01), high: usd(0.1) }, "4K": { low: usd(0.1), high: usd(0.4) } },
        inputImages: { included: 1, additional: usd(0.02) },
      },
    },
  },
  { id: "vectors", type: "embedding", model_spec: { pricing: { input: usd(0.25) } } },
  { id: "voice", type: "tts", model_spec: { pricing: { input: usd(15) } } },
];
const book = { model: (id: string) => models.find((model) => model.id === id), usdPerCredit };

function upper(price: CallPrice, input: Readonly<Record<string, unknown>>): number | undefined {
  return upperUsd({ endpoint: "e", price, input }, { models, usdPerCredit });
}

/** What the ledger makes of the reply. */
function actual(
  price: CallPrice,
  model: string | undefined,
  input: Readonly<Record<string, unknown>>,
  reply?: unknown,
) {
  const fact = chargeFact(price, input, undefined, reply);
  if (!fact) return 0;
  const entry = toChargeEntry({ type: "charged", endpoint: "e", fact, ...(model ? { model } : {}) }, book, 0);
  return entry.amount.usd?.[1] ?? 0;
}

/** Binary fractions differ in their last digits. */
const covers = (most: number | undefined, real: number) => most !== undefined && most >= real * (1 - 1e-12);

test("no answer costs more than its upper price, whatever is said in it and however long it gets", () => {
  const question = fc.record({
    content: fc.string({ unit: "grapheme", maxLength: 400 }),
    times: fc.integer({ min: 1, max: 100 }),
    asked: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
    n: fc.integer({ min: 1, max: 3 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(question, ({ content, times, asked, n, part }) => {
      const said = content.repeat(times);
      const input = {
        model: "text",
        messages: [{ role: "user", content: said }],
        n,
        ...(asked ? { max_completion_tokens: asked } : {}),
      };
      const longest = Math.min(asked ?? 4000, 4000) * n;
      const usage = {
        prompt_tokens: Math.min(32_000, Buffer.byteLength(said) + 7),
        completion_tokens: Math.floor(longest * part),
        total_tokens: 0,
      };
      assert.ok(covers(upper({ by: "tokens" }, input), actual({ by: "tokens" }, "text", input, { usage })));
    }),
  );
});

test("no answer costs more than its upper price where a model charges for what it writes into its cache", () => {
  const price = fc.double({ min: 0.01, max: 100, noNaN: true });
  const prices = fc.record(
    { input: price, output: price, cache_input: price, cache_write: price },
    { requiredKeys: ["input", "output"] },
  );
  type Prices = typeof prices extends fc.Arbitrary<infer Value> ? Value : never;
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const used = fc.record({
    plain: prices,
    long: prices,
    said: fc.string({ maxLength: 300 }),
    shares: fc.record({ cached: share, written: share, answered: share }),
    isCounted: fc.boolean(),
  });
  fc.assert(
    fc.property(used, ({ plain, long, said, shares, isCounted }) => {
      const toUsd = (all: Prices) =>
        Object.fromEntries(Object.entries(all).map(([name, value]) => [name, usd(value)]));
      const pricing = { ...toUsd(plain), extended: { context_token_threshold: 200, ...toUsd(long) } };
      const model: Model = {
        id: "writes",
        type: "text",
        model_spec: { availableContextTokens: 4000, maxCompletionTokens: 50, pricing },
      };
      const input = { model: "writes", messages: [{ role: "user", content: said }] };
      const prompt = Buffer.byteLength(said) + 7;
      const cached = Math.floor(prompt * shares.cached);
      const written = Math.floor((prompt - cached) * shares.written);
      const completion = Math.floor(50 * shares.answered);
      const { input: perInput, ...others } = prompt > 200 ? { ...plain, ...long } : plain;
      const { output, cache_input = perInput, cache_write = perInput } = others;
      const fresh = prompt - cached - written;
      const billed =
        (fresh * perInput + cached * cache_input + written * cache_write + completion * output) * 1e-6;
      const most = upperUsd(
        { endpoint: "e", price: { by: "tokens" }, input },
        { models: [model], usdPerCredit },
      );
      assert.ok(covers(most, billed), `${most} < ${billed}`);
      const counted = isCounted ? { cache_creation_input_tokens: written } : {};
      const usage = {
        prompt_tokens: prompt,
        completion_tokens: completion,
        prompt_tokens_details: { cached_tokens: cached, ...counted },
      };
      const [least, highest] = usageAmount(model, usage).usd ?? [Number.NaN, Number.NaN];
      assert.ok(least <= billed * (1 + 1e-12) && highest >= billed * (1 - 1e-12));
      if (isCounted) assert.ok(Math.abs(highest - least) <= 1e-12);
    }),
    { numRuns: randomCases(1000) },
  );
});

test("embeddings cost at most a token for each byte of their texts, and what the reply counts in the end", () => {
  const price = { by: "inputTokens" } as const;
  const input = { model: "vectors", input: ["Hi 😀", "there"] };
  const most = upper(price, input) ?? 0;
  assert.ok(most > 0 && most < 20 * 0.25e-6, String(most));
  const usage = { prompt_tokens: 12, completion_tokens: 0 };
  assert.equal(actual(price, "vectors", input, { usage }), 12 * 0.25 * 1e-6);
  assert.ok(covers(most, actual(price, "vectors", input, { usage })));
  assert.equal(upper(price, { ...input, model: "unlisted" }), most);
});

test("what an answer may cost follows its bounds: the context, the longest answer, pictures and searches", () => {
  const tokens = (more: object, content: unknown = "Hi") =>
    upper({ by: "tokens" }, { model: "text", messages: [{ role: "user", content }], ...more }) ?? 0;
  const plain = tokens({});
  assert.ok(plain > 4000 * 8e-6 && plain < 4000 * 8e-6 + 0.01);
  assert.ok(tokens({ max_completion_tokens: 10 }) < 0.01);
  assert.ok(tokens({ max_tokens: 10 }) < 0.01);
  assert.equal(tokens({ max_tokens: -1 }), plain);
  assert.ok(Math.abs(tokens({ n: 2 }) - plain - 4000 * 8e-6) < 1e-9);
  const searching = { service_parameters: { enable_web_search: "on" } };
  // What the service finds gets into the prompt, too, up to the context.
  const [least, most] = [plain + 31_000 * 2e-6, plain + 32_000 * 2e-6];
  assert.ok(tokens(searching) > least + 0.01 && tokens(searching) < most + 0.01);
  const persona = tokens({ service_parameters: { character_slug: "a-poet" } });
  assert.ok(persona > least && persona < most);
  assert.ok(tokens({ model: "text:enable_web_search=on" }) > plain);
  assert.equal(tokens({ service_parameters: { enable_web_search: "off" } }), plain);
  const scraping = { service_parameters: { enable_web_scraping: true } };
  assert.ok(tokens(scraping, "https://a.example and https://b.example") > plain + 0.02);
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(1e6)}` } };
  assert.ok(tokens({}, [picture]) < plain + 0.04, "a picture is no text");
  const film = { type: "video_url", video_url: { url: "https://a.example/film.mp4" } };
  const whole = tokens({}, [film]);
  assert.ok(whole >= plain + 31_000 * 2e-6 && whole < plain + 0.07, "no more than the context");
});

test("a name that the listing does not have costs what the dearest of its type does", () => {
  const named = (model: string) =>
    upper({ by: "tokens" }, { model, messages: [{ role: "user", content: "Hi" }] });
  assert.equal(named("default_code"), named("text"));
  assert.equal(named("unpriced"), undefined);
  const messages = [{ role: "user", content: "Hi" }];
  const withFallback = (model: string) =>
    upper({ by: "tokens" }, { model: "cheap", messages, fallbacks: [{ model }] });
  assert.equal(withFallback("text"), named("text"), "whichever of them answers");
  assert.equal(withFallback("unpriced"), undefined);
  assert.equal(named("constructor"), named("text"));
  assert.equal(upper({ by: "image" }, { prompt: "x" }), 0.1);
  assert.equal(
    upperUsd({ endpoint: "e", price: { by: "image" }, input: {} }, { models: [], usdPerCredit }),
    undefined,
  );
});

test("pictures and speech cost no more than their upper price", () => {
  for (const model of ["flat", "tiers"])
    for (const resolution of [undefined, "1K", "2K", "4K"])
      for (const quality of [undefined, "low", "high"])
        for (const images of [undefined, ["a"], ["a", "b", "c"]]) {
          const input = {
            model,
            ...(resolution ? { resolution } : {}),
            ...(quality ? { quality } : {}),
            ...(images ? { images } : {}),
          };
          assert.ok(
            covers(upper({ by: "image" }, input), actual({ by: "image" }, model, input)),
            JSON.stringify(input),
          );
        }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (said) => {
      const input = { model: "voice", input: said };
      assert.ok(covers(upper({ by: "characters" }, input), actual({ by: "characters" }, "voice", input)));
    }),
  );
});

test("a chain call costs no more than its upper price, on known networks and others, listed or not", () => {
  const listed = Object.values(methodTiers).flatMap((methods) => [...methods]);
  for (const network of [...networks.map(({ slug }) => slug), "constructor-mainnet"])
    for (const method of [...listed, "getSupply", "eth_unheardOf", "__proto__"]) {
      const tier = rpcTier(method, network);
      const credits = "multiplier" in tier ? baseCredits(network) * tier.multiplier : 0;
      const most = upper({ by: "credits" }, { network, body: { method } });
      assert.ok(covers(most, credits * usdPerCredit[1]), `${method} on ${network}`);
    }
  const batch = [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "eth_blockNumber" }));
  assert.ok(covers(upper({ by: "credits" }, { network: "base-mainnet", body: batch }), 60 * usdPerCredit[1]));
});

test("flat prices are what they are, and nothing costs nothing", () => {
  assert.equal(upper({ by: "request", usd: 0.01 }, {}), 0.01);
  assert.equal(upper({ by: "nothing" }, {}), 0);
});

test("what costs nothing costs nothing, however much of it there may be; a missing price is no price of 0", () => {
  const local = (id: string, spec: Model["model_spec"]): Model => ({ id, type: "text", model_spec: spec });
  const free = { usd: 0, diem: 0 };
  const unbounded = [
    local("free", { pricing: { input: free, output: free } }),
    local("free-in", { pricing: { input: free, output: usd(1) }, maxCompletionTokens: 1e6 }),
    local("free-out", { pricing: { input: usd(1), output: free } }),
    local("half", { pricing: { input: free } }),
    local("no-price", { pricing: {} }),
  ];
  const film = [{ type: "video_url", video_url: { url: "https://a.example/film.mp4" } }];
  const ask = (model: string, content: unknown = "Hi", more: object = {}) => {
    const input = { model, messages: [{ role: "user", content }], tools: [{ name: "x" }], ...more };
    return upperUsd({ endpoint: "e", price: { by: "tokens" }, input }, { models: unbounded, usdPerCredit });
  };
  assert.equal(ask("free"), 0);
  assert.equal(ask("free", film, { n: 4, service_parameters: { character_slug: "a" } }), 0);
  assert.equal(ask("free-in", film), 1);
  assert.ok((ask("free-out") ?? 0) > 0);
  assert.equal(ask("free-out", film), undefined);
  assert.equal(ask("half"), undefined);
  assert.equal(ask("no-price"), undefined);
  assert.equal(ask("free", "Hi", { fallbacks: [{ model: "half" }] }), undefined);
});

test("a trait or another vendor's name costs what its model does, with or without a suffix", () => {
  const names = { traits: { fastest: "cheap", gone: "unlisted" }, mapping: { "gpt-4o": "cheap" } };
  const bound = (model: string, fallbacks: readonly string[] = []) =>
    upperUsd(
      {
        endpoint: "e",
        price: { by: "tokens" },
        input: {
          model,
          messages: [{ role: "user", content: "x" }],
          fallbacks: fallbacks.map((name) => ({ model: name })),
        },
      },
      { models, usdPerCredit, names },
    );
  assert.equal(bound("fastest"), bound("cheap"));
  assert.equal(bound("gpt-4o:disable_thinking=true"), bound("cheap"));
  assert.equal(bound("gone"), bound("text"), "the most expensive one of the list");
  assert.equal(bound("cheap", ["gpt-4o"]), bound("cheap"));
});

test("a name that no list has is never free, even if all listed text models are", () => {
  const free: Model = {
    id: "free",
    type: "text",
    model_spec: { pricing: { input: usd(0), output: usd(0) } },
  };
  const bound = (by: "tokens" | "image", model: string) =>
    upperUsd(
      { endpoint: "e", price: { by }, input: { model, messages: [{ role: "user", content: "x" }] } },
      {
        models: [free, ...models.filter(({ id }) => id === "flat")],
        usdPerCredit,
        names: { traits: { default: "free" }, mapping: {} },
      },
    );
  assert.equal(bound("tokens", "gpt-4o"), undefined);
  assert.equal(bound("tokens", "default"), 0);
  assert.equal(bound("image", "default"), 0.04, "the names are those of text models");
});

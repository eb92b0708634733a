// Which pages of a search are read for a question, and what it costs at most.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../../../../src/api/endpoints/models.ts";
import { choosePages } from "../../../../src/shared/web/choosePages.ts";
import { askPrice, excerptLength, mostPages } from "../../../../src/web/ask/askPrice.ts";

const root = "https://api.example.org/api/v1";
const hit = (url: string) => ({ title: url, url, date: "", snippet: "" });
const chosen = (urls: readonly string[], most = 4) =>
  choosePages(urls.map(hit), root, most).map(({ url }) => url);

test("each page is read once, in the order of the search, and of one site two at most", () => {
  assert.deepEqual(
    chosen(
      [
        "https://a.example/x#one",
        "https://a.example/x#two",
        "https://a.example/y",
        "https://a.example/z",
        "https://b.example/",
      ],
      3,
    ),
    ["https://a.example/x", "https://a.example/y", "https://b.example/"],
  );
  assert.deepEqual(chosen(["https://a.example/1", "https://a.example/2", "https://a.example/3"]), [
    "https://a.example/1",
    "https://a.example/2",
    "https://a.example/3",
  ]);
});

test("what can't be read as a page is left out: private and blocked addresses, passwords, files, texts", () => {
  const bad = [
    "",
    "http://10.0.0.1/",
    "https://www.reddit.com/r/x",
    "https://u:p@a.example/",
    "https://a.example/x.PDF?y=1",
    "ftp://a.example/",
  ];
  assert.deepEqual(chosen([...bad, "https://a.example/ok"]), ["https://a.example/ok"]);
});

const model = (pricing: object, spec: object = {}): Model =>
  ({
    id: "m",
    type: "text",
    model_spec: { pricing, availableContextTokens: 32_000, maxCompletionTokens: 2_000, ...spec },
  }) as unknown as Model;
const asked = (listed: Model | undefined) =>
  ({ id: "m", name: "Large", contextTokens: 32_000, model: listed }) as const;

test("the price is that of the search, of all pages and of the longest answer, and each part is named", () => {
  const listed = model({ input: { usd: 1, diem: 1 }, output: { usd: 10, diem: 10 } });
  const { usd = 0, parts } = askPrice(asked(listed), false);
  const answer = usd - 0.05;
  // 2,000 tokens of the answer, and no more tokens of the prompt than it has bytes.
  assert.ok(answer >= 0.02 + (mostPages * 6_000) / 1e6 && answer < 0.2, String(answer));
  assert.match(
    parts,
    /^search \$0\.01, up to 4 pages \$0\.04, answer by Large at most \$0\.\d+, usually about \$0\.01\d*$/,
  );
  assert.equal(askPrice(asked(listed), true).usd, usd - 0.01);
});

test("a model in DIEM alone is named in DIEM, a free one is free, and one without a bound has no sum", () => {
  assert.match(
    askPrice(asked(model({ input: { diem: 1 }, output: { diem: 10 } })), false).parts,
    /at most 0\.\d+ DIEM/,
  );
  const free = askPrice(asked(model({ input: { usd: 0 }, output: { usd: 0 } })), false);
  assert.equal(free.usd, 0.05);
  assert.match(free.parts, /answer by Large free$/);
  const unlisted = askPrice(asked(undefined), false);
  assert.equal(unlisted.usd, undefined);
  assert.match(unlisted.parts, /without a listed bound$/);
});

test("the pages fit into half of the model's context", () => {
  assert.equal(excerptLength({ contextTokens: undefined }), 6_000);
  assert.equal(excerptLength({ contextTokens: 4_096 }), 2_048);
  assert.equal(excerptLength({ contextTokens: 128_000 }), 6_000);
});

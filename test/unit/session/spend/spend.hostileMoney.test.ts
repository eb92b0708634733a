// A service whose replies name any money: the ledger stays a sum, the cap holds, and no call is blocked for good.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import type { Spend } from "../../../../src/session/spend/spend.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { type Loopback, listen } from "../../../loopback/server.ts";
import { createClock } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { noService } from "../spendGateKit.ts";

const capUsd = 0.05;
const price = { usd: 10, diem: 10 };
const models = [
  {
    id: "m",
    type: "text",
    model_spec: {
      availableContextTokens: 4000,
      maxCompletionTokens: 500,
      pricing: { input: price, output: price },
    },
  },
];
/** About the prompt "Hi" with 100 tokens for the answer: the system prompt is in it. */
const request = {
  model: "m",
  messages: [{ role: "user" as const, content: "Hi" }],
  max_completion_tokens: 100,
};
const mostSent = 3;

/** As text, because JSON can name numbers that JavaScript has not. */
const usages = [
  '{"prompt_tokens":-1000000,"completion_tokens":5}',
  '{"prompt_tokens":10,"completion_tokens":-1000000}',
  '{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":1000000000}}',
  '{"prompt_tokens":1e300,"completion_tokens":5}',
  '{"prompt_tokens":1e999,"completion_tokens":5}',
  '{"prompt_tokens":90000000,"completion_tokens":5}',
  '{"prompt_tokens":"10","completion_tokens":"5"}',
  '{"prompt_tokens":0,"completion_tokens":0}',
  '{"prompt_tokens":1.5,"completion_tokens":null}',
  "{}",
  "[]",
  "null",
  '"free"',
];
const costs = [
  '{"usd":null,"diem":0}',
  '{"usd":"1000","diem":0}',
  '{"usd":-1000,"diem":0}',
  '{"usd":1e300}',
  '{"usd":1e999,"diem":0}',
  '{"usd":0,"diem":-5}',
  "7",
];
const cases = [
  ...usages.map((usage) => `"usage":${usage}`),
  ...costs.map((cost) => `"usage":{"prompt_tokens":1,"completion_tokens":1},"cost":${cost}`),
  ...costs.map((cost) => `"cost":${cost}`),
];

const head = '"id":"1","created":1,"model":"m"';

function answer(response: ServerResponse, members: string, streamed: boolean): void {
  response.writeHead(200, { "content-type": streamed ? "text/event-stream" : "application/json" });
  if (!streamed)
    return void response.end(
      `{${head},"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"x"}}],${members}}`,
    );
  const chunk = (more: string) => `data: {${head},"object":"chat.completion.chunk",${more}}\n\n`;
  response.end(
    chunk('"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]') +
      chunk(`"choices":[],${members}`) +
      "data: [DONE]\n\n",
  );
}

async function countedToday(spend: Spend): Promise<Counted> {
  return Counted.of((await spend.totals(connection)).today);
}

async function spends(service: Loopback, streamed: boolean, limit: "task" | "day"): Promise<void> {
  const clock = createClock();
  const budgets = {
    dayUsd: limit === "day" ? capUsd : undefined,
    monthUsd: undefined,
    hardStop: limit === "day",
  };
  const folder = temporaryFolder();
  const baseUrl = `${service.origin}/api/v1`;
  const window = openWindow({ ...noService, baseUrl, folder, budgets, models, now: clock.now });
  const task = { id: "t", round: 1, capUsd };
  const source = { kind: "chat" as const, ...(limit === "task" ? { task } : {}) };
  const call = async () => {
    if (!streamed) return void (await window.api.chat.complete(request, { source }));
    for await (const _ of await window.api.chat.stream(request, { source }));
  };
  let [sent, spent] = [0, Counted.zero];
  for (let index = 0; index < 12; index++) {
    try {
      await call();
      sent += 1;
    } catch (error) {
      assert.ok(isApiError(error) && error.kind === "payment-required", String(error));
      assert.ok(error.message.length < 300, error.message);
    }
    const today = await countedToday(window.spend);
    assert.ok(!spent.exceeds(today), "the ledger goes down");
    spent = today;
  }
  assert.ok(sent > 0 && sent <= mostSent, `${sent} calls`);
  assert.ok(!spent.exceeds(Counted.parse(capUsd)), spent.digits());
  assert.deepEqual(window.problems, []);
  if (limit === "task") return;
  clock.advance(24 * 3_600_000);
  await call();
}

for (const streamed of [false, true])
  test(`hostile usage and cost of ${streamed ? "a stream" : "a reply"} pass no cap and block nothing for good`, async (t) => {
    let members = "";
    const service = await listen((_, response) => answer(response, members, streamed));
    t.after(() => service.close());
    for (const one of cases)
      for (const limit of ["task", "day"] as const) {
        members = one;
        await spends(service, streamed, limit).catch((error: unknown) => {
          throw new Error(`${limit}, ${one}: ${error}`, { cause: error });
        });
      }
  });

test("a cost that the service states is counted, also beyond what was reserved", async (t) => {
  const service = await listen((_, response) => answer(response, '"cost":{"usd":3,"diem":0}', false));
  t.after(() => service.close());
  const budgets = { dayUsd: 1, monthUsd: undefined, hardStop: true };
  const baseUrl = `${service.origin}/api/v1`;
  const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets, models });
  await window.api.chat.complete(request);
  assert.equal((await countedToday(window.spend)).digits(), "3");
  await assert.rejects(window.api.chat.complete(request), /used up/);
});

test("hostile headers of chain calls pass no budget", async (t) => {
  for (const [credits, usd] of [
    ["-20", "-1"],
    ["1e300", "1e300"],
    ["Infinity", "NaN"],
    ["x", ""],
  ]) {
    const service = await listen((_, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "x-service-rpc-credits": String(credits),
        "x-service-rpc-cost-usd": String(usd),
      });
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    t.after(() => service.close());
    // Three calls of 20 credits.
    const budgets = { dayUsd: 20 * 7e-7 * 3, monthUsd: undefined, hardStop: true };
    const baseUrl = `${service.origin}/api/v1`;
    const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets, models });
    const body = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] as unknown[] } as const;
    const call = () => window.api.rpc.call({ network: "base-mainnet", body });
    for (let index = 0; index < 3; index++) await call();
    await assert.rejects(call(), (error) => isApiError(error) && error.kind === "payment-required");
    const today = await countedToday(window.spend);
    assert.ok(today.sign >= 0 && !today.exceeds(Counted.parse(budgets.dayUsd)));
  }
});

const usage = '"usage":{"prompt_tokens":10,"completion_tokens":5}';
/** What the call may cost at most, by the list. */
const bound = "0.01894";

/** What an answer says of its price, what is counted for the call, and what the user is told. */
const answers: readonly (readonly [members: string, counted: string, said: RegExp | undefined])[] = [
  [usage, "0.00015", undefined],
  [`${usage},"cost":{"usd":0.5,"diem":0}`, "0.5", undefined],
  [`${usage},"cost":{"usd":0,"diem":0}`, "0", undefined],
  [`${usage},"cost":{"usd":0.5,"diem":0.5}`, "0.5", undefined],
  [`${usage},"cost":{"usd":0.5,"diem":0.25}`, "0.75", undefined],
  [`${usage},"cost":{"usd":null,"diem":0}`, bound, /^One stated a cost that can't be right \(.*null.*\)/],
  [`${usage},"cost":{"usd":"1000","diem":0}`, bound, /a cost that can't be right \(.*"1000".*\)/],
  [`${usage},"cost":{"usd":-1000,"diem":0}`, bound, /a cost that can't be right \(.*-1000.*\)/],
  [`${usage},"cost":{"usd":1e300}`, bound, /a cost that can't be right \(.*1e\+300.*\)/],
  [`${usage},"cost":{"usd":1e999,"diem":0}`, bound, /a cost that can't be right/],
  ['"usage":{"prompt_tokens":-1,"completion_tokens":5}', bound, /no cost and no usage that can be right/],
  ['"usage":{"prompt_tokens":1.5,"completion_tokens":5}', bound, /no cost and no usage that can be right/],
  ['"usage":{"prompt_tokens":1e999,"completion_tokens":5}', bound, /no cost and no usage/],
  ['"usage":{"prompt_tokens":"10","completion_tokens":5}', bound, /no cost and no usage/],
  [
    '"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":11}}',
    bound,
    /no cost and no usage that can be right/,
  ],
  [
    '"usage":{"prompt_tokens":90000000,"completion_tokens":5}',
    bound,
    /a usage that can't be right \(\$900\.00\)/,
  ],
  ['"usage":null', bound, /no cost and no usage that can be right/],
];

test("each answer with money that can't be right counts the reserved bound, and the user is told once what counts instead", async (t) => {
  let members = "";
  const service = await listen((_, response) => answer(response, members, false));
  t.after(() => service.close());
  const baseUrl = `${service.origin}/api/v1`;
  const budgets = { dayUsd: 10, monthUsd: undefined, hardStop: true };
  for (const [told, counted, said] of answers) {
    members = told;
    const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets, models });
    for (let index = 0; index < 3; index++) await window.api.chat.complete(request);
    const entries = await window.spend.entries(connection);
    const sums = entries.map(({ cost, most }) => (cost ? Counted.of(cost) : most)?.digits());
    assert.deepEqual(sums, [counted, counted, counted], told);
    assert.equal(window.told.length, said ? 1 : 0, `${told}: ${window.told.join("\n")}`);
    if (!said) continue;
    assert.match(window.told[0] ?? "", said, told);
    assert.match(
      window.told[0] ?? "",
      /The most that the call may cost, \$0\.019, counts until the bill is read\. This is said once\.$/,
    );
  }
});

/** A listed price of input and output, and what a call of 15 tokens costs; undefined if it is refused as unpriced. */
const lists: readonly (readonly [price: unknown, counted: string | undefined])[] = [
  [{ usd: 10, diem: 10 }, "0.00015"],
  [{ usd: 0, diem: 0 }, "0"],
  [{ diem: 10 }, "0.00015"],
  [{ usd: 0, diem: 10 }, "0.00015"],
  [{ usd: null, diem: 0 }, undefined],
  [{ usd: null, diem: null }, undefined],
  [{ usd: "10", diem: 0 }, undefined],
  [{ usd: -10, diem: -10 }, undefined],
  [{ usd: -10, diem: 0 }, undefined],
  [{ usd: Number.POSITIVE_INFINITY }, undefined],
  [{ usd: 1e300 }, undefined],
  [{ usd: Number.NaN, diem: 0 }, undefined],
  [{}, undefined],
  ["free", undefined],
  [null, undefined],
];

test("a listed price that is no price bounds no call: it is refused under a hard stop, and never free", async (t) => {
  const service = await listen((_, response) => answer(response, usage, false));
  t.after(() => service.close());
  const baseUrl = `${service.origin}/api/v1`;
  for (const [listed, counted] of lists) {
    const what = JSON.stringify(listed);
    const spec = { ...models[0]?.model_spec, pricing: { input: listed, output: listed } };
    const of = [{ id: "m", type: "text", model_spec: spec }] as unknown as typeof models;
    const budgets = { dayUsd: 1, monthUsd: undefined, hardStop: true };
    const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets, models: of });
    const call = window.api.chat.complete(request);
    if (counted === undefined) {
      await assert.rejects(call, /lists no price that bounds this call/, what);
      continue;
    }
    await call;
    assert.equal((await countedToday(window.spend)).digits(), counted, what);
    assert.deepEqual(window.told, [], what);
  }
});

test("a chain call whose cost headers can't be right counts its bound, and says so once", async (t) => {
  const service = await listen((_, response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "x-service-rpc-credits": "-20",
      "x-service-rpc-cost-usd": "1e300",
    });
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
  });
  t.after(() => service.close());
  const budgets = { dayUsd: 1, monthUsd: undefined, hardStop: true };
  const baseUrl = `${service.origin}/api/v1`;
  const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets, models });
  const body = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] as unknown[] } as const;
  for (let index = 0; index < 2; index++) await window.api.rpc.call({ network: "base-mainnet", body });
  const entries = await window.spend.entries(connection);
  assert.deepEqual(
    entries.map(({ cost, most }) => [cost, most?.digits()]),
    [
      [undefined, "0.000014"],
      [undefined, "0.000014"],
    ],
  );
  assert.equal(window.told.length, 1);
  assert.match(
    window.told[0] ?? "",
    /credits or a cost that can't be right \(-20, 1e300\)\. The most .* \$0\.000014/,
  );
});

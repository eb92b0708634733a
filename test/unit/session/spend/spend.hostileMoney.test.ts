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

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { SpendSource } from "../../../../src/api/money/charge.ts";
import type { PaidCall } from "../../../../src/api/money/upperPrice.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import type { BudgetState } from "../../../../src/session/spend/spendBudget.ts";
import { createSpendGate } from "../../../../src/session/spend/spendGate.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { listen } from "../../../loopback/server.ts";
import { usdOf } from "../../account/host/money.ts";
import { createClock, minuteMs } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { openConsents } from "../openConsents.ts";
import { spendsAtMost } from "../randomWindows.ts";
import { billed, hard, isRefused, noService, search, serve } from "../spendGateKit.ts";

const noBudgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

test("a hundred concurrent searches spend all that the hard stop allows, and no more", async (t) => {
  const sandbox = await serve(t);
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: hard(0.05) });
  const all = Array.from({ length: 100 }, () => window.api.augment.search({ query: "chat" }));
  const settled = await Promise.allSettled(all);
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  assert.equal(failed.length, 95);
  assert.ok(failed.every(isRefused), String(failed[0]));
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.05");
  assert.equal(exactText(usdOf((await window.spend.totals(connection)).today)), "0.05");
  assert.deepEqual(window.problems, []);
});

test("without a hard stop the searches ask once the budget is claimed, and a refusal stops them", async (t) => {
  const sandbox = await serve(t);
  const budgets = { ...hard(0.05), hardStop: false };
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets });
  const all = Array.from({ length: 20 }, () => window.api.augment.search({ query: "chat" }));
  const settled = await Promise.allSettled(all);
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 5);
  assert.ok(window.asked.length > 0);
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.05");
});

test("approval for the rest of the day is requested once", async (t) => {
  const sandbox = await serve(t);
  const budgets = { ...hard(0.01), hardStop: false };
  const options = { ...sandbox, folder: temporaryFolder(), budgets, answers: async () => "period" as const };
  const window = openWindow(options);
  for (let index = 0; index < 4; index++) await window.api.augment.search({ query: "chat" });
  assert.equal(window.asked.length, 1);
});

test("a long-running call keeps its reservation", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const clock = createClock();
  const options = { ...noService, folder: temporaryFolder(), now: clock.now, budgets: hard(0.01) };
  const [first, second] = [openWindow(options), openWindow(options)];
  const hold = await first.gate.admit(connection, search, first.prices, undefined);
  for (let minute = 0; minute < 30; minute++) {
    clock.advance(minuteMs);
    t.mock.timers.tick(minuteMs);
    await first.spend.totals(connection);
  }
  const admit = () => second.gate.admit(connection, search, second.prices, undefined);
  await assert.rejects(admit(), isRefused);
  first.spend.record(
    connection,
    { type: "uncharged", endpoint: "augment.search", hold: String(hold), mayBeBilled: false },
    first.prices,
  );
  await first.spend.totals(connection);
  assert.equal(typeof (await admit()), "string");
});

test("a failure that bills nothing releases its reservation, one that may be billed keeps it", async (t) => {
  const statuses = [400, 429, 503, 500, 502];
  for (const status of statuses) {
    const service = await listen((_, response) => {
      response
        .writeHead(status, { "content-type": "application/json", "retry-after": "3600" })
        .end('{"error":"x"}');
    });
    t.after(() => service.close());
    const baseUrl = `${service.origin}/api/v1`;
    const window = openWindow({ ...noService, baseUrl, folder: temporaryFolder(), budgets: hard(0.01) });
    await assert.rejects(window.api.augment.search({ query: "x" }, { once: true }));
    const again = window.gate.admit(connection, search, window.prices, undefined);
    if (status === 500 || status === 502) await assert.rejects(again, isRefused, String(status));
    else assert.equal(typeof (await again), "string", String(status));
    assert.equal(usdOf((await window.spend.totals(connection)).today), 0n);
  }
});

test("an answer that breaks off before its price reserves its maximum until the bill is read", async (t) => {
  const service = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(
      'data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n',
    );
  });
  t.after(() => service.close());
  const clock = createClock();
  const window = openWindow({
    ...noService,
    baseUrl: `${service.origin}/api/v1`,
    folder: temporaryFolder(),
    now: clock.now,
    budgets: hard(0.02),
    models: [
      {
        id: "m",
        type: "text",
        model_spec: {
          availableContextTokens: 4000,
          maxCompletionTokens: 1000,
          pricing: { input: { usd: 0 }, output: { usd: 10 } },
        },
      },
    ],
  });
  const abort = new AbortController();
  const request = { model: "m", messages: [{ role: "user" as const, content: "Hi" }] };
  const stream = await window.api.chat.stream(request, { signal: abort.signal });
  await assert.rejects(async () => {
    for await (const _ of stream) abort.abort();
  });
  const second = new AbortController();
  const open = { ...request, max_completion_tokens: 1001 };
  const other = await window.api.chat.stream(open, { signal: second.signal });
  const third = window.api.chat.complete(request);
  await assert.rejects(third, (error: Error) => isRefused(error) && /Longest answer/.test(error.message));
  // Its caller has no such setting.
  const outside = window.api.chat.complete(request, { source: { kind: "nativeChat" } });
  await assert.rejects(outside, (error: Error) => isRefused(error) && /A cheaper model/.test(error.message));
  assert.equal((await window.spend.totals(connection)).unpriced, 1);
  await assert.rejects(async () => {
    for await (const _ of other) second.abort();
  });
});

test("each refusal names its own next step, and no other", async () => {
  const price = { input: { usd: 1 }, output: { usd: 1 } };
  const models = [
    { id: "unpriced", type: "text", model_spec: {} },
    { id: "unbounded", type: "text", model_spec: { pricing: price } },
    {
      id: "priced",
      type: "text",
      model_spec: { pricing: price, availableContextTokens: 9000, maxCompletionTokens: 9000 },
    },
  ];
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const shut = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: "EACCES" });
  const sentenceOf = async (model: string, by: Partial<SpendSource>, broken?: Error) => {
    const window = openWindow({ ...noService, folder: temporaryFolder(), budgets: hard(0.001), models });
    const spend = broken ? { ...window.spend, reserve: () => Promise.reject(broken) } : window.spend;
    const gate = createSpendGate({
      consents: openConsents(),
      spend,
      budgets: () => ("task" in by ? noBudgets : hard(0.001)),
      state: { get: <T>(_: string, other?: T) => other as T, update: async () => {} },
      now: Date.now,
      warn() {},
      ask: async () => "no",
    });
    const input = { model, messages: [{ role: "user", content: "Hi" }] };
    const source: SpendSource = { kind: "chat", ...by };
    const call: PaidCall = { endpoint: "chat.stream", price: { by: "tokens" }, input, source };
    const refused = await gate.admit(connection, call, window.prices, undefined).then(assert.fail, (e) => e);
    return explain(refused, { service: "x" }).sentence;
  };
  const task = { id: "t", round: 1, capUsd: 0.001 };
  const listed = "Choose a model for which the service lists its price and its context size.";
  const listedOrWarned = listed.replace(/\.$/, ", or let the budget warn instead of stopping.");
  const period = "Change the budget in the settings, or wait until the next period begins (UTC).";
  const cases: readonly (readonly [string, Partial<SpendSource>, RegExp, string, Error?])[] = [
    ["unpriced", {}, /lists no price.*hard stop\./, listedOrWarned],
    ["unpriced", { task }, /lists no price.*task has a cap\./, listed],
    ["unbounded", { kind: "nativeChat" }, /lists no price.*hard stop\./, listedOrWarned],
    [
      "unbounded",
      {},
      /lists no maximum length.*hard stop\./,
      "Set “Longest answer” in Settings of This Chat, and press Retry.",
    ],
    [
      "unbounded",
      { task },
      /lists no maximum length.*task has a cap\./,
      "Set “Longest answer” in Settings of This Chat, and press Retry.",
    ],
    [
      "priced",
      {},
      /more than the budget of this day has left.*A lower “Longest answer” reduces the cost\./,
      period,
    ],
    [
      "priced",
      { kind: "mcp" },
      /more than the budget.*A cheaper model or a shorter conversation reduces the cost\./,
      period,
    ],
    [
      "priced",
      { task },
      /^The task has stopped: .*more than the cap of the task/,
      "Raise the cap beside Send, and press Retry to go on.",
    ],
    ["priced", {}, /can't be recorded \(ENOSPC.*hard stop\./, "Free space on the disk, and try again.", full],
    [
      "priced",
      { task },
      /can't be recorded \(EACCES.*task has a cap\./,
      "Make the file writable, and try again.",
      shut,
    ],
  ];
  for (const [model, by, reason, step, broken] of cases) {
    const sentence = await sentenceOf(model, by, broken);
    assert.match(sentence, reason);
    assert.ok(sentence.endsWith(step), sentence);
    assert.equal(sentence.split(". ").length, reason.source.includes("reduces") ? 3 : 2, sentence);
  }
});

test("a hard stop sends nothing if the ledger can't be written", async (t) => {
  const sandbox = await serve(t);
  const folder = join(temporaryFolder(), "file");
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, "no folder");
  const window = openWindow({ ...sandbox, folder, budgets: hard(1) });
  await assert.rejects(window.api.augment.search({ query: "x" }), isRefused);
  const soft = openWindow({ ...sandbox, folder, budgets: { ...hard(1), hardStop: false } });
  await soft.api.augment.search({ query: "chat" });
});

test("windows in any order never spend more than the hard stop allows", () =>
  spendsAtMost({ usd: 10, budgets: hard(10), isRefused }));

test("the warning about little budget appears once, by the amount spent, not reserved", async () => {
  const clock = createClock();
  const window = openWindow({ ...noService, folder: temporaryFolder(), now: clock.now, budgets: hard(0.05) });
  const admit = async () => String(await window.gate.admit(connection, search, window.prices, undefined));
  const holds = [await admit(), await admit(), await admit(), await admit()];
  assert.deepEqual(window.warned, []);
  const fact = { by: "request", usd: 0.01 } as const;
  for (const hold of holds)
    window.spend.record(
      connection,
      { type: "charged", endpoint: "augment.search", fact, hold },
      window.prices,
    );
  await admit();
  const levels = (states: readonly BudgetState[]) => states.map(({ period, level }) => `${period} ${level}`);
  assert.deepEqual(levels(window.warned), ["day near"]);
});

test("an inline completion is reserved without a budget, and beyond one it is refused without a question", async () => {
  const completion: PaidCall = { ...search, source: { kind: "completion" } };
  const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const free = openWindow({ ...noService, folder: temporaryFolder(), budgets: none });
  assert.equal(typeof (await free.gate.admit(connection, completion, free.prices, undefined)), "string");
  assert.equal(await free.gate.admit(connection, search, free.prices, undefined), undefined);
  const budgets = { dayUsd: 0.01, monthUsd: undefined, hardStop: false };
  const window = openWindow({ ...noService, folder: temporaryFolder(), budgets });
  const admit = () => window.gate.admit(connection, completion, window.prices, undefined);
  assert.equal(typeof (await admit()), "string");
  await assert.rejects(admit(), isRefused);
  assert.deepEqual(window.asked, []);
});

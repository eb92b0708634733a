// A call whose listed price is 0, as of a model on this machine: no cap and no budget refuses it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Model } from "../../../../src/api/endpoints/models.ts";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import type { SpendKind, SpendSource } from "../../../../src/api/money/charge.ts";
import type { PaidCall } from "../../../../src/api/money/upperPrice.ts";
import { createHourCap } from "../../../../src/completions/limits/hourCap.ts";
import { createListing } from "../../../../src/session/spend/spendEntry.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { hard, noService } from "../spendGateKit.ts";

const none = { usd: 0, diem: 0 };
const models: readonly Model[] = [
  { id: "ollama/llama", type: "text", model_spec: { pricing: { input: none, output: none } } },
  {
    id: "paid",
    type: "text",
    model_spec: {
      pricing: { input: { usd: 1e4 }, output: { usd: 1e4 } },
      availableContextTokens: 8000,
      maxCompletionTokens: 1000,
    },
  },
];
const kinds: readonly SpendKind[] = ["chat", "editor", "nativeChat", "tool", "mcp", "completion"];
const usedUp = { id: "task-1", round: 2, capUsd: 0.01 };
const sources: readonly SpendSource[] = [
  ...kinds.map((kind): SpendSource => ({ kind })),
  { kind: "chat", task: usedUp },
];
const callOf = (model: string, source: SpendSource): PaidCall => ({
  endpoint: "chat.stream",
  price: { by: "tokens" },
  input: { model, messages: [{ role: "user", content: "Hi" }] },
  source,
});
const isRefused = (error: unknown) => isApiError(error) && error.kind === "payment-required";

for (const hardStop of [true, false])
  test(`a free model passes used up caps and budgets, a paid one does not (hard stop: ${hardStop})`, async () => {
    const budgets = { ...hard(0.01), monthUsd: 0.01, hardStop };
    const window = openWindow({ ...noService, folder: temporaryFolder(), budgets, models });
    const source = { kind: "chat", task: usedUp } as const;
    const fact = { by: "request", usd: 5 } as const;
    const search = { type: "charged", endpoint: "augment.search", fact, source } as const;
    window.spend.record(connection, search, window.prices);
    const admit = (model: string, by: SpendSource) =>
      window.gate.admit(connection, callOf(model, by), window.prices, undefined);
    for (const by of sources) {
      const hold = await admit("ollama/llama", by);
      assert.equal(typeof hold, "string");
      await window.gate.admitAgain(connection, callOf("ollama/llama", by), String(hold));
      await assert.rejects(admit("paid", by), isRefused, by.kind);
    }
    const limited = {
      kind: "chat",
      task: { ...usedUp, refusal: () => "the task has had 3 rounds" },
    } as const;
    await assert.rejects(admit("ollama/llama", limited), /3 rounds/, "other limits of a task hold");
  });

test("a free model needs no ledger that can be written", async () => {
  const folder = join(temporaryFolder(), "file");
  writeFileSync(folder, "no folder");
  const window = openWindow({ ...noService, folder, budgets: hard(1), models });
  const admit = (model: string) =>
    window.gate.admit(connection, callOf(model, { kind: "chat", task: usedUp }), window.prices, undefined);
  assert.equal(await admit("ollama/llama"), undefined);
  await assert.rejects(admit("paid"), isRefused);
});

test("a model that is listed as free and charges is no longer believed", async () => {
  const window = openWindow({ ...noService, folder: temporaryFolder(), budgets: hard(0.01), models });
  const source = { kind: "chat", task: usedUp } as const;
  const admit = () => window.gate.admit(connection, callOf("ollama/llama", source), window.prices, undefined);
  const hold = String(await admit());
  const fact = { by: "tokens", cost: { usd: 0.5 } } as const;
  const about = {
    endpoint: "chat.stream",
    model: "ollama/llama:enable_web_search=off",
    hold,
    source,
  } as const;
  window.spend.record(connection, { type: "charged", fact, ...about }, window.prices);
  await assert.rejects(admit(), isRefused);
});

test("completions of a free model pass the limit per hour that others have used up", async () => {
  const nowMs = Date.UTC(2026, 5, 1, 12);
  const window = openWindow({ ...noService, folder: temporaryFolder(), budgets: hard(1), now: () => nowMs });
  const charge = (model: string) => {
    const fact = { by: "tokens", cost: { usd: 0.3 } } as const;
    const about = { endpoint: "chat.complete", model, source: { kind: "completion" } } as const;
    window.spend.record(connection, { type: "charged", fact, ...about }, window.prices);
  };
  charge("paid");
  const cap = createHourCap(
    async () => window.spend,
    () => nowMs,
  );
  const blocked = (model: string, mostUsd: number) => cap.blockedUntil(connection, { model, mostUsd }, 0.25);
  assert.equal(await blocked("ollama/llama", 0), undefined);
  assert.notEqual(await blocked("paid", 0.001), undefined);
  charge("ollama/llama");
  cap.forget();
  assert.notEqual(await blocked("ollama/llama", 0), undefined);
});

test("a model that was not listed is looked for again, of a live service after a minute", async () => {
  let [listed, loads, nowMs] = [["a"], 0, 0];
  const read = (staleMs: number) =>
    createListing(
      async () => {
        loads += 1;
        if (listed.length === 0) throw new Error("down");
        return listed.map((id) => ({ id }));
      },
      staleMs,
      () => nowMs,
    );
  const live = read(60_000);
  assert.deepEqual([(await live("b")).has("b"), loads], [false, 1]);
  await Promise.all([live("a"), live(), live("b"), live("b:enable_web_search=on")]);
  assert.equal(loads, 1);
  [listed, nowMs] = [["a", "b"], 60_000];
  assert.deepEqual([(await live("b")).has("b"), loads], [true, 2]);
  await live("a:enable_web_search=on");
  assert.equal(loads, 2);
  const sandbox = read(0);
  await sandbox("b");
  listed = [];
  assert.equal((await sandbox("c")).has("b"), true, "a list is kept if the next one fails");
  listed = ["c"];
  assert.equal((await sandbox("c")).has("c"), true);
});

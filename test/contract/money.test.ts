// The costs of calls, which all sources report alike: spec E1, E8, E12; wire.md sections 4 to 6.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { ClientEvent } from "../../src/api/call/client.ts";
import type { UsageRecord } from "../../src/api/endpoints/account/billing.ts";
import type { ChatRequest } from "../../src/api/endpoints/chat/chatRequest.ts";
import { usagePages } from "../../src/api/usagePages.ts";
import { chatOf, longText, nano, sum } from "./suite/moneyKit.ts";
import { apiOf, failureOf, type TableApi, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";

for (const { name, dialect, open } of sandboxTargets) {
  describe(`money, ${name}`, () => {
    let target: SandboxTarget;
    let api: TableApi;
    const transport = transports.host();
    before(async () => {
      target = await open();
    });
    beforeEach(async () => {
      await target.settle();
      api = apiOf(target, transport);
    });
    after(async () => {
      await target.close();
      await transport.close();
    });

    /** All bill records since a time, oldest first. */
    async function bill(startMs: number): Promise<UsageRecord[]> {
      await target.settle();
      const range = { start: new Date(startMs).toISOString(), end: new Date(target.now()).toISOString() };
      const records: UsageRecord[] = [];
      for await (const page of usagePages(api, range)) records.push(...page.records);
      return records;
    }

    test("a chat is charged for input, cached input and output, under one request id, to the last digit", async () => {
      const start = target.now();
      const ids: (string | undefined)[] = [];
      const observe = (event: ClientEvent) => void (event.type === "exchange" && ids.push(event.requestId));
      await api.chat.complete(chatOf(longText, { prompt_cache_key: "talk" }), { observe });
      const { usage, cost } = await api.chat.complete(chatOf(longText, { prompt_cache_key: "talk" }), {
        observe,
      });
      const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
      assert.ok(usage && cached > 1024 && cached < usage.prompt_tokens, `${cached} tokens cached`);
      const rows = (await bill(start)).filter(
        ({ inferenceDetails }) => inferenceDetails?.requestId === ids[1],
      );
      const expected = [
        ["guide-llm-input-token", 0.2e-6, usage.prompt_tokens - cached],
        ["guide-llm-cache-input-token", 0.05e-6, cached],
        ["guide-llm-output-token", 0.8e-6, usage.completion_tokens],
      ] as const;
      assert.deepEqual(
        rows.map(({ sku, pricePerUnitUsd, units }) => [sku, pricePerUnitUsd, units]),
        expected,
      );
      for (const { amount, pricePerUnitUsd, units, inferenceDetails, currency, notes } of rows) {
        assert.equal(nano(amount), -Math.round(pricePerUnitUsd * units * 1e9));
        assert.ok(["USD", "DIEM"].includes(currency) && notes === "API Inference");
        const { promptTokens, completionTokens, inferenceExecutionTime } = inferenceDetails ?? {};
        assert.deepEqual([promptTokens, completionTokens], [usage.prompt_tokens, usage.completion_tokens]);
        assert.ok(Number.isInteger(inferenceExecutionTime));
      }
      const total = -sum(rows.map(({ amount }) => amount));
      if (dialect === "venice") assert.equal(nano(cost?.usd ?? 0), total);
      else assert.equal(cost, undefined);
    });

    test("a search inside a chat is charged separately", async () => {
      const start = target.now();
      const { cost } = await api.chat.complete(
        chatOf("When does the ferry leave?", { service_parameters: { enable_web_search: "on" } }),
      );
      const rows = await bill(start);
      const search = rows.find(({ sku }) => sku === "augment-search-request");
      assert.deepEqual([search?.amount, search?.units, search?.inferenceDetails], [-0.01, 1, null]);
      if (dialect === "venice") assert.equal(nano(cost?.usd ?? 0), -sum(rows.map(({ amount }) => amount)));
    });

    test("a stream costs as much as a whole answer; a cancelled one as much as was written", async () => {
      // The answer takes seconds, so that a busy machine does not finish it before the cut.
      const ask = chatOf("twelve tokens ".repeat(300), { model: "echo" });
      const amountOf = async (run: () => Promise<unknown>) => {
        const start = target.now();
        await run();
        return -sum((await bill(start)).map(({ amount }) => amount));
      };
      const read = async () => {
        for await (const _ of await api.chat.stream(ask));
      };
      const whole = await amountOf(() => api.chat.complete(ask));
      assert.equal(await amountOf(read), whole);
      target.sandbox.setFaults([{ kind: "whole" }]);
      assert.equal(await amountOf(read), whole);
      target.sandbox.setTokensPerSecond(100);
      target.sandbox.setFaults([{ kind: "drop-stream", events: 4 }]);
      const cut = await amountOf(() => failureOf(read()));
      target.sandbox.setTokensPerSecond(Number.POSITIVE_INFINITY);
      assert.ok(cut < whole && cut > 0, `${cut} of ${whole}`);
    });

    test("prompts are cached from 1,024 tokens on, exactly, by cache key, key, model and tools", async () => {
      const cachedOf = async (more: Partial<ChatRequest>, from = api) => {
        const { usage } = await from.chat.complete(chatOf(longText, { ...more }));
        return usage?.prompt_tokens_details?.cached_tokens ?? 0;
      };
      const cache = (key: string) => ({ prompt_cache_key: key });
      const short = { ...cache("short"), messages: chatOf("harbour ".repeat(1000)).messages };
      assert.deepEqual([await cachedOf(short), await cachedOf(short)], [0, 0]);
      assert.equal(await cachedOf(cache("a")), 0);
      const first = await cachedOf(cache("a"));
      assert.ok(first >= 1024);
      const { messages } = chatOf(longText);
      const grown = [
        ...messages,
        { role: "assistant", content: "yes" },
        { role: "user", content: "and?" },
      ] as const;
      assert.equal(await cachedOf({ ...cache("a"), messages: [...grown] }), first, "a longer conversation");
      assert.equal(await cachedOf({ ...cache("a"), messages: chatOf(`${longText}!`).messages }), 0);
      assert.equal(await cachedOf({ ...cache("a"), messages: [{ role: "system", content: longText }] }), 0);
      assert.equal(await cachedOf(cache("b")), 0);
      assert.equal(await cachedOf({ ...cache("a"), model: "thinker" }), 0);
      const tool = { type: "function", function: { name: "find" } } as const;
      assert.equal(await cachedOf({ ...cache("a"), tools: [tool] }), 0);
      assert.equal(await cachedOf(cache("a"), apiOf(target, transport, target.sandbox.inferenceKey)), 0);
    });

    test("cached prompts are kept five minutes, or a day on request", async () => {
      const cachedOf = async (more: Partial<ChatRequest>) =>
        (await api.chat.complete(chatOf(longText, more))).usage?.prompt_tokens_details?.cached_tokens !== 0;
      const settles = async (minutes: number) => {
        for (let passed = 0; passed < minutes; passed++) await target.settle();
      };
      const plain = { prompt_cache_key: "plain" };
      const extended = { prompt_cache_key: "extended", prompt_cache_retention: "extended" } as const;
      const daily = { prompt_cache_key: "daily", prompt_cache_retention: "24h" } as const;
      for (const each of [plain, extended, daily]) assert.equal(await cachedOf(each), false);
      await settles(4);
      assert.equal(await cachedOf(plain), true);
      await settles(5);
      assert.equal(await cachedOf(plain), false);
      await settles(120);
      assert.deepEqual([await cachedOf(extended), await cachedOf(daily)], [true, true]);
    });
  });
}

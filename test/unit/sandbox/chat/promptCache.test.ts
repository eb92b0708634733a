// The sandbox caches as the client expects it of a service: a new user sees hits, and no miss is shown that was none.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import type { Charged } from "../../../../src/api/money/charge.ts";
import { entryOf } from "../../../../src/session/spend/spendEntry.ts";
import { noNames } from "../../../../src/shared/chat/modelNames.ts";
import { nothing } from "../../../../src/shared/money/amounts.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../api/client.ts";

for (const dialect of ["standard", "venice"] as const)
  test(`${dialect}: each question of a conversation reads the one before it from the cache; a changed beginning or key is missed`, async (t) => {
    const sandbox = await startTestSandbox({
      dialect,
      limits: "none",
      tokensPerSecond: Number.POSITIVE_INFINITY,
    });
    t.after(() => sandbox.close());
    const apiKey = async () => sandbox.apiKey;
    const { api, events } = clientOf(t, sandbox.baseUrl, { apiKey, learnsDialect: true });
    const { data } = await api.models.list({ type: "text" });
    const prices = {
      models: async () => new Map(data.map((model) => [model.id, model])),
      names: async () => noNames,
      usdPerCredit: [0, 0] as const,
    };
    const messages: ChatMessage[] = [{ role: "system", content: "Answer briefly, please. ".repeat(500) }];
    const ask = async (key: string, sent: readonly ChatMessage[]) => {
      const service_parameters = { include_venice_system_prompt: false };
      await api.chat.complete({
        model: "guide",
        messages: [...sent],
        prompt_cache_key: key,
        service_parameters,
      });
      const charged = events.findLast((event): event is Charged => event.type === "charged");
      assert.ok(charged);
      const { prompt } = await entryOf("id", charged, prices, 0);
      assert.ok(prompt?.cached !== undefined);
      return prompt;
    };
    for (let turn = 0; turn < 4; turn++) {
      messages.push({ role: "user", content: `How do I attach a file? (${turn})` });
      const { tokens, cached = 0, missed } = await ask("talk", messages);
      assert.equal(missed, 0);
      if (turn === 0) assert.equal(cached, 0);
      else assert.ok(cached > tokens * 0.9, `${cached} of ${tokens}`);
      messages.push({ role: "assistant", content: "Press the paper clip." });
    }
    assert.equal((await ask("other", messages)).missed, 0, "another conversation has not sent it");
    const changed = messages.with(0, { role: "system", content: "Answer at length. ".repeat(500) });
    assert.deepEqual([(await ask("talk", changed)).cached, (await ask("talk", changed)).missed], [0, 0]);
    // The same if the service had forgotten it.
    const other = clientOf(t, sandbox.baseUrl, { apiKey });
    const question = { model: "guide", messages, prompt_cache_key: "lost" };
    await other.api.chat.complete(question);
    const charged = other.events.findLast((event): event is Charged => event.type === "charged");
    assert.ok(charged?.fact.by === "tokens" && charged.fact.usage);
    const { usage, ...fact } = charged.fact;
    const uncached = { ...usage, prompt_tokens_details: { cached_tokens: 0 } };
    const missing = {
      ...charged,
      fact: { ...fact, usage: uncached, prompt: { cacheKey: "lost", sentBefore: 1 } },
    };
    const { prompt } = await entryOf("id", missing, prices, 0);
    assert.equal(prompt?.missed, usage.prompt_tokens);
    const perToken = (0.2 - 0.05) / 1e6;
    const lost = Number(Object.values((prompt?.lost ?? nothing).toTexts())[0]);
    assert.ok(Math.abs(lost - usage.prompt_tokens * perToken) < 1e-9);
  });

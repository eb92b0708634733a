import assert from "node:assert/strict";
import { test } from "node:test";
import { sumOfUsage } from "../../../../src/chat/host/conversation/spending.ts";
import { formatCost, formatModelFacts, formatUsage } from "../../../../src/chat/page/format.ts";
import { ended, openChat, openViewWith, serveChat } from "../chat.ts";

const sandbox = { id: "sandbox", name: "Sandbox", kind: "sandbox" } as const;
const live = { id: "c1", name: "Test", kind: "live" } as const;

test("the sandbox's money is called play money, and is not part of any sum of real money", async (t) => {
  const service = await serveChat(t);
  service.remembered.set("model sandbox", "echo");
  const chat = openChat(t, service, { chooses: "Send All" });
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "paid", revision: 1 });
  await view.until(ended);
  const paid = view.state.spent.usd;
  assert.ok(paid > 0);
  assert.doesNotMatch(formatCost(view.answer), /play money/);
  chat.switchTo(sandbox);
  await view.until(
    ({ models }) => models.status === "ready" && models.cards.every(({ isPlayMoney }) => isPlayMoney),
  );
  await view.say("send", { text: "played", revision: 1e15 });
  await view.until((state) => ended(state) && state.messages.length === 4);
  assert.match(formatCost(view.answer), /^≈ \$[\d.e-]+ play money$/);
  assert.equal(view.state.spent.usd, paid);
  assert.ok(view.state.spent.playUsd > 0);
  // It is stored with the answer: another service does not turn it into real money.
  chat.controller.dispose();
  const again = await openViewWith(chat.reopen().controller, "echo");
  assert.deepEqual([again.state.spent.usd, again.state.spent.playUsd > 0], [paid, true]);
});

test("a sum without the tokens of one request is a lower bound, and nothing is shown of one that is not known at all", () => {
  const known = { promptTokens: 10, completionTokens: 2, costUsd: 0.5 };
  const unknown = { promptTokens: 0, completionTokens: 0, isPartial: true };
  const both = sumOfUsage(known, unknown);
  assert.deepEqual(both, { ...known, isPartial: true });
  assert.equal(formatCost({ usage: both }), "≥ $0.50");
  assert.deepEqual(formatUsage({ usage: both, timing: {} }), ["≥ 10 tokens in, 2 out"]);
  assert.deepEqual([formatCost({ usage: unknown }), formatUsage({ usage: unknown, timing: {} })], ["", []]);
});

test('a price of the sandbox\'s models is never called free, nor shown without "play money"', async (t) => {
  const chat = openChat(t, await serveChat(t));
  chat.switchTo(sandbox);
  const view = await openViewWith(chat.controller, "echo");
  const { models } = view.state;
  assert.ok(models.status === "ready");
  for (const card of models.cards) {
    const facts = formatModelFacts(card);
    assert.match(facts, /\$.*play money$/);
    assert.doesNotMatch(facts, /free/);
  }
  chat.switchTo(live);
  await view.until(
    (state) => state.models.status === "ready" && !state.models.cards.some((card) => card.isPlayMoney),
  );
});

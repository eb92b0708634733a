import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, openChat, openViewWith, serveChat } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";
import { sentBy } from "../attachments/attaching.ts";

test("what exceeds the model's context is omitted, oldest first, and announced before", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  for (const [index, letter] of ["a", "b", "c"].entries()) {
    await view.say("send", { text: letter.repeat(36_000), revision: index + 1 });
    await view.until((state) => ended(state) && state.messages.length === 2 * index + 2);
  }
  const text = "d".repeat(30_000);
  await view.say("draft", { draft: { text, revision: 1e15 } });
  const { context } = await view.until((state) => state.context?.dropped === 4);
  assert.deepEqual([context?.dropped, context?.contextTokens, context?.over], [4, 32_768, null]);
  const body = await sentBy(service, () => view.say("send", { text, revision: 1e15 }));
  assert.deepEqual(
    body.messages.map(({ content }: { content: string }) => content.charAt(0)),
    ["c", "c", "d"],
  );
});

test("the system prompt and the tools are counted, so that a request with them fits", async (t) => {
  const service = await serveChat(t);
  const large = { ...tool("get_weather", async () => "Sunny."), description: "d".repeat(60_000) };
  const view = await openViewWith(openChat(t, service, { tools: [large] }).controller, "echo");
  await view.say("send", { text: "a".repeat(36_000), revision: 1 });
  await view.until((state) => ended(state) && state.messages.length === 2);
  await view.until(({ context }) => context?.toolTokens === 0 && context.dropped === 0);
  const { settings } = await view.until(() => true);
  await view.say("setSettings", { settings: { ...settings, tools: ["get_weather"] } });
  const { context } = await view.until((state) => (state.context?.toolTokens ?? 0) > 15_000);
  assert.equal(context?.dropped, 2);
  const text = "And now?";
  const body = await sentBy(service, () => view.say("send", { text, revision: 1e15 }));
  assert.deepEqual(
    body.messages.map(({ content }: { content: string }) => content),
    [text],
  );
});

test("a question that is too large alone is reported", async (t) => {
  const view = await openViewWith(openChat(t, await serveChat(t)).controller, "echo");
  await view.say("draft", { draft: { text: "x".repeat(140_000), revision: 1e15 } });
  const { context } = await view.until((state) => (state.context?.tokens ?? 0) > 30_000);
  assert.equal(context?.over, "tokens");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { actingQuestions, chatQuestions } from "../../../../../src/editor/target/prompts.ts";
import type { ChatAttachment } from "../../../../../src/session/connection/handoff.ts";
import { ended, openChat, openViewWith, serveChat } from "../../chat.ts";

test("a question from another feature is sent at once, and the draft stays", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openViewWith(controller, "echo");
  await view.say("draft", { draft: { text: "half a thought", revision: 5 } });
  await controller.takeOffer({ text: "Explain this.", send: true, attachments: [] });
  const { messages, draft } = await view.until(ended);
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["Explain this.", "Explain this."],
  );
  assert.equal(draft.text, "half a thought");
});

test("a question from another feature starts a new chat, and the former chat is unchanged", async (t) => {
  const service = await serveChat(t);
  const { controller } = openChat(t, service);
  const view = await openViewWith(controller, "echo");
  await view.say("send", { text: "Something else.", revision: 1 });
  await view.until(ended);
  await view.say("draft", { draft: { text: "half a thought", revision: 5 } });
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await controller.takeOffer({ text: "Explain this.", send: true, attachments: [] });
  assert.equal(JSON.parse((await arrived).bodyText).messages.length, 1);
  const { messages, draft } = await view.until(ended);
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["Explain this.", "Explain this."],
  );
  assert.equal(draft.text, "half a thought");
});

test("a question to complete is inserted below the draft", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openViewWith(controller, "echo");
  await controller.takeOffer({ text: "the code\n\n", send: false, attachments: [] });
  assert.equal(view.state.draft.text, "the code\n\n");
  await controller.takeOffer({ text: "more code\n\n", send: false, attachments: [] });
  assert.equal(view.state.draft.text, "the code\n\nmore code\n\n");
  assert.deepEqual(view.state.messages, []);
});

test("during an answer, a question from another feature waits for its end, and the draft stays", async (t) => {
  const { controller } = openChat(t, await serveChat(t, { tokensPerSecond: 1 }));
  const view = await openViewWith(controller, "echo");
  await view.say("send", { text: "one two three four five", revision: 1 });
  await view.say("draft", { draft: { text: "half a thought", revision: Date.now() } });
  await controller.takeOffer({ text: "Explain this.", send: true, attachments: [] });
  assert.deepEqual(
    view.state.queue.map(({ text }) => text),
    ["Explain this."],
  );
  assert.equal(view.state.draft.text, "half a thought");
  assert.equal(view.state.messages.length, 2);
});

const selection: ChatAttachment = {
  kind: "selection",
  uri: "file:///w/src/a.ts",
  name: "src/a.ts",
  languageId: "typescript",
  range: { startLine: 1, startCharacter: 0, endLine: 3, endCharacter: 1 },
  text: "function a() {\r\n  return 1;\r\n}",
};

test("a selection is sent with its question, without the draft's attachments", async (t) => {
  const service = await serveChat(t);
  const { controller } = openChat(t, service);
  const view = await openViewWith(controller, "echo");
  await view.say("attachFile", { name: "mine.txt", bytes: Buffer.from("mine") });
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await controller.takeOffer({ text: "Explain this.", send: true, attachments: [selection] });
  const [{ content }] = JSON.parse((await arrived).bodyText).messages;
  assert.deepEqual(content, [
    {
      type: "text",
      text: "src/a.ts (lines 2 to 4):\n```typescript\nfunction a() {\n  return 1;\n}\n```\n",
    },
    { type: "text", text: "Explain this." },
  ]);
  await view.until(ended);
  assert.deepEqual(
    view.state.attachments.map(({ name }) => name),
    ["mine.txt"],
  );
});

test("a selection without a question waits with the draft", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openViewWith(controller, "echo");
  await controller.takeOffer({ text: "", send: false, attachments: [selection] });
  assert.deepEqual(
    view.state.attachments.map(({ name, detail, line }) => [name, detail, line]),
    [["src/a.ts", "lines 2 to 4", 2]],
  );
});

test("a question of the editor fits the mode: where the model acts, it is asked to write the file of the tests", async (t) => {
  const { agent = "", plan = "" } = actingQuestions.writeTests ?? {};
  for (const [mode, expected] of [
    ["ask", chatQuestions.writeTests],
    ["plan", plan],
    ["agent", agent],
  ] as const) {
    const { controller } = openChat(t, await serveChat(t));
    const view = await openViewWith(controller, "guide");
    await view.say("setSettings", { settings: { mode } });
    const byMode = actingQuestions.writeTests;
    const offer = { text: chatQuestions.writeTests, send: true, attachments: [] };
    await controller.takeOffer({ ...offer, ...(byMode ? { byMode } : {}) });
    await view.until((state) => ended(state) && state.messages.length > 0);
    assert.equal(view.state.messages[0]?.text, expected, mode);
  }
  for (const { agent } of Object.values(actingQuestions)) assert.doesNotMatch(agent, /one block|Give/);
  assert.match(chatQuestions.writeTests, /one block of code/);
});

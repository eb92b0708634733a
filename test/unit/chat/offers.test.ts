import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, openChat, openViewWith, serveChat } from "./chat.ts";

test("a question from elsewhere is asked at once, and what is typed stays", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openViewWith(controller, "echo");
  await view.say("draft", { draft: { text: "half a thought", revision: 5 } });
  await controller.takeOffer("Explain this.", true);
  const { messages, draft } = await view.until(ended);
  assert.deepEqual(
    messages.map(({ text }) => text),
    ["Explain this.", "Explain this."],
  );
  assert.equal(draft.text, "half a thought");
});

test("a question to be finished stands in the box, below what is typed there", async (t) => {
  const { controller } = openChat(t, await serveChat(t));
  const view = await openViewWith(controller, "echo");
  await controller.takeOffer("the code\n\n", false);
  assert.equal(view.state.draft.text, "the code\n\n");
  await controller.takeOffer("more code\n\n", false);
  assert.equal(view.state.draft.text, "the code\n\nmore code\n\n");
  assert.deepEqual(view.state.messages, []);
});

test("while an answer is written, a question from elsewhere waits in the box and says so", async (t) => {
  const { controller } = openChat(t, await serveChat(t, { tokensPerSecond: 1 }));
  const view = await openViewWith(controller, "echo");
  await view.say("send", { text: "one two three four five", revision: 1 });
  await controller.takeOffer("Explain this.", true);
  assert.equal(view.state.draft.text, "Explain this.");
  assert.match(view.state.notice ?? "", /waits in the box/);
  assert.equal(view.state.messages.length, 2);
});

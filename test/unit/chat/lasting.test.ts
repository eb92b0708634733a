import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createConversationStore } from "../../../src/features/chat/conversationStore.ts";
import { ended, openChat, openView, openViewWith, serveChat, temporaryFolder } from "./chat.ts";

test("the conversation, the draft and the model outlast the window", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(ended);
  await view.say("draft", { draft: { text: "half a thou", revision: 1e15 } });
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(({ models }) => models.status === "ready");
  assert.deepEqual(again.state.messages, view.state.messages);
  assert.equal(again.state.draft.text, "half a thou");
  assert.equal(again.state.modelId, "echo");
});

test("an answer that was being written when the window went is kept as cut off", async (t) => {
  const chat = openChat(t, await serveChat(t, { tokensPerSecond: 200 }));
  const view = await openViewWith(chat.controller, "long");
  await view.say("send", { text: "5000 tokens", revision: 1 });
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > 200);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.equal(again.answer.state, "cut-off");
  assert.ok(again.answer.text.startsWith(view.answer.text));
  assert.match(again.answer.problem?.sentence ?? "", /window was closed/);
});

test("a draft that the page still holds wins over an older one on the disk", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openView(chat.controller);
  await view.say("draft", { draft: { text: "old", revision: 5 } });
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.say("ready", { draft: { text: "newer", revision: 6 } });
  assert.equal(again.state.draft.text, "newer");
  await again.say("ready", { draft: { text: "older", revision: 4 } });
  assert.equal(again.state.draft.text, "newer");
});

const broken: readonly (readonly [string, string])[] = [
  ["torn in the middle", '{"v":1,"id":"x","nodes":[{"ro'],
  ["of another kind", '{"some":"thing"}'],
  ["a chain with a hole", conversation([{ role: "user", id: "b", text: "x", parentId: "gone" }], "b")],
  ["a chain that bites its tail", conversation([{ role: "user", id: "b", text: "x", parentId: "b" }], "b")],
];
for (const [name, text] of broken) {
  test(`a file ${name} is set aside whole, said, and never written over`, async (t) => {
    const service = await serveChat(t);
    const folder = temporaryFolder(t);
    service.remembered.set("current", "x");
    writeFileSync(join(folder, "x.json"), text);
    const chat = openChat(t, service, folder);
    const view = await openView(chat.controller);
    assert.deepEqual(view.state.messages, []);
    assert.match(view.state.notice ?? "", /could not be read.*x\.json\.\d+\.bad/);
    await view.say("draft", { draft: { text: "on we go", revision: 9 } });
    chat.controller.dispose();
    const files = chat.files();
    const [aside] = Object.keys(files).filter((file) => file.endsWith(".bad"));
    assert.equal(files[aside ?? ""], text);
    assert.equal(files["x.json"], undefined);
    await view.say("dismissNotice", {});
    assert.equal(view.state.notice, null);
  });
}

test("changes are written one after the other, whole, and no temporary file stays", async (t) => {
  const folder = temporaryFolder(t);
  const store = createConversationStore({
    directory: folder,
    current: { get: () => undefined, set: async () => {} },
    report: (error) => assert.fail(String(error)),
  });
  const { conversation } = await store.open();
  for (const text of ["a", "b", "c"]) {
    store.save(() => ({ ...conversation, draft: { text, revision: 1 } }));
  }
  store.flush();
  assert.deepEqual(readdirSync(folder), [`${conversation.id}.json`]);
  const file = readFileSync(join(folder, `${conversation.id}.json`), "utf8");
  assert.equal(JSON.parse(file).draft.text, "c");
});

function conversation(nodes: readonly object[], leafId: string): string {
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  return JSON.stringify({ v: 1, id: "x", ...times, nodes, leafId, draft: { text: "", revision: 0 } });
}

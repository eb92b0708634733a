import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";

test("conversation, draft and model survive the window", async (t) => {
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

test("an answer in progress when the window closed is stored as interrupted", async (t) => {
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

test("a draft that the page still has takes precedence over an older one on disk", async (t) => {
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
  test(`a file ${name} is moved aside unchanged, reported, and never overwritten`, async (t) => {
    const service = await serveChat(t);
    const folder = temporaryFolder();
    service.remembered.set("current", "x");
    writeFileSync(join(folder, "x.json"), text);
    const chat = openChat(t, service, { folder });
    const view = await openView(chat.controller);
    assert.deepEqual(view.state.messages, []);
    assert.match(view.state.notice?.text ?? "", /could not be read.*x\.json\.\d+\.bad/);
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

test("a conversation of version 1 opens unchanged, and its file is kept beside the log", async (t) => {
  const service = await serveChat(t);
  const folder = temporaryFolder();
  service.remembered.set("current", "x");
  const text = conversation([{ role: "user", id: "b", text: "From long ago", parentId: null }], "b");
  writeFileSync(join(folder, "x.json"), text);
  const chat = openChat(t, service, { folder });
  const view = await openView(chat.controller);
  assert.deepEqual(view.state.messages, [{ role: "user", id: "b", text: "From long ago" }]);
  assert.equal(view.state.notice, null);
  chat.controller.dispose();
  assert.equal(chat.files()["x.json.migrated"], text);
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(again.state.messages, view.state.messages);
});

test("two windows with one conversation show each other's questions and answers, and lose nothing", async (t) => {
  const chat = openChat(t, await serveChat(t, { tokensPerSecond: 500 }));
  const one = await openViewWith(chat.controller, "long");
  await one.say("send", { text: "30 tokens", revision: 1 });
  await one.until(ended);
  const other = await openViewWith(chat.reopen().controller, "long");
  await other.until(done);
  assert.deepEqual(other.state.messages, one.state.messages);
  await other.say("draft", { draft: { text: "typed here", revision: 1e15 } });
  await one.say("send", { text: "400 tokens", revision: 1e15 });
  await other.until(({ messages }) => messages.length === 4 && (messages.at(-1)?.text.length ?? 0) > 20);
  assert.equal(other.state.busy, false);
  await one.until(ended);
  await other.until((state) => state.messages.length === 4 && done(state));
  assert.deepEqual(other.state.messages, one.state.messages);
  // Each continues by itself: the busy one does not switch.
  await Promise.all([
    one.say("send", { text: "300 tokens", revision: 2e15 }),
    other.say("send", { text: "200 tokens", revision: 2e15 }),
  ]);
  await Promise.all([one.until(idle), other.until(idle)]);
  const third = await openView(chat.reopen().controller);
  const [asked] = [...third.state.messages].slice(-2);
  assert.equal(third.state.branches[asked?.id ?? ""]?.ids.length, 2);
  assert.deepEqual(chat.reported, []);
});

test("an answer on disk is at most a moment behind the visible one", async (t) => {
  const chat = openChat(t, await serveChat(t, { tokensPerSecond: 400 }));
  const view = await openViewWith(chat.controller, "long");
  await view.say("send", { text: "5000 tokens", revision: 1 });
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > 400);
  const shown = view.answer.text;
  // Not closed, like a killed process.
  const again = await openView(chat.reopen().controller);
  assert.ok(again.answer.text.length > 0);
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > shown.length + 400);
  const later = await openView(chat.reopen().controller);
  assert.ok(later.answer.text.startsWith(shown));
});

const done = ({ messages }: ChatState) => {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.state === "done";
};
const idle = ({ busy }: ChatState) => !busy;

function conversation(nodes: readonly object[], leafId: string): string {
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  return JSON.stringify({ v: 1, id: "x", ...times, nodes, leafId, draft: { text: "", revision: 0 } });
}

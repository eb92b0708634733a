import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Fault } from "../../../../serviceKit/faults.ts";
import { ended, openChat, openViewWith, serveChat, type TestChat, type TestView } from "../../chat.ts";

const other = { id: "c2", name: "Other", baseUrl: "https://other.example.com/api/v1" };

/** A chat with one question answered by the first service, and the second service active. */
async function switched(t: TestContext, chooses?: string) {
  const service = await serveChat(t);
  service.remembered.set("model c2", "echo");
  const chat = openChat(t, service, chooses === undefined ? {} : { chooses });
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "first", revision: 1 });
  await view.until(ended);
  chat.switchTo(other);
  const sent = () =>
    service.sandbox.requests
      .filter(({ path }) => path.endsWith("/chat/completions"))
      .map(({ bodyText }) => (JSON.parse(bodyText) as { messages: { content: string }[] }).messages)
      .map((messages) => messages.map(({ content }) => content));
  return { service, chat, view, sent };
}

const asks = async (chat: TestChat, view: TestView, text: string) => {
  const before = chat.questions.length;
  await view.say("draft", { draft: { text, revision: 1e15 } });
  await view.say("send", { text, revision: 1e15 });
  return chat.questions.slice(before);
};

test("messages for one service are sent to another one only after consent", async (t) => {
  const { chat, view, sent } = await switched(t);
  const [question] = await asks(chat, view, "second");
  assert.match(
    question ?? "",
    /^Send this chat to Other\? 2 messages were written with Test and would be sent, too/,
  );
  assert.deepEqual(sent(), [["first"]]);
  assert.equal(view.state.draft.text, "second");
  assert.equal(view.state.messages.length, 2);
});

test("another key of the same service gets the earlier messages without a question", async (t) => {
  const { chat, view, sent } = await switched(t);
  chat.switchTo({ id: "c3", name: "Second Key" });
  assert.deepEqual(await asks(chat, view, "second"), []);
  await view.until((state) => ended(state) && state.messages.length === 4);
  assert.equal(sent().length, 2);
});

test("New Chat sends only the question, and leaves the old chat unchanged", async (t) => {
  const { chat, view, sent } = await switched(t, "New Chat");
  const old = view.state.conversationId;
  await asks(chat, view, "second");
  const state = await view.until(ended);
  assert.deepEqual(sent(), [["first"], ["second"]]);
  assert.notEqual(state.conversationId, old);
  assert.deepEqual([state.messages.length, state.draft.text], [2, ""]);
  await chat.controller.openChat(old);
  assert.equal(view.state.messages.length, 2);
  assert.equal(view.state.messages[0]?.text, "first");
});

test("Send All is asked once per service, also on the way back, and is remembered over a reload", async (t) => {
  const { chat, view, sent } = await switched(t, "Send All");
  assert.equal((await asks(chat, view, "second")).length, 1);
  await view.until((state) => ended(state) && state.messages.length === 4);
  assert.deepEqual(sent().at(-1), ["first", "first", "second"]);
  chat.controller.dispose();
  const again = chat.reopen();
  again.switchTo(other);
  const next = await openViewWith(again.controller, "echo");
  assert.deepEqual(await asks(again, next, "third"), []);
  await next.until((state) => ended(state) && state.messages.length === 6);
  again.switchTo({ id: "c1", name: "Test" });
  assert.match((await asks(again, next, "fourth")).join(), /Send this chat to Test\? 6 messages/);
});

test("regenerating and continuing ask as well; a first question does not", async (t) => {
  const { chat, view, sent } = await switched(t);
  const { id } = view.answer;
  const [question] = view.state.messages;
  await view.say("edit", { questionId: question?.id ?? "", text: "other words" });
  await view.until((state) => ended(state) && view.answer.id !== id);
  assert.deepEqual(chat.questions, []);
  assert.deepEqual(sent(), [["first"], ["other words"]]);
});

test("errors of a service disappear when another one is chosen, and stay if it was only renamed", async (t) => {
  const service = await serveChat(t);
  const failing: Fault = { kind: "status", status: 402, message: "Insufficient balance" };
  service.sandbox.setFaults([{ ...failing, match: { path: "/chat/completions" } }]);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(({ problem }) => problem !== null);
  chat.switchTo({ id: "c1", name: "Renamed" });
  assert.notEqual(view.state.problem, null);
  chat.switchTo(other);
  const { draft } = await view.until(({ problem }) => problem === null);
  assert.equal(draft.text, "hello");
  // Each of two models has one row with its error.
  await view.say("compare", { modelIds: ["long"] });
  await view.say("send", { text: "both", revision: 1e15 });
  await view.until((state) => ended(state) && view.answer.problem !== undefined);
  assert.match(view.answer.problem?.sentence ?? "", /asks for payment/);
  chat.switchTo({ id: "c3", name: "Third" });
  await view.until(() => view.answer.problem?.sentence === "Other did not answer.");
  assert.deepEqual(
    view.answer.problem?.actions.map(({ id }) => id),
    ["retry"],
  );
});

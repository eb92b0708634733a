// A question of the model to the user: in the page of a real browser, with the real chat behind it.
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { createAskTool } from "../../../../../src/chat/host/tools/askTool.ts";
import { acceptanceOf } from "../../../../../src/chat/host/tools/input/readCall.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import { noRoots } from "../../../../../src/tools/input/workspacePath.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

type Members = Readonly<Record<string, unknown>>;
const made = createAskTool();
const askTool: ChatTool = { ...made, accept: acceptanceOf(made, () => noRoots) };
const deleting: ChatTool = {
  ...made,
  name: "delete_file",
  title: "Delete a file",
  kind: "command",
  parameters: { type: "object" },
  summary: () => "Delete it",
  run: async () => assert.fail("nobody has approved it"),
};
const { asksUser: _, ...deletingTool } = deleting;

/** A chat in the mode Agent whose model asks this once, with other calls after it, and then says something. */
async function ask(t: TestContext, input: object, name = "ask_user", others: readonly string[] = []) {
  const service = await serveChat(t);
  const chat = openChat(t, service, { tools: [askTool, deletingTool] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent", tools: [] } });
  let isSent = false;
  const edit = (event: unknown) => {
    const { choices, ...rest } = event as { readonly choices: readonly Members[] };
    const calls = [
      { index: 0, id: "q1", function: { name, arguments: JSON.stringify(input) } },
      ...others.map((other, index) => ({
        index: index + 1,
        id: `o${index}`,
        function: { name: other, arguments: "{}" },
      })),
    ];
    const changed = choices.map((choice) => {
      const delta = isSent ? {} : { tool_calls: calls };
      isSent = true;
      return { ...choice, delta, ...(choice.finish_reason ? { finish_reason: "tool_calls" } : {}) };
    });
    return { ...rest, choices: changed };
  };
  service.sandbox.setFaults([{ kind: "edit-events", edit, match: { path: "/chat/completions" }, times: 1 }]);
  await view.say("send", { text: "Go", revision: 1 });
  await view.until(() => view.answer.calls?.[0]?.state === "review");
  const lastMessages = () => {
    const request = service.sandbox.requests.findLast(({ path }) => path.endsWith("/chat/completions"));
    return (JSON.parse(request?.bodyText ?? "") as { messages: Members[] }).messages;
  };
  return { service, chat, view, lastMessages };
}

const cardOf = (page: Page) => page.getByRole("listitem", { name: "Question to you: waits for your answer" });
const colours = {
  question: "Which colour?",
  choices: [{ label: "Red", description: "Like a rose" }, { label: "Blue" }],
};

test("the user chooses by keyboard, adds words, and the model reads the answer", async (t) => {
  const { chat, view, lastMessages } = await ask(t, colours);
  const app = await openApp(browser, chat.controller, {});
  t.after(app.close);
  const { page } = app;
  const card = cardOf(page);
  const group = card.getByRole("group", { name: "Which colour?" });
  const answer = card.getByRole("button", { name: "Answer", exact: true });
  assert.ok(await answer.isDisabled());
  await group.getByRole("radio", { name: "Red Like a rose" }).focus();
  await page.keyboard.press("ArrowDown");
  assert.ok(await group.getByRole("radio", { name: "Blue" }).isChecked());
  await card.getByRole("textbox", { name: "Other words, or more" }).fill("but light");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("listitem", { name: "Question to you: done" }).waitFor();
  await view.until((state) => ended(state) && !state.busy && state.messages.length > 2);
  const result = lastMessages().at(-1);
  assert.deepEqual(
    [result?.role, result?.content],
    ["tool", "The user chose “Blue”. The user added: but light"],
  );
  assert.deepEqual(app.errors, []);
});

test("the code and the bold text of a question are drawn", async (t) => {
  const { chat } = await ask(t, {
    ...colours,
    question: "Which **service** reads `compose.yaml`?\nOne is enough.",
  });
  const app = await openApp(browser, chat.controller, {});
  t.after(app.close);
  const question = cardOf(app.page).locator(".ask-question");
  await question.locator("strong", { hasText: "service" }).waitFor();
  await question.locator("code", { hasText: "compose.yaml" }).waitFor();
  assert.match(
    (await question.innerText()).trim(),
    /^Which service reads compose\.yaml\?\s+One is enough\.$/,
  );
  assert.deepEqual(app.errors, []);
});

test("several can be chosen where the model allows it, and a question without choices takes words", async (t) => {
  const many = await ask(
    t,
    { questions: [{ ...colours, options: ["Red", "Blue"], choices: undefined, multiSelect: true }] },
    "AskUserQuestion",
  );
  const app = await openApp(browser, many.chat.controller, {});
  t.after(app.close);
  for (const label of ["Red", "Blue"]) await app.page.getByRole("checkbox", { name: label }).check();
  await cardOf(app.page).getByRole("button", { name: "Answer" }).click();
  await many.view.until((state) => ended(state) && !state.busy && state.messages.length > 2);
  assert.equal(many.lastMessages().at(-1)?.content, "The user chose “Red”, “Blue”.");

  const open = await ask(t, { question: "What is its name?" });
  const other = await openApp(browser, open.chat.controller, {});
  t.after(other.close);
  await other.page.getByRole("textbox", { name: "Your answer" }).fill("Ada");
  await cardOf(other.page).getByRole("button", { name: "Answer" }).click();
  await open.view.until((state) => ended(state) && !state.busy && state.messages.length > 2);
  assert.equal(open.lastMessages().at(-1)?.content, "The user answered: Ada");
});

test("an answer approves no call: one that follows still asks", async (t) => {
  const { view, lastMessages } = await ask(t, { ...colours, question: "May I delete it?" }, "ask_user", [
    "delete_file",
  ]);
  await view.say("giveResult", { answerId: view.answer.id, callId: "q1", result: "The user chose “Yes”." });
  const { calls = [] } = view.answer;
  assert.deepEqual(
    calls.map(({ state }) => state),
    ["done", "asks"],
  );
  await view.say("decideCall", { answerId: view.answer.id, callId: calls[1]?.id ?? "", decision: "skip" });
  await view.until((state) => ended(state) && !state.busy && state.messages.length > 2);
  assert.match(String(lastMessages().at(-1)?.content), /^The user skipped this call/);
});

test("a reload keeps the question, which is not answered until the user answers it or stops", async (t) => {
  const { chat } = await ask(t, colours);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  const [call] = again.answer.calls ?? [];
  assert.deepEqual([call?.state, call?.asked?.question, call?.result], ["review", "Which colour?", ""]);
  await again.say("stop", {});
  const [over] = again.answer.calls ?? [];
  assert.deepEqual([over?.state, over?.result], ["refused", "The user has not answered this question."]);
});

test("another message instead of an answer tells the model that the question is not answered", async (t) => {
  const { view, lastMessages } = await ask(t, colours);
  await view.say("send", { text: "Forget it", revision: 2 });
  await view.until((state) => ended(state) && !state.busy && state.messages.length > 3);
  const results = lastMessages().filter(({ role }) => role === "tool");
  assert.deepEqual(
    results.map(({ content }) => content),
    ["The user has not answered this question."],
  );
});

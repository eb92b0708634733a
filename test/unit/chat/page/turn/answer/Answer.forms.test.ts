import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import {
  applyEntry,
  emptyLogState,
  type LogState,
} from "../../../../../../src/chat/host/history/log/logState.ts";
import type { ToHost, ToView } from "../../../../../../src/chat/protocol/chatProtocol.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { openPage, type TestPage } from "../../../../webview/page.ts";
import { pageStyle } from "../../../../webview/pageStyle.ts";
import type { ConversationPage } from "../../../../webview/pages/conversationPage.tsx";

declare const conversationPage: ConversationPage;

const tokenCount = 4500;

// Parts of an answer besides its text, in a real browser, with the real chat behind it.
describe("an answer with more than text", () => {
  let browser: TestBrowser;
  let opened: TestPage;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    opened = await openPage(browser, "conversationPage.tsx", pageStyle("chat"));
    ({ page } = opened);
    const chat = createLiveChat({
      record: () => {},
      onChange: () => {},
      onBusy: () => {},
      interrupted: () => undefined,
      isOrphaned: () => false,
    });
    chat.open(conversation());
    const post = (message: ToView) =>
      void page.evaluate((reported) => conversationPage.hear(reported), message).catch(() => {});
    const link = chat.connect(post);
    await page.exposeFunction("reportHost", ({ type, body }: ToHost) => {
      if (type === "ready" || type === "resync") link.hydrate();
      if (type === "ack") link.acknowledge(body.epoch, body.seq);
    });
    await page.setViewportSize({ width: 360, height: 700 });
    await page.evaluate(() => conversationPage.start());
    await page.getByText("I can't help with that.").waitFor();
  });
  after(async () => {
    await browser.close();
    assert.deepEqual([opened.errors, opened.requests], [[], []]);
  });

  it("marks a refusal", async () => {
    const answer = page.getByRole("article").filter({ hasText: "I can't help with that." });
    assert.equal(await answer.locator(".note").textContent(), "The model refused to answer.");
  });

  it("shows a custom call with its input, and that it failed", async () => {
    const call = page.getByRole("listitem", { name: "run_python: failed" });
    await call.locator("summary").click();
    assert.ok(await call.getByText("print(1 + 1)").isVisible());
    assert.ok(await call.getByText("A custom tool, which is not supported").first().isVisible());
    assert.equal(await call.getByRole("button").count(), 0);
  });

  it("renders token probabilities on demand, some thousands at a time", async () => {
    const drawn = () => page.locator(".chance").count();
    assert.equal(await drawn(), 0);
    await page.getByText("Token probabilities").click();
    const more = page.getByRole("button", { name: "Show More (2,000 of 4,500)" });
    await more.waitFor();
    assert.equal(await drawn(), 2000);
    await more.click();
    await page.getByRole("button", { name: "Show More (4,000 of 4,500)" }).click();
    await page
      .locator(".chance")
      .nth(tokenCount - 1)
      .waitFor();
    assert.equal(await drawn(), tokenCount);
    assert.equal(await page.getByRole("button", { name: /Show More/ }).count(), 0);
  });

  it("shows the probabilities of the prompt beside those of the answer", async () => {
    const details = page.locator(".chances").filter({ hasText: "Probabilities of the prompt" });
    await details.locator("summary").click();
    const unsure = details.locator(".chance.unsure");
    assert.equal(await unsure.textContent(), "Sure?");
    assert.equal(await unsure.getAttribute("title"), '"Sure?" 13.5 %\n"Why?" 81.9 %');
  });
});

function conversation(): LogState {
  const state = emptyLogState("c", 0);
  const shared = { model: "m", reasoning: "", state: "done", startedAtMs: 0, timing: {} };
  const answers = [
    { text: "I can't help with that.", notes: ["The model refused to answer."] },
    {
      text: "",
      calls: [
        {
          ...{ id: "c", name: "run_python", title: "run_python", arguments: "print(1 + 1)", isCustom: true },
          ...{ says: "A custom tool, which is not supported", state: "failed", result: "It was not run." },
        },
      ],
    },
    {
      text: "Sure.",
      tokens: Array.from({ length: tokenCount }, () => ({ token: "a", logprob: -0.1, others: [] })),
      promptTokens: [{ token: "Sure?", logprob: -2, others: [{ token: "Why?", logprob: -0.2 }] }],
    },
  ];
  let parentId: string | null = null;
  const add = (node: { readonly id: string; readonly role: string }) => {
    applyEntry(state, { e: "node", t: 0, node: { ...node, parentId } });
    parentId = node.id;
  };
  for (const [index, answer] of answers.entries()) {
    add({ id: `q${index}`, role: "user", ...{ text: `Question ${index}` } });
    add({ id: `a${index}`, role: "assistant", ...shared, ...answer });
  }
  applyEntry(state, { e: "leaf", id: parentId });
  return state;
}

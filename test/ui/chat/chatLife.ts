import assert from "node:assert/strict";
import { before, it } from "node:test";
import { nextAnswer } from "./nextAnswer.ts";
import type { ChatWindow } from "./openChat.ts";

/** Tests of one chat. The last one starts a new one. */
export function chatLifeTests(window: ChatWindow): void {
  before(async () => {
    window.service.setTokensPerSecond(40);
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
  });

  const { chat, prompt, ask } = window;
  const lastAnswer = () => chat().locator(".answer").last();
  const problem = () => chat().locator(".problem");
  const questionsSent = () =>
    window.service.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
  const questions = () => chat().locator(".question").allInnerTexts();

  it("shows the connection of the environment in the status bar", async () => {
    await window.workbench.page.locator(".part.statusbar").getByText("Environment").waitFor();
  });

  it("chooses a model by keyboard only", async () => {
    await chat().locator(".picker-button").press("Enter");
    const search = chat().getByRole("combobox", { name: "Search models" });
    await chat().getByRole("option", { name: "Guide" }).first().waitFor();
    await search.pressSequentially("long");
    await chat().getByRole("option", { name: "Guide" }).first().waitFor({ state: "detached" });
    await window.workbench.screenshot("chat-life-picker");
    await search.press("Enter");
    await chat().locator(".picker-button").getByText("Long", { exact: true }).waitFor();
  });

  it("stops an answer on the wire, and keeps the partial text", async () => {
    const arrived = window.service.nextRequest({ path: "/chat/completions" });
    await ask("80 KB");
    const request = await arrived;
    await lastAnswer().locator(".markdown").waitFor();
    await chat().getByRole("button", { name: /^Stop/ }).click();
    await lastAnswer().getByText("Stopped").waitFor();
    await request.ended;
    assert.equal(request.aborted, true);
    const text = await lastAnswer().locator(".markdown").innerText();
    assert.ok(text.length > 0);
    await window.workbench.screenshot("chat-life-stopped");
  });

  it("keeps the text of an interrupted answer, shows the reason, and does not resend it", async () => {
    window.service.setFaults([{ kind: "drop-stream", events: 12, match: { path: "/chat/completions" } }]);
    const sent = questionsSent();
    await ask("20 KB");
    await lastAnswer().getByText("Cut off").waitFor();
    await problem().getByRole("button", { name: "Retry" }).waitFor();
    assert.ok((await lastAnswer().locator(".markdown").innerText()).length > 0);
    assert.equal(questionsSent() - sent, 1);
    await window.workbench.screenshot("chat-life-cut-off");
  });

  it("puts a refused question back into the box, with a button for the remedy", async () => {
    const before = await questions();
    window.service.setFaults([{ kind: "status", status: 401, match: { path: "/chat/completions" } }]);
    await ask("Will this be lost?");
    await problem().getByText("does not accept this key").waitFor();
    await problem().getByRole("button", { name: "Set Key" }).waitFor();
    assert.equal(await prompt().inputValue(), "Will this be lost?");
    assert.deepEqual(await questions(), before);
    await window.workbench.setSideBarWidth(260);
    await window.workbench.screenshot("chat-life-refused-narrow");
  });

  it("reports an HTML page in place of the service", async () => {
    window.service.setFaults([{ kind: "html", status: 200, match: { path: "/chat/completions" } }]);
    await prompt().press("Enter");
    await problem()
      .getByText(/HTML|web page/)
      .waitFor();
    assert.equal(await prompt().inputValue(), "Will this be lost?");
  });

  it("works again once the service has recovered", async () => {
    window.service.setFaults([]);
    window.service.setTokensPerSecond(100_000);
    const answer = await nextAnswer(chat());
    await prompt().press("Enter");
    await answer.locator("footer").waitFor();
    assert.equal(await problem().count(), 0);
  });

  it("starts a new chat by the button in the view's title, and the old chat stays on disk", async () => {
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.workbench.screenshot("chat-life-new");
  });
}

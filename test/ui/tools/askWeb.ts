import assert from "node:assert/strict";
import { it } from "node:test";
import type { ChatWindow } from "../chat/openChat.ts";

const question = "How many times a minute may a caller ask for a picture?";

/** A question to the web, after the tests of the search, in a window with an editor. */
export function askWebTests(window: ChatWindow): void {
  const chat = () => window.workbench.webview();
  const page = () => window.workbench.page;
  const dialog = () => page().locator(".monaco-dialog-box");
  const sent = (path: string) =>
    window.service.requests.filter((request) => request.path.endsWith(path)).length;
  const editors = () => page().locator(".editor-instance");

  it("shows the upper price and its parts before the question and before anything is sent", async () => {
    const before = sent("/augment/search");
    // The page of the results is a web view, too.
    await window.workbench.runCommand("View: Close All Editors");
    await window.workbench.runCommand("File: New Untitled Text File");
    await window.workbench.runCommand("Inference Web: Ask Online…");
    await page().locator(".quick-input-widget").getByText("up to 4 pages $0.04").waitFor();
    await window.workbench.screenshot("ask-question");
    await window.workbench.enter("A question that web pages answer", question);
    await dialog()
      .getByText(/Ask the web for at most \$0\.\d+\?/)
      .waitFor();
    await dialog()
      .getByText(/search \$0\.01, up to 4 pages \$0\.04, answer by/)
      .waitFor();
    await window.workbench.screenshot("ask-price");
    assert.equal(sent("/augment/search"), before);
    await dialog().getByRole("button", { name: "Ask", exact: true }).click();
  });

  it("answers in the chat, with marks that name their sources", async () => {
    await chat().locator(".cite-mark").first().waitFor();
    await window.answered(chat());
    await chat().getByText(question).first().waitFor();
    await chat().locator(".sources summary").click();
    await chat().locator(".source-quote").first().waitFor();
    await window.workbench.screenshot("ask-answer");
  });

  it("a mark opens the page as it was read, at the sentence", async () => {
    await chat().locator(".cite-mark").first().click();
    await editors().locator(".selected-text").first().waitFor();
    await editors().getByText("A caller may ask 20 times a minute for a picture.").first().waitFor();
    await window.workbench.screenshot("ask-opened");
  });

  it("asks again without paying for the pages that are stored", async () => {
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".cite-mark").first().waitFor({ state: "detached" });
    const pages = sent("/augment/scrape");
    await window.workbench.runCommand("Inference Web: Ask Online…");
    await window.workbench.enter("A question that web pages answer", question);
    await chat().locator(".cite-mark").first().waitFor();
    assert.equal(sent("/augment/scrape"), pages);
  });
}

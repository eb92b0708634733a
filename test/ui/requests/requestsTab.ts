import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { seriousViolations } from "../../unit/webview/axe.ts";
import { nextAnswer } from "../chat/nextAnswer.ts";
import type { ChatWindow } from "../chat/openChat.ts";

/** The list of requests in an editor tab, with a request of the chat in the side bar. */
export function requestsTabTests(window: ChatWindow): void {
  const tab = () => window.workbench.webview("tab");
  const sideBar = () => window.workbench.webview("sideBar");
  const rows = () => tab().locator(".window .row");
  const dialog = () => window.workbench.page.locator(".monaco-dialog-box");
  const editors = () => window.workbench.page.locator(".editor-group-container .tab");

  before(async () => {
    const next = await nextAnswer(sideBar());
    await window.ask("Which requests are there?", sideBar());
    await next.waitFor();
    await window.answered(sideBar());
  });
  after(async () => {
    await window.workbench.runCommand("View: Close All Editors");
  });

  it("opens at the request of an answer, without its key", async () => {
    await sideBar().locator(".answer").last().getByRole("button", { name: "Show Request" }).click();
    await tab().getByRole("tab", { name: "Overview" }).waitFor();
    await tab().getByRole("heading", { name: "POST /chat/completions" }).waitFor();
    await window.workbench.screenshot("requests-overview");
    await tab().getByRole("tab", { name: "Request" }).click();
    await tab().getByRole("tabpanel").getByText("Which requests are there?").first().waitFor();
    const shown = await tab().getByRole("tabpanel").innerText();
    assert.match(shown, /authorization\s+\*\*\*/);
    assert.ok(!shown.includes(window.service.apiKey));
    await window.workbench.screenshot("requests-request");
    assert.deepEqual(
      (await seriousViolations(tab().locator("body"))).filter(
        (violation) => !/^scrollable-region-focusable[^<]*<div class="scroller"/.test(violation),
      ),
      [],
    );
  });

  it("opens a body in an editor", async () => {
    await tab().getByRole("button", { name: "Open in Editor" }).click();
    await editors().getByText("request.json").waitFor();
    await window.workbench.page
      .locator(".monaco-editor .view-line")
      .getByText('"messages"')
      .first()
      .waitFor();
    await window.workbench.runCommand("View: Close Editor");
  });

  it("asks before it sends a request again, and shows both answers side by side", async () => {
    const before = window.service.requests.length;
    await tab().getByRole("button", { name: "Send Again…" }).click();
    await dialog().getByText("Send POST /chat/completions again?").waitFor();
    await dialog().getByText("It is billed once more.").waitFor();
    await window.workbench.screenshot("requests-replay");
    assert.equal(window.service.requests.length, before);
    await dialog().getByRole("button", { name: "Send Again" }).click();
    await editors().getByText("First Answer ↔ New Answer").waitFor();
    await window.workbench.page.locator(".diff-editor, .monaco-diff-editor").first().waitFor();
    await window.workbench.screenshot("requests-both");
    await window.workbench.runCommand("View: Close Editor");
    await tab().getByRole("button", { name: "Close" }).click();
    await rows().first().getByText("Request sent again").waitFor();
  });

  it("is cleared after a question", async () => {
    await window.workbench.screenshot("requests-list");
    await window.workbench.runCommand("Inference Requests: Clear List…");
    await dialog().getByText("Delete all recorded requests?").waitFor();
    await dialog().getByRole("button", { name: "Delete All" }).click();
    await tab().getByText("No request was sent in these days.").waitFor();
    await window.workbench.screenshot("requests-cleared");
  });
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { before, it } from "node:test";
import { nextAnswer } from "./nextAnswer.ts";
import type { ChatWindow } from "./openChat.ts";

const rich = [
  "Euler wrote $e^{i\\pi} + 1 = 0$, for $5 or $6, and[^1]",
  "",
  "$$\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}$$",
  "",
  "```mermaid",
  "graph LR",
  "  Question --> Model{Model}",
  "  Model -->|thinks| Answer",
  "```",
  "",
  "```ts src/a.ts",
  "export const answer = 42;",
  "```",
  "",
  "```sh",
  "$ echo it-ran",
  "```",
  "",
  "- مرحبا بالعالم",
  "",
  "[^1]: A note below.",
].join("\n");

/** Tests in a chat of their own. */
export function renderingTests(window: ChatWindow): void {
  before(async () => {
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.workbench.setSideBarWidth(420);
    window.service.setTokensPerSecond(2000);
  });

  const { chat } = window;
  const answer = () => chat().locator(".answer").last();
  const ask = async (question: string) => {
    const next = await nextAnswer(chat());
    await chat().getByRole("textbox", { name: "Your question" }).fill(question);
    await chat().getByRole("textbox", { name: "Your question" }).press("Control+Enter");
    await next.locator("footer").waitFor();
  };
  const code = (language: string) => answer().locator(".code-frame", { hasText: language });

  it("renders formulas, footnotes and the direction of each text", async () => {
    await chat().locator(".picker-button").getByText("Guide").waitFor();
    await chat().locator(".picker-button").click();
    await chat().getByRole("combobox", { name: "Search models" }).fill("echo");
    await chat().getByRole("combobox", { name: "Search models" }).press("Enter");
    await chat().locator(".picker-button").getByText("Echo", { exact: true }).waitFor();
    await ask(rich);
    await answer().locator("math mfrac").waitFor();
    assert.equal(await answer().locator("math").count(), 2);
    await answer().getByText("for $5 or $6").waitFor();
    await answer().getByRole("button", { name: "Note 1" }).click();
    await answer().locator(".footnote:focus").waitFor();
  });

  it("draws a diagram", async () => {
    await answer().getByRole("button", { name: "Show Diagram" }).click();
    const picture = answer().getByRole("img", { name: /^Diagram/ });
    await picture.waitFor();
    const width = await picture.evaluate((image) => image.getBoundingClientRect().width);
    assert.ok(width > 100, `${width}`);
    await window.workbench.screenshot("rendering-diagram");
  });

  it("inserts code at the cursor, and shows it as a diff to accept", async () => {
    await window.workbench.runCommand("File: New Untitled Text File");
    await window.workbench.page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await code("src/a.ts").getByRole("button", { name: "Insert ts code" }).first().click();
    await window.workbench.page.locator(".view-line", { hasText: "42" }).waitFor();
    // The editor accepts the keys only once it has the code.
    await window.workbench.page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await window.workbench.page.keyboard.press("ControlOrMeta+Z");
    await window.workbench.page.locator(".view-line", { hasText: "42" }).waitFor({ state: "detached" });
    await code("src/a.ts").getByRole("button", { name: "Apply ts code as a diff" }).click();
    await window.workbench.page
      .locator(".monaco-diff-editor .modified .view-line", { hasText: "42" })
      .waitFor();
    await window.workbench.screenshot("rendering-diff");
    await window.workbench.runCommand("Inference Changes: Accept File");
    await window.workbench.page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    await window.workbench.page.locator(".editor-instance .view-line", { hasText: "42" }).waitFor();
    // Unsaved text would hold up whoever closes the editors later.
    await window.workbench.runCommand("View: Revert and Close Editor");
    await window.workbench.page.locator(".tab", { hasText: "Untitled-1" }).waitFor({ state: "detached" });
  });

  it("runs a command only after a dialog that shows it", async () => {
    const sh = code("sh");
    await sh.last().getByRole("button", { name: "More for this" }).click();
    await sh.last().getByRole("button", { name: "Run in Terminal…" }).click();
    const dialog = window.workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("echo it-ran").waitFor();
    await window.workbench.screenshot("rendering-run");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await window.workbench.page.locator(".terminal-wrapper").count(), 0);
  });

  it("loads a remote image only on a click, and never from the local network", async () => {
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await ask(`A picture: ![a tower](http://127.0.0.1:${port}/tower.png)`);
    await answer()
      .getByRole("button", { name: `a tower · load from 127.0.0.1:${port}` })
      .click();
    await answer().getByText("not loaded: its server is not public").waitFor();
    await window.workbench.screenshot("rendering-picture");
    server.close();
    assert.deepEqual(asked, []);
  });
}

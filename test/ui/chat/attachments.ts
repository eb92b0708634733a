import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, it } from "node:test";
import { encode } from "fast-png";
import type { TestSandbox } from "../../serviceKit/testSandbox.ts";
import type { Workbench } from "../workbench.ts";
import { nextAnswer } from "./nextAnswer.ts";
import type { ChatWindow } from "./openChat.ts";

const documents = join(import.meta.dirname, "../../unit/fixtures/documents");

/** The browser API that a paste needs. */
interface Browser {
  readonly DataTransfer: new () => { readonly items: { add(file: File): void } };
  readonly ClipboardEvent: new (type: string, options: object) => Event;
}

/** An image of one colour. */
const picture = (width: number, height: number) =>
  encode({ width, height, data: new Uint8Array(width * height), channels: 1 });

const files = {
  "src/deep/module.ts": "export const answer = 42;\n",
  ".env": "TOKEN=ui-canary\n",
};

/** Of the window. */
export const attachmentSettings = {
  "inference.chat.sendWith": "ctrlEnter",
  "inference.chat.prompts": { eli5: "Explain it as if I were five." },
};

/** Tests in a chat of their own. */
export function attachmentTests(window: ChatWindow): void {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    ({ service, workbench } = window);
    for (const [name, content] of Object.entries(files)) {
      const path = join(workbench.profile.workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await choose("echo", "Echo");
  });

  const chat = () => workbench.webview();
  const prompt = () => chat().getByRole("textbox", { name: "Your question", exact: true });
  const chips = () => chat().locator(".composer .chip");
  const option = (name: string) => chat().getByRole("option").filter({ hasText: name }).first();
  const answer = () => chat().locator(".answer").last();
  const choose = async (search: string, name: string) => {
    await chat().locator(".picker-button").click();
    const box = chat().getByRole("combobox", { name: "Search models" });
    await box.fill(search);
    await box.press("Enter");
    await chat().locator(".picker-button").getByText(name, { exact: true }).waitFor();
  };
  const ask = async () => {
    const next = await nextAnswer(chat());
    await prompt().press("Control+Enter");
    await next.locator("footer").waitFor();
    await chat().locator(".answer[aria-busy=true]").waitFor({ state: "detached" });
  };
  /** Pastes a file into the box, as from the clipboard. */
  const paste = (name: string, type: string, bytes: Uint8Array) =>
    prompt().evaluate(
      (box, [title, mediaType, base64]) => {
        const { DataTransfer, ClipboardEvent } = globalThis as unknown as Browser;
        const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([content], title, { type: mediaType }));
        box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      [name, type, Buffer.from(bytes).toString("base64")] as const,
    );

  it("finds a file by parts of its path after @, and attaches it with Enter", async () => {
    await prompt().pressSequentially("Explain @deepmod");
    await option("module.ts").waitFor();
    await workbench.screenshot("attachments-mention");
    await prompt().press("Enter");
    await chips().getByText("module.ts").waitFor();
    assert.equal(await prompt().inputValue(), "Explain @module.ts ");
  });

  it("attaches the selection with #, with its lines", async () => {
    await workbench.page.keyboard.press("F1");
    await workbench.page.locator(".quick-input-widget input.input").fill("hello.ts");
    await workbench.pick("hello.ts");
    const editor = workbench.page.locator(".monaco-editor[data-uri$='hello.ts']").first();
    await editor.locator(".view-line").first().click();
    await workbench.page.keyboard.press("Control+A");
    await prompt().focus();
    await prompt().press("End");
    await prompt().pressSequentially("and #sel");
    await option("selection").waitFor();
    await prompt().press("Tab");
    await chips().filter({ hasText: "hello.ts" }).getByText("lines 1 to").waitFor();
  });

  it("shows a pasted image, resizes one over the limit, and reports it", async () => {
    await paste("small.png", "image/png", picture(120, 80));
    const thumbnail = chips().filter({ hasText: "small.png" }).locator("img");
    await thumbnail.waitFor();
    await thumbnail.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
    await paste("large.png", "image/png", picture(8200, 4100));
    await chips()
      .filter({ hasText: "large.png" })
      .getByText(/^81\d\d × 40\d\d, scaled down from 8200 × 4100/)
      .waitFor();
    await chat().getByRole("button", { name: "Remove large.png" }).click();
  });

  it("sends a document as a file, or as text extracted by the service", async () => {
    await paste("harvest.pdf", "application/pdf", readFileSync(join(documents, "harvest.pdf")));
    const chip = chips().filter({ hasText: "harvest.pdf" });
    await chip.getByText("as file").click();
    await chip.getByText("as text").waitFor();
    await chip.getByText(/~\d+ tokens/).waitFor();
    await workbench.screenshot("attachments-chips");
  });

  it("asks before attaching a secret file, and explains a refusal", async () => {
    await prompt().pressSequentially(" @.env");
    await option(".env").waitFor();
    await prompt().press("Enter");
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("looks like a file of keys or passwords").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await chat().getByText(".env looks like a file of keys or passwords and was not attached.").waitFor();
    assert.equal(await chips().count(), 4);
  });

  it("sends all attachments and shows them with the question", async () => {
    const arrived = service.nextRequest({ path: "/chat/completions" });
    await ask();
    const { messages } = JSON.parse((await arrived).bodyText);
    const { content } = messages.find(({ role }: { role: string }) => role === "user");
    assert.deepEqual(
      content.map(({ type }: { type: string }) => type),
      ["text", "text", "image_url", "text", "text"],
    );
    assert.match(content[0].text, /^src\/deep\/module\.ts:\n```ts\nexport const answer = 42;/);
    await chat().locator(".question-turn .chip").nth(2).locator("img").waitFor();
    assert.equal(await chips().count(), 0);
    await answer().getByText("image/png").waitFor();
  });

  it("follows the settings: sends with Ctrl+Enter, and offers the user's prompts", async () => {
    await chat().getByRole("button", { name: "Send (Ctrl+Enter)" }).waitFor();
    await prompt().pressSequentially("/eli");
    await option("/eli5").click();
    assert.equal(await prompt().inputValue(), "Explain it as if I were five. ");
    await ask();
  });

  it("can be focused by a key binding", async () => {
    await workbench.page.locator(".monaco-editor .view-line").first().click();
    await workbench.page.keyboard.press("Control+K");
    await workbench.page.keyboard.press("a");
    await chat().locator("textarea:focus").waitFor();
  });
}

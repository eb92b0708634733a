import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { WorkbenchWindow } from "../window.ts";
import type { ChatWindow } from "./openChat.ts";

/** Tests in a window without a conversation. It has a new chat at their end. */
export function chatWindowsTests(window: ChatWindow): void {
  let second: WorkbenchWindow;
  before(async () => {
    second = await window.workbench.openSecondWindow();
    await second.openSideBar();
    await window.prompt(there()).waitFor();
  });
  after(async () => {
    await second.page.close();
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await here().locator(".welcome").waitFor();
  });

  const here = () => window.chat();
  const there = () => second.webview();
  /** The end of an answer, which appears when the answer is complete. */
  const answerTo = (question: string, chat: ReturnType<typeof here>) =>
    chat
      .locator(
        `[data-turn]:has(.question-turn:has-text("${question}")) ~ [data-turn] .answer[aria-busy="false"] footer`,
      )
      .first();
  /** Questions of the conversation; a line that replaces another one contains the same text. */
  const questionsOnDisk = () => {
    const folder = join(
      window.workbench.profile.userData,
      "User/globalStorage/inference-workbench.inference-workbench/chats",
    );
    const logs = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    assert.equal(logs.length, 1);
    const all = readFileSync(join(folder, logs[0] ?? ""), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { readonly node?: { readonly role: string; readonly text: string } })
      .flatMap(({ node }) => (node?.role === "user" ? [node.text] : []));
    return new Set(all);
  };

  it("is listed in the other window and opens there", async () => {
    await window.ask("Who is here?", here());
    await window.answered(here());
    await second.runCommand("Inference Chat: Show History");
    await there().locator(".history-open").filter({ hasText: "Who is here?" }).click();
    await answerTo("Who is here?", there()).waitFor();
  });

  it("streams into both windows, whichever sends the question", async () => {
    await window.ask("Which models are there?", there());
    await answerTo("Which models are there?", here()).waitFor();
    await answerTo("Which models are there?", there()).waitFor();
    const [mine, theirs] = await Promise.all(
      [here(), there()].map((chat) => chat.locator(".answer .markdown").last().innerText()),
    );
    assert.equal(mine, theirs);
    await second.screenshot("chat-windows-second");
  });

  it("keeps both of two simultaneous questions, in sequence or as two versions", async () => {
    await Promise.all([window.ask("From here", here()), window.ask("From there", there())]);
    await answerTo("From here", here()).waitFor();
    await answerTo("From there", there()).waitFor();
    await second.page.locator('[id$=".inference.spend"]').getByText("today").waitFor();
    await here().locator(".question").nth(2).waitFor();
    await window.workbench.screenshot("chat-windows-first");
    const asked = ["Who is here?", "Which models are there?", "From here", "From there"];
    assert.deepEqual(questionsOnDisk(), new Set(asked));
  });
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("chat in the side bar", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench("chat", { "inference.sandbox.tokensPerSecond": 60 });
  });
  after(() => workbench.close());

  const chat = () => workbench.webview();
  const prompt = () => chat().getByRole("textbox", { name: "Your question" });
  const answers = () => chat().locator(".answer");

  it("opens with the sandbox, says who answers, and offers a first question", async () => {
    await workbench.icon.click();
    await workbench.page.locator(".part.sidebar").getByRole("button", { name: "Use the Sandbox" }).click();
    await prompt().waitFor();
    await workbench.screenshot("chat-empty");
  });

  it("streams an answer in more than one paint", async () => {
    await prompt().fill("What can this extension do?");
    await prompt().press("Enter");
    const text = answers().last().locator(".markdown").last();
    await text.waitFor();
    const lengths = new Set<number>();
    while ((await answers().last().getAttribute("aria-busy")) === "true") {
      lengths.add((await text.textContent())?.length ?? 0);
    }
    assert.ok(lengths.size > 1, `seen in ${lengths.size} lengths`);
    await workbench.screenshot("chat-answer");
  });
});

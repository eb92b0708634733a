import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { studioPage } from "./studioPage.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("the tab of the image studio", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench("studioTab");
  });
  after(() => workbench.close());

  const { page, prompt } = studioPage(() => workbench);

  it("stays one although an older, hidden tab was restored by a reload", async () => {
    const tabs = page().locator(".tabs-container .tab").filter({ hasText: "Image Studio" });
    await workbench.runCommand("Inference Images: Open Image Studio");
    await prompt().waitFor();
    await page().keyboard.press("F1");
    await page().locator(".quick-input-widget input.input").fill("notes.md");
    await workbench.pick("notes.md");
    await page().locator(".monaco-editor[data-uri$='notes.md'] .view-line").first().waitFor();
    await workbench.runCommand("Developer: Reload Window");
    await tabs.first().waitFor({ state: "detached" });
    await tabs.first().waitFor();
    await workbench.icon.waitFor();
    await workbench.runCommand("Inference Images: Open Image Studio");
    await tabs.nth(1).waitFor();
    await prompt().fill("newer words");
    await tabs.first().click();
    await tabs.nth(1).waitFor({ state: "detached" });
    assert.equal(await prompt().inputValue(), "newer words");
  });
});

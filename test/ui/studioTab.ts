// The studio has one tab.
import assert from "node:assert/strict";
import { it } from "node:test";
import { studioPage } from "./studioPage.ts";
import type { Workbench } from "./workbench.ts";

/** Tests in a window whose studio was not opened yet. No editor is open at their end. */
export function studioTabTests(workbench: () => Workbench): void {
  const { page, prompt } = studioPage(workbench);

  it("stays one although an older, hidden tab was restored by a reload", async () => {
    const tabs = page().locator(".tabs-container .tab").filter({ hasText: "Image Studio" });
    await workbench().runCommand("Inference Images: Open Image Studio");
    await prompt().waitFor();
    await page().keyboard.press("F1");
    await page().locator(".quick-input-widget input.input").fill("notes.md");
    await workbench().pick("notes.md");
    await page().locator(".monaco-editor[data-uri$='notes.md'] .view-line").first().waitFor();
    await workbench().runCommand("Developer: Reload Window");
    await tabs.first().waitFor({ state: "detached" });
    await tabs.first().waitFor();
    await workbench().icon.waitFor();
    await workbench().runCommand("Inference Images: Open Image Studio");
    await tabs.nth(1).waitFor();
    await prompt().fill("newer words");
    await tabs.first().click();
    await tabs.nth(1).waitFor({ state: "detached" });
    assert.equal(await prompt().inputValue(), "newer words");
    await prompt().fill("");
    await workbench().runCommand("View: Close All Editors");
  });
}

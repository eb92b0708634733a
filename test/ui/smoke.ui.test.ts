import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("the packaged extension in a fresh window", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench("smoke");
  });
  after(() => workbench.close());

  it("shows our icon, and behind it both ways to begin", async () => {
    await workbench.icon.click();
    const sideBar = workbench.page.locator(".part.sidebar");
    await sideBar.getByRole("button", { name: "Set API Key" }).waitFor();
    await sideBar.getByRole("button", { name: "Use the Sandbox" }).waitFor();
    await workbench.screenshot("smoke-welcome");
  });

  it("can be looked at in each theme and in a narrow side bar", async () => {
    await workbench.setSideBarWidth(260);
    const box = await workbench.page.locator(".part.sidebar").boundingBox();
    assert.equal(Math.round(box?.width ?? 0), 260);
    for (const theme of ["light", "hc", "dark"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`smoke-welcome-narrow-${theme}`);
    }
  });
});

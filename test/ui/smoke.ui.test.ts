import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("the packaged extension in a new window", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench("smoke");
  });
  after(() => workbench.close());

  it("shows our icon, and two ways to start in its view", async () => {
    await workbench.icon.click();
    const sideBar = workbench.page.locator(".part.sidebar");
    await sideBar.getByRole("button", { name: "Set API Key" }).waitFor();
    await sideBar.getByRole("button", { name: "Use the Sandbox" }).waitFor();
    await workbench.screenshot("smoke-welcome");
  });

  it("renders in each theme and in a narrow side bar", async () => {
    await workbench.setSideBarWidth(260);
    const box = await workbench.page.locator(".part.sidebar").boundingBox();
    assert.equal(Math.round(box?.width ?? 0), 260);
    for (const theme of ["light", "hc", "dark"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`smoke-welcome-narrow-${theme}`);
    }
  });

  it("has a tour whose steps complete by their effect", async () => {
    const { page } = workbench;
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await workbench.pick("Get Started with Inference Workbench");
    const steps = page.locator(".getting-started-step");
    const connect = steps.filter({ hasText: "Choose a service" });
    await connect.getByRole("button", { name: "Use the Sandbox" }).waitFor();
    await workbench.screenshot("smoke-tour");
    await connect.getByRole("button", { name: "Use the Sandbox" }).click();
    await connect.getByRole("checkbox", { checked: true }).waitFor();
    await workbench.screenshot("smoke-tour-begun");
  });
});

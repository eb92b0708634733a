import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Sandbox, startSandbox } from "../../src/sandbox/main.ts";
import { environment } from "../../src/shared/ids.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("a chat in an editor tab", () => {
  let service: Sandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startSandbox({ apiKey: "ui-tab-key-canary", tokensPerSecond: 400 });
    workbench = await openWorkbench(
      "chat-tab",
      {},
      { [environment.key]: service.apiKey, [environment.baseUrl]: service.baseUrl },
    );
    await workbench.openSideBar();
    await sideBar().getByRole("textbox", { name: "Your question" }).waitFor();
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const sideBar = () => workbench.webview("sideBar");
  const tab = () => workbench.webview("tab");
  const ask = async (chat: ReturnType<typeof tab>, question: string) => {
    const prompt = chat.getByRole("textbox", { name: "Your question" });
    await prompt.fill(question);
    await prompt.press("Enter");
    await chat.locator('.answer[aria-busy="false"]').last().locator("footer").waitFor();
  };

  it("moves the conversation of the side bar into a tab, which leaves a new chat there", async () => {
    await ask(sideBar(), "What moves?");
    await workbench.runCommand("Inference: Open Chat in Editor Tab");
    await tab().locator(".question").getByText("What moves?").waitFor();
    await sideBar().locator(".welcome").waitFor();
    await workbench.page.locator(".tab").getByText("What moves?").waitFor();
    await workbench.screenshot("chat-tab");
  });

  it("goes on in both, each with its own conversation", async () => {
    await ask(tab(), "In the tab");
    await ask(sideBar(), "In the side bar");
    assert.deepEqual(await tab().locator(".question").allInnerTexts(), ["What moves?", "In the tab"]);
    assert.deepEqual(await sideBar().locator(".question").allInnerTexts(), ["In the side bar"]);
  });

  it("shows its conversation again after the window was loaded anew", async () => {
    // As a person would: a page that is just torn away loses what the editor itself keeps of its tabs.
    await workbench.runCommand("Developer: Reload Window");
    await workbench.page.waitForEvent("load");
    await tab().locator(".question").getByText("In the tab").waitFor();
    await sideBar().locator(".question").getByText("In the side bar").waitFor();
  });
});

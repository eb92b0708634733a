import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ModelServer, startModelServer } from "../unit/sandbox/modelServer.ts";
import { nextAnswer } from "./nextAnswer.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("a first hour without an account", () => {
  let models: ModelServer;
  let workbench: Workbench;
  before(async () => {
    models = await startModelServer();
    models.models = "html";
    workbench = await openWorkbench(
      "first-run",
      { "inference.sandbox.modelServers": [models.url] },
      { INFERENCE_SANDBOX_TEST_MODELS: "" },
    );
  });
  after(async () => {
    await workbench.close();
    await models.close();
  });

  const chat = () => workbench.webview();
  const prompt = () => chat().getByRole("textbox", { name: "Your question" });
  const problem = () => chat().getByRole("alert");

  it("asks no server of language models before the sandbox is used", async () => {
    await workbench.openSideBar();
    const use = workbench.page.locator(".part.sidebar").getByRole("button", { name: "Use the Sandbox" });
    await use.waitFor();
    assert.equal(models.listings, 0);
    await use.click();
    await prompt().waitFor();
    await chat().locator(".picker-button").getByText("Guide").waitFor();
    await workbench.screenshot("first-run-chat");
  });

  it("has a question that the sandbox refuses answered by a local model, with one click", async () => {
    await prompt().fill("Refactor this: `const a = b ? c : d ? e : f;`");
    await prompt().press("Enter");
    const button = problem().getByRole("button", { name: "Use a Local Model" });
    await button.waitFor();
    await workbench.screenshot("first-run-refused");
    models.models = ["qwen2.5-coder:7b"];
    models.script = { words: ["Use ", "`if` ", "and ", "`else`."] };
    const next = await nextAnswer(chat());
    await button.click();
    await next.getByText("Use if and else.").waitFor();
    await next.locator("footer").getByText("7 tokens in, 3 out").waitFor();
    await chat()
      .locator(".picker-button")
      .getByText(/^qwen2\.5-coder:7b \(127\.0\.0\.1:\d+\)$/)
      .waitFor();
    await workbench.screenshot("first-run-local");
  });

  it("uses the model for an edit, too, and after the window is loaded anew", async () => {
    await workbench.reload();
    await workbench.runCommand("Go to File...");
    await workbench.page.locator(".quick-input-widget input.input").fill("hello.ts");
    await workbench.page.locator(".quick-input-list").getByText("hello.ts").first().waitFor();
    await workbench.page.keyboard.press("Enter");
    const editor = workbench.page.locator(".editor-instance .monaco-editor").last();
    await editor.getByText("function").first().click();
    await workbench.page.keyboard.press("Control+a");
    models.script = { words: ["// written by a local model\n"] };
    await workbench.runCommand("Inference: Edit with Inference…");
    await workbench.enter("Begin anew");
    const diff = workbench.page.locator(".monaco-diff-editor");
    await diff.getByText("written by a local model").first().waitFor();
    await workbench.notifications.getByText(/Edit by qwen2\.5-coder:7b/).waitFor();
    await workbench.screenshot("first-run-edit");
  });
});

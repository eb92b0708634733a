import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ModelServer, startModelServer } from "../../unit/sandbox/modelServer.ts";
import { nextAnswer } from "../chat/nextAnswer.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

describe("a first session without an account", () => {
  let models: ModelServer;
  let workbench: Workbench;
  before(async () => {
    models = await startModelServer();
    models.models = "html";
    workbench = await openWorkbench("first-run", { "inference.sandbox.modelServers": [models.url] });
  });
  after(async () => {
    await workbench.close();
    await models.close();
  });

  const chat = () => workbench.webview();
  const prompt = () => chat().getByRole("textbox", { name: "Your question" });
  const problem = () => chat().getByRole("alert");

  /** The check mark of a step of the tour. */
  const step = (id: string, isDone: boolean) =>
    workbench.page
      .locator(`[data-done-step-id$="#${id}"]${isDone ? ".complete" : ":not(.complete)"}`)
      .first();
  const dashboard = () => workbench.webview("tab");
  const today = () => dashboard().locator(".cards li", { hasText: "Today" }).textContent();
  /** The bill of the day before the reload. */
  let billed: string | null = null;
  const openTour = async () => {
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await workbench.pick("Get Started with Inference Workbench");
    await workbench.page.locator('[data-done-step-id$="#connect"]').first().waitFor();
  };

  it("shows our icon, and two ways to start in its view", async () => {
    await workbench.icon.click();
    const sideBar = workbench.page.locator(".part.sidebar");
    await sideBar.getByRole("button", { name: "Set API Key" }).waitFor();
    await sideBar.getByRole("button", { name: "Use the Sandbox" }).waitFor();
    await workbench.screenshot("first-run-welcome");
  });

  it("has a tour that connects the sandbox; no local model server is scanned before", async () => {
    await openTour();
    const connect = workbench.page.locator(".getting-started-step").filter({ hasText: "Choose a service" });
    const use = connect.getByRole("button", { name: "Use the Sandbox" });
    await use.waitFor();
    assert.equal(models.listings, 0);
    await workbench.screenshot("first-run-tour-start");
    await use.click();
    await connect.getByRole("checkbox", { checked: true }).waitFor();
    await workbench.openSideBar();
    await prompt().waitFor();
    await chat().locator(".picker-button").getByText("Guide").waitFor();
    await workbench.screenshot("first-run-chat");
  });

  it("completes a step of the tour by its effect, not by opening its view or calling its command", async () => {
    await openTour();
    await step("connect", true).waitFor();
    for (const id of ["chat", "edit", "web", "media", "rpc", "usage"]) await step(id, false).waitFor();
    await workbench.runCommand("Inference Images: Open Studio");
    await workbench.webview("tab").getByRole("textbox").first().waitFor();
    await openTour();
    await step("media", false).waitFor();
    await workbench.screenshot("first-run-tour");
    await workbench.runCommand("View: Close All Editors");
  });

  it("offers the sample of the tour, and explains it without a language model", async () => {
    await openTour();
    const edit = workbench.page.locator(".getting-started-step").filter({ hasText: "Edit code" });
    await edit.click();
    await edit.getByRole("button", { name: "Open the Sample" }).click();
    const editor = workbench.page.locator(".monaco-editor[data-uri='untitled:hello.ts']");
    await editor.getByText("Says hello.").waitFor();
    const starter = chat().getByRole("button", { name: "Explain lines 1 to 6 of hello.ts" });
    await starter.waitFor();
    await workbench.screenshot("first-run-starters");
    const next = await nextAnswer(chat());
    await starter.click();
    await next
      .locator("footer")
      .getByText(/tokens in/)
      .waitFor();
    await next.getByText("returns a greeting").waitFor();
    await workbench.screenshot("first-run-explained");
    await workbench.runCommand("Inference Chat: New Conversation");
    await starter.waitFor();
  });

  it("edits the sample without a language model, and says that other code needs one", async () => {
    const diff = workbench.page.locator(".monaco-diff-editor");
    await workbench.runCommand("Inference Editor: Write Documentation");
    await diff.getByText("@param").first().waitFor();
    await workbench.screenshot("first-run-document");
    await workbench.runCommand("Inference Changes: Reject File");
    await diff.waitFor({ state: "detached" });
    await workbench.runCommand("Inference Editor: Edit…");
    await workbench.enter("Describe the change of line", "Make it shout");
    await workbench.notifications.getByText("rename greet in it; this needs a model").waitFor();
    await workbench.notifications.getByRole("button", { name: "Use a Local Model" }).waitFor();
    await workbench.screenshot("first-run-edit-refused");
    await workbench.runCommand("Notifications: Clear All Notifications");
    await workbench.runCommand("View: Revert and Close Editor");
  });

  it("a local model answers a question that the sandbox refuses, with one click", async () => {
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

  it("has a month of play-money usage", async () => {
    await workbench.runCommand("Inference Account: Open Usage Dashboard");
    await dashboard().getByRole("heading", { name: "Usage of Sandbox" }).waitFor();
    await dashboard().getByText("30 days (UTC), play money").waitFor();
    await dashboard().getByText("Example: CI pipeline").waitFor();
    await workbench.screenshot("first-run-dashboard");
    await workbench.runCommand("Inference Web: Search Online…");
    await workbench.enter("What to search for", "apples");
    await workbench.page
      .locator(".statusbar")
      .getByText(/play money today/)
      .waitFor();
    // The results of the search have opened over it. The sum is that of the ledger until the bill is read.
    await workbench.runCommand("View: Close Editor");
    await dashboard().getByRole("button", { name: "Refresh" }).click();
    await dashboard().locator(".cards li", { hasText: "Today" }).getByText("0.010 DIEM").waitFor();
    billed = await today();
    await workbench.runCommand("Inference Account: Focus on API Keys View");
    await workbench.page.locator(".part.sidebar").getByText("Example: CI pipeline").waitFor();
    await workbench.screenshot("first-run-account");
  });

  it("keeps the bills over a reload, and uses the model for an edit, too", async () => {
    await workbench.reload();
    await workbench.runCommand("Inference Account: Open Usage Dashboard");
    await dashboard().getByText("30 days (UTC), play money").waitFor();
    assert.equal(await today(), billed);
    await workbench.runCommand("Go to File...");
    await workbench.page.locator(".quick-input-widget input.input").fill("hello.ts");
    await workbench.pick("hello.ts");
    const editor = workbench.page.locator(".editor-instance .monaco-editor").last();
    await editor.getByText("function").first().click();
    await workbench.page.keyboard.press("Control+a");
    models.script = { words: ["// written by a local model\n"] };
    await workbench.runCommand("Inference Editor: Edit…");
    await workbench.enter("Describe the change of line", "Begin anew");
    const diff = workbench.page.locator(".monaco-diff-editor");
    await diff.getByText("written by a local model").first().waitFor();
    await workbench.notifications.getByText(/Edit by qwen2\.5-coder:7b/).waitFor();
    await workbench.screenshot("first-run-edit");
    await openTour();
    await step("chat", true).waitFor();
    await step("edit", false).waitFor();
    await workbench.runCommand("View: Open Previous Editor");
    await workbench.runCommand("Inference Changes: Accept File");
    await diff.waitFor({ state: "detached" });
    await openTour();
    await step("edit", true).waitFor();
  });

  it("marks a stopped edit as partial, also before it is accepted", async () => {
    const { page } = workbench;
    const diff = page.locator(".monaco-diff-editor");
    await workbench.openFile("hello.ts");
    await page.locator(".editor-instance .monaco-editor").last().getByText("written by").first().click();
    await page.keyboard.press("Control+a");
    models.script = { words: ["// first\n", "// second\n", "// third\n"], end: "hang" };
    await workbench.runCommand("Inference Editor: Edit…");
    await workbench.enter("Describe the change of line", "Begin anew");
    await diff.getByText("second").first().waitFor();
    await diff.getByText("first").first().click();
    await page.keyboard.press("Escape");
    await workbench.notifications.getByText("the edit is partial").waitFor();
    assert.equal(await workbench.notifications.getByRole("button", { name: "Accept" }).count(), 0);
    await page
      .locator(".editor-group-container .title")
      .getByRole("button", { name: /^Accept/ })
      .waitFor();
    await workbench.screenshot("first-run-partial");
    await page.keyboard.press("Control+Enter");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText("This edit is partial. Accept it?").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    // Not in the first line, whose text is under the cursor.
    await diff.getByText("second").first().click();
    await page.keyboard.press("Escape");
    await diff.waitFor({ state: "detached" });
  });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { root } from "../../tools/paths.ts";
import { seriousViolations } from "../../unit/webview/axe.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { nextAnswer } from "./nextAnswer.ts";

const key = "ui-chat-key-canary";
const docs = join(root, "media/docs");
const chatPath = { match: { path: "/chat/completions" } };

describe("chat in the side bar", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  before(async () => {
    service = await startTestSandbox({ apiKey: key, tokensPerSecond: 400, docs });
    workbench = await openWorkbench("chat");
    await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const chat = () => workbench.webview();
  const prompt = () => chat().getByRole("textbox", { name: "Your question" });
  const answer = () => chat().locator(".answer").last();
  const text = () => answer().locator(".markdown").last();
  const running = () => chat().locator(".answer[aria-busy=true]");
  const ask = async (question: string) => {
    const next = await nextAnswer(chat());
    await prompt().fill(question);
    await prompt().press("Enter");
    await next.waitFor();
  };
  const answered = async () => {
    await running().waitFor({ state: "detached" });
    await answer().locator("footer").waitFor();
  };
  const choose = async (search: string, name: string) => {
    await chat().locator(".picker-button").click();
    await chat().getByRole("combobox", { name: "Search models" }).fill(search);
    await chat().getByRole("combobox", { name: "Search models" }).press("Enter");
    await chat().locator(".picker-button").getByText(name, { exact: true }).waitFor();
  };

  it("opens with the sandbox, shows the model, and offers a first question", async () => {
    await workbench.openSideBar();
    await workbench.page.locator(".part.sidebar").getByRole("button", { name: "Use the Sandbox" }).click();
    await prompt().waitFor();
    await chat().getByText("Sandbox: on this machine", { exact: true }).waitFor();
    await chat().locator(".picker-button").getByText("Guide").waitFor();
    await workbench.screenshot("chat-empty");
  });

  it("answers a suggestion in more than one paint, and shows the usage", async () => {
    await chat().getByRole("button", { name: "What can you do?" }).click();
    await text().waitFor();
    const lengths = new Set<number>();
    while ((await running().count()) > 0) lengths.add((await text().textContent())?.length ?? 0);
    assert.ok(lengths.size > 1, `painted ${lengths.size} times`);
    assert.match(
      (await answer().locator(".facts").textContent()) ?? "",
      /^Guide · \d+ tokens in, \d+ out · \d+\.\d s/,
    );
    await workbench.screenshot("chat-answer");
  });

  it("opens the request of the answer", async () => {
    await answer().getByRole("button", { name: "Show Request" }).click();
    const tab = workbench.webview("tab");
    await tab.getByRole("heading", { name: "POST /chat/completions" }).waitFor();
    await tab.getByRole("tabpanel").getByText("play money").waitFor();
    await workbench.runCommand("View: Close Editor");
    await workbench.page.locator(".editor-group-container.empty").waitFor();
  });

  it("lists the models with prices and capabilities; they can be searched and chosen by keyboard", async () => {
    await chat().locator(".picker-button").click();
    const row = chat().getByRole("option").filter({ hasText: "Thinker" });
    await row.getByText("$1.20 / $4.80").waitFor();
    assert.ok(((await row.boundingBox())?.height ?? 99) < 30);
    await workbench.screenshot("chat-models");
    const search = chat().getByRole("combobox", { name: "Search models" });
    await search.press("ArrowDown");
    await search.press("Escape");
    await search.waitFor({ state: "detached" });
  });

  it("switches to another service and shows its name", async () => {
    await workbench.runCommand("Inference Connection: Sign In…");
    await workbench.pick("Other…");
    await workbench.enter("Address of the service", service.baseUrl.replace("/api/v1", ""));
    await workbench.enter("API key for", key);
    await workbench.enter("Name of this connection", "Faulty");
    await chat().locator(".service").getByText("Faulty").waitFor();
    await workbench.runCommand("Inference Chat: New Conversation");
    await choose("long", "Long");
  });

  it("stops at once and keeps the partial answer", async () => {
    await ask("5000 tokens");
    await text().getByText(/\w{3}/).first().waitFor();
    await prompt().press("Escape");
    await answer().getByText("Stopped", { exact: true }).waitFor();
    const stopped = await text().textContent();
    await workbench.screenshot("chat-stopped");
    await choose("echo", "Echo");
    assert.equal(await text().textContent(), stopped);
  });

  it("renders markdown with highlighted code, copies it, and asks before it opens a link once", async () => {
    const code = 'const greeting: string = "hello";';
    await ask(`| a | b |\n|---|--:|\n| 1 | [a link](https://a.test/x) |\n\n\`\`\`ts\n${code}\n\`\`\`\n`);
    await answered();
    await answer().locator(".hl-keyword").getByText("const").waitFor();
    await answer().getByRole("button", { name: "Copy ts code" }).click();
    await answer().getByRole("button", { name: "Copy ts code" }).getByText("Copied").waitFor();
    while ((await clipboard()) !== code);
    await answer().getByRole("link", { name: "a link" }).click();
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("https://a.test/x").waitFor();
    await workbench.screenshot("chat-link");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  it("is readable in a narrow side bar and in the theme of the editor", async () => {
    await workbench.runCommand("Inference Chat: New Conversation");
    await answer().waitFor({ state: "detached" });
    await choose("thinker", "Thinker");
    await ask("How do I connect my own key?");
    await answered();
    await workbench.setSideBarWidth(260);
    await workbench.setTheme("hc");
    await chat().locator("body.vscode-high-contrast").waitFor();
    await workbench.screenshot("chat-hc-260");
    assert.deepEqual(await seriousViolations(chat().locator("main")), []);
    const overflow = await chat()
      .locator("body")
      .evaluate((e) => e.scrollWidth - e.clientWidth);
    assert.equal(overflow, 0, "nothing overflows");
  });

  it("restores the question after a failure without an answer, with reason and remedy", async () => {
    await choose("echo", "Echo");
    service.setFaults([
      { kind: "status", status: 402, message: "Insufficient balance", times: 1, ...chatPath },
    ]);
    await prompt().fill("an important question");
    await prompt().press("Enter");
    await chat().getByText("asks for payment: Insufficient balance").waitFor();
    assert.equal(await prompt().inputValue(), "an important question");
    await chat().getByRole("button", { name: "Set Key" }).waitFor();
    await workbench.screenshot("chat-payment");
    const next = await nextAnswer(chat());
    await chat().getByRole("button", { name: "Retry" }).click();
    await next.waitFor();
    await answered();
    assert.equal(await text().textContent(), "an important question");
    assert.equal(await prompt().inputValue(), "");
  });

  it("keeps a partial answer after an interruption, and retries", async () => {
    service.setFaults([{ kind: "error-event", events: 4, times: 1, ...chatPath }]);
    await ask("one two three four five six seven eight");
    await answer().getByText("Cut off", { exact: true }).waitFor();
    assert.match((await text().textContent()) ?? "", /^one/);
    await workbench.screenshot("chat-cut-off");
    await answer().getByRole("button", { name: "Retry" }).click();
    await answer().getByText("one two three four five six seven eight").waitFor();
    await answered();
  });

  const clipboard = () => workbench.page.evaluate("navigator.clipboard.readText()");
});

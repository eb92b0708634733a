// A whole task of the mode Agent with the sandbox's scripted model: plan, edits, command, review, rewind.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { CommandSandbox } from "../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { installBubblewrap } from "../../tools/installBubblewrap.ts";
import { hookTests } from "./agent/hooks.ts";
import { otherAgentTests } from "./agent/otherAgent.ts";
import { serverAndSubagentTests } from "./agent/serverAndSubagents.ts";
import { subagentTests } from "./agent/subagents.ts";
import { nextAnswer } from "./nextAnswer.ts";
import { openChatWindow } from "./openChat.ts";

/** Whether commands run in a sandbox on this machine. */
async function sandboxHere() {
  const options = { isWanted: () => true, workspaceFolders: () => [], writableFolders: () => [], hidden: [] };
  const sandbox = new CommandSandbox(options);
  return sandbox.ready().finally(() => sandbox.dispose());
}

describe("the mode Agent", () => {
  before(installBubblewrap);

  const window = openChatWindow("agent", {
    tokensPerSecond: 2000,
    prepare: ({ profile }) => void execFileSync("git", ["init", "--quiet"], { cwd: profile.workspace }),
  });
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });
  const file = (name: string) => join(window.workbench.profile.workspace, name);
  const allow = async (command: string) => {
    const call = chat().getByRole("region", { name: "Run a command: waits for your approval" });
    await call.getByText(`Run ${command}`).waitFor();
    await call.getByRole("button", { name: /^Allow/ }).click();
  };
  /** Opens the list of changed files, unless it is open. */
  const files = async (name: string) => {
    await button(name).waitFor();
    const list = chat().getByRole("dialog", { name: "Changed files" });
    if (!(await list.isVisible())) await button(name).click();
    await list.waitFor();
  };
  const test = "node --test inference-demo/sum.test.mjs";

  it("is chosen beside Send, with the cap of a task", async () => {
    await window.workbench.setSideBarWidth(420);
    await chat().locator(".picker-button").click();
    await chat().getByRole("option", { name: "Scripted" }).first().click();
    await chat().getByRole("combobox", { name: "Mode" }).selectOption("Agent");
    await chat().getByRole("textbox", { name: "Cap of a task in USD" }).waitFor();
  });

  it("plans, edits and asks before each command", async () => {
    await window.ask("Fix the failing test");
    await allow(test);
    await window.workbench.screenshot("agent-command");
    // The second question is that after the edit: before it, the card of the first may still be there.
    await chat().getByText("I run the test again.", { exact: true }).waitFor();
    await allow(test);
    await button(/^Plan: \d of \d done$/).waitFor();
    await button("2 changed files").waitFor();
    await window.answered();
    await button(/^The last task had \d+ rounds and cost \$0\.\d+/).waitFor();
    assert.ok(existsSync(file("inference-demo/sum.mjs")));
    await window.workbench.screenshot("agent-done");
  });

  it("fits a narrow side bar, and is readable in dark and in high contrast", async () => {
    await button("Plan: 4 of 4 done").click();
    for (const [theme, width] of [
      ["dark", 260],
      ["hc", 300],
      ["light", 420],
    ] as const) {
      await window.workbench.setTheme(theme);
      await window.workbench.setSideBarWidth(width);
      await window.workbench.screenshot(`agent-${width}`);
    }
    await button("Close Plan").click();
  });

  it("shows the changed files, and opens the diff of one", async () => {
    await button("2 changed files").click();
    await button(/^inference-demo\/sum\.mjs/).click();
    await window.workbench.page
      .getByRole("tab", { name: /sum\.mjs/ })
      .first()
      .waitFor();
    await window.workbench.screenshot("agent-diff");
  });

  it("writes the message of a commit with the changes", async () => {
    const { workbench } = window;
    await files("2 changed files");
    await button("Commit with Message").click();
    const bar = workbench.page.locator(".part.sidebar");
    await bar.locator(".scm-editor").getByText(/sum/).first().waitFor();
    await workbench.screenshot("agent-commit");
    await workbench.openSideBar();
    await button("2 changed files").waitFor();
  });

  it("rejects one file, rewinds the rest with the chat, and undoes that", async () => {
    const text = readFileSync(file("inference-demo/sum.test.mjs"), "utf8");
    await files("2 changed files");
    await button("Reject inference-demo/sum.test.mjs").click();
    await button("1 changed file").waitFor();
    await button("Close Changed Files").click();
    assert.ok(!existsSync(file("inference-demo/sum.test.mjs")));
    await chat().locator(".question-turn").first().hover();
    await button("Rewind to Before This Question").first().click();
    await chat().getByRole("menuitem", { name: "Rewind Files The conversation stays" }).click();
    await chat()
      .getByText(/was rewound|were rewound/)
      .waitFor();
    assert.ok(!existsSync(file("inference-demo/sum.mjs")));
    await button("Dismiss").click();
    await button("Undo Rewind").click();
    await chat()
      .getByText(/^The rewind was undone: /)
      .waitFor();
    await button("Rewind Again").waitFor();
    assert.ok(text.length > 0);
    // Its hunks are pending again.
    await files("1 changed file");
    await button("Accept inference-demo/sum.mjs").click();
    await button("1 changed file").waitFor({ state: "detached" });
  });

  it("rejects one hunk of a file in the editor, and keeps the other", async () => {
    const { workbench } = window;
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}\n`);
    writeFileSync(file("lines.txt"), lines.join(""));
    const edits = [2, 9].map((line) => ({ old_text: `line ${line}\n`, new_text: `LINE ${line}\n` }));
    const calls = [{ name: "edit_file", arguments: { path: "lines.txt", edits } }];
    writeFileSync(
      file("edits.json"),
      JSON.stringify({ name: "Edits", steps: [{ calls }, { say: "Done." }] }),
    );
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.ask("Play edits.json");
    await files("1 changed file");
    await button(/^lines\.txt: 2 lines added, 2 removed/).waitFor();
    await workbench.runCommand("Inference Changes: Next Hunk");
    const lens = workbench.page
      .locator(".codelens-decoration")
      .getByRole("button", { name: "Reject", exact: true });
    await lens.first().waitFor();
    await workbench.screenshot("agent-hunks");
    await lens.first().click();
    await files("1 changed file");
    await button(/^lines\.txt: 1 line added, 1 removed/).waitFor();
    assert.equal(readFileSync(file("lines.txt"), "utf8"), lines.join("").replace("line 9", "LINE 9"));
    await button("Accept lines.txt").click();
    await button("1 changed file").waitFor({ state: "detached" });
    await lens.first().waitFor({ state: "detached" });
  });

  it("lists a background command that ended by itself with its exit code, until it is dismissed", async () => {
    const { workbench } = window;
    const command = "echo ready; exit 3";
    const calls = [{ name: "run_command", arguments: { command, background: true } }];
    const steps = [{ calls }, { say: "It has ended." }];
    writeFileSync(file("server.json"), JSON.stringify({ name: "Server", steps }));
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.ask("Play server.json");
    await allow(`in the background: ${command}`);
    await chat().getByText("It has ended.", { exact: true }).waitFor();
    await button("1 command ended").click();
    const commands = chat().getByRole("dialog", { name: "Commands in the background" });
    await commands.getByText("Exit code 3.", { exact: true }).waitFor();
    await window.pictures("agent-ended");
    await button(`Dismiss ${command}`).click();
    await commands.waitFor({ state: "detached" });
  });

  it("says on the card that a command runs in a sandbox, and lets the user turn its network on", async () => {
    const { workbench } = window;
    const command = "echo one > made.txt; echo two > ../outside.txt; wc -l < /proc/net/dev";
    const calls = [{ name: "run_command", arguments: { command } }];
    writeFileSync(file("net.json"), JSON.stringify({ name: "Net", steps: [{ calls }, { say: "It ran." }] }));
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.ask("Play net.json");
    const call = chat().getByRole("region", { name: "Run a command: waits for your approval" });
    const { isOn } = await sandboxHere();
    const limits = isOn
      ? "In a sandbox: writes only in the workspace, no network."
      : /^Without a sandbox, because .+\.$/;
    await call.getByText(limits).waitFor();
    await window.pictures("agent-sandbox");
    if (isOn) {
      await call.getByRole("button", { name: "Turn Network On" }).click();
      await call.getByText("In a sandbox: writes only in the workspace, with network.").waitFor();
      await call.getByText("It asks because it may use the network.").waitFor();
      await workbench.screenshot("agent-sandbox-network");
      await call.getByRole("button", { name: "Turn Network Off" }).click();
      await call.getByText(limits).waitFor();
    }
    await call.getByRole("button", { name: /^Allow/ }).click();
    await chat().getByText("It ran.", { exact: true }).waitFor();
    assert.equal(readFileSync(file("made.txt"), "utf8"), "one\n");
    assert.equal(existsSync(file("../outside.txt")), !isOn);
    // What it has changed is pending, as without the sandbox.
    await files("1 changed file");
    await button("Reject made.txt").click();
    await button("1 changed file").waitFor({ state: "detached" });
    assert.ok(!existsSync(file("made.txt")));
    await workbench.screenshot("agent-sandbox-done");
  });

  hookTests(window);
  subagentTests(window);
  serverAndSubagentTests(window);
  otherAgentTests(window);

  it("goes on from a summary when the context is full, which can be opened", async () => {
    const { workbench } = window;
    writeFileSync(file("big.txt"), "A line of a large file.\n".repeat(2600));
    // Results shrink to their handles, so a long question before the task fills the context, and is summarised.
    const calls = Array.from({ length: 6 }, () => ({ name: "read_file", arguments: { path: "big.txt" } }));
    const steps = [{ repeat: 3, calls }, { say: "I have read it three times." }];
    writeFileSync(file("reads.json"), JSON.stringify({ name: "Reads", steps }));
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.ask("Which tasks are there?");
    await window.answered();
    const next = await nextAnswer(chat());
    await window.ask("Background. ".repeat(24_000));
    await next.locator("footer").waitFor();
    await window.ask("Play reads.json");
    await chat().getByText("I have read it three times.", { exact: true }).waitFor();
    const summary = chat().getByText(/^Summary of the \d+ messages above$/);
    await summary.click();
    await chat()
      .getByText(/^I have played \d+ rounds/)
      .waitFor();
    await summary.scrollIntoViewIfNeeded();
    await workbench.screenshot("agent-summary");
  });

  it("stops before the call that could cost more than the cap, and goes on after it was raised", async () => {
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await chat().getByRole("combobox", { name: "Mode" }).selectOption("Agent");
    await button("Rewind Again").waitFor({ state: "detached" });
    const cap = chat().getByRole("textbox", { name: "Cap of a task in USD" });
    await cap.fill("0.01");
    await cap.press("Tab");
    await window.ask("Loop for ever");
    await chat()
      .getByText(/The task has stopped: nothing was sent/)
      .waitFor();
    await chat()
      .getByText(/of \$0\.01/)
      .first()
      .waitFor();
    await window.workbench.screenshot("agent-cap");
    await cap.fill("0.02");
    await cap.press("Tab");
    await button("Retry").click();
    await chat()
      .getByText(/The task has stopped: nothing was sent/)
      .waitFor({ state: "detached" });
    await button(/^Stop Answer/).click();
  });
});

// A whole task of the mode Agent with the sandbox's scripted model: plan, edits, command, review, rewind.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openChatWindow } from "./openChat.ts";

describe("the mode Agent", () => {
  const window = openChatWindow("agent", { tokensPerSecond: 2000 });
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });
  const file = (name: string) => join(window.workbench.profile.workspace, name);
  const allow = async (command: string) => {
    const call = chat().getByRole("listitem", { name: "Run a command: waits for your approval" });
    await call.getByText(`Run ${command}`).waitFor();
    await call.getByRole("button", { name: /^Allow/ }).click();
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
    await allow(test);
    await chat()
      .getByText(/^Plan: \d of \d done$/)
      .waitFor();
    await chat().getByText("2 changed files").waitFor();
    await window.answered();
    await chat()
      .getByText(/\$0\.\d+.* of \$1/)
      .waitFor();
    assert.ok(existsSync(file("inference-demo/sum.mjs")));
    await window.workbench.screenshot("agent-done");
  });

  it("shows the changed files, and opens the diff of one", async () => {
    await button(/^inference-demo\/sum\.mjs/).click();
    await window.workbench.page
      .getByRole("tab", { name: /sum\.mjs/ })
      .first()
      .waitFor();
    await window.workbench.screenshot("agent-diff");
  });

  it("rejects one file, rewinds the rest with the chat, and undoes that", async () => {
    const text = readFileSync(file("inference-demo/sum.test.mjs"), "utf8");
    await button("Reject inference-demo/sum.test.mjs").click();
    await chat().getByText("1 changed file").waitFor();
    assert.ok(!existsSync(file("inference-demo/sum.test.mjs")));
    await chat().locator(".question-turn").first().hover();
    await button("Rewind to Before This Question").first().click();
    await chat().getByRole("menuitem", { name: "Rewind Files The conversation stays" }).click();
    await chat()
      .getByText(/was rewound|were rewound/)
      .waitFor();
    assert.ok(!existsSync(file("inference-demo/sum.mjs")));
    await button("Undo Rewind").click();
    await chat()
      .getByText(/was rewound|were rewound/)
      .waitFor();
    assert.ok(text.length > 0);
  });
});

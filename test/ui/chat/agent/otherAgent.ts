import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { asks, option } from "../../../unit/chat/host/acp/agentScript.ts";
import type { ChatWindow } from "../openChat.ts";

const fake = fileURLToPath(new URL("../../../unit/agents/fakeAgent.mjs", import.meta.url));

/** A question that another program answers: consent, a step that asks, an edit as a hunk, its cost, and the way back. */
export function otherAgentTests(window: ChatWindow): void {
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });

  it("lets another agent of this machine answer, with its own options and its edits as hunks", async () => {
    const { workbench } = window;
    const { home, workspace } = workbench.profile;
    const note = join(workspace, "note.txt");
    writeFileSync(note, "one\n");
    const steps = [
      { say: "I look at the note." },
      asks("s1", "rm -rf build", option("allow_once", "Yes, run it"), option("reject_once", "No, go on")),
      { ownFile: ["note.txt", "one\ntwo\n"] },
      { call: "Hello" },
      { say: "The note has two lines." },
    ];
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    const script = `#!/bin/sh\nFAKE_STEPS='${JSON.stringify({ steps })}' exec "${process.execPath}" "${fake}"\n`;
    writeFileSync(join(home, ".local/bin/opencode"), script, { mode: 0o755 });

    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    const mode = chat().getByRole("combobox", { name: "Mode" });
    await mode.focus();
    await mode.locator("option", { hasText: /^OpenCode$/ }).waitFor({ state: "attached" });
    await mode.selectOption("OpenCode");
    await chat().getByText("OpenCode answers", { exact: true }).waitFor();
    await window.ask("Add a line to the note");
    const question = workbench.page.locator(".quick-input-widget");
    await question.getByText("OpenCode wants to start").waitFor();
    await workbench.screenshot("other-agent-consent");
    await question.getByText("Allow It").first().click();

    await chat().getByText("rm -rf build").first().waitFor();
    await window.pictures("other-agent-asks");
    await button("Yes, run it").click();
    await chat()
      .getByText(/The note has two lines\.$/)
      .waitFor();
    await window.answered();
    // Those of the tasks before are among them.
    const files = button(/^\d+ changed files?$/);
    await files.waitFor();
    await button(/^The last task had \d+ rounds? and cost \$0\.\d+/).waitFor();
    assert.equal(readFileSync(note, "utf8"), "one\ntwo\n");
    await window.pictures("other-agent-done");
    const { page } = workbench;
    const size = page.viewportSize();
    await page.setViewportSize({ width: 640, height: 400 });
    await workbench.setSideBarWidth(260);
    await workbench.screenshot("other-agent-200");
    if (size) await page.setViewportSize(size);
    await workbench.setSideBarWidth(420);

    await files.click();
    await button("Reject note.txt").click();
    await button("Reject note.txt").waitFor({ state: "detached" });
    assert.equal(readFileSync(note, "utf8"), "one\n");
    await button("Back to Agent").click();
    await chat().getByText("OpenCode answers", { exact: true }).waitFor({ state: "detached" });
  });
}

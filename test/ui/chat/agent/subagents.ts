import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import type { ChatWindow } from "../openChat.ts";

/** Two subagents at work, each with a row of its own; one is stopped alone, and the bill has both. */
export function subagentTests(window: ChatWindow): void {
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });
  const stops = /^Stop the Subagent: /;

  it("shows two subagents side by side, each with what it does, its rounds, its cost and a stop", async () => {
    const { workbench } = window;
    const put = (name: string, steps: readonly object[]) =>
      writeFileSync(join(workbench.profile.workspace, name), JSON.stringify({ name, steps }));
    const read = (path: string) => ({ name: "read_file", arguments: { path } });
    const delegate = (task: string) => ({ name: "delegate", arguments: { task, cap_percent: 40 } });
    const looking = (path: string) => [
      { say: "I look at it.", calls: [read(path)] },
      { say: `It is in ${path}:1. ${"That is all that I have found. ".repeat(20)}` },
    ];
    put("parser.json", looking("parser.json"));
    put("printer.json", looking("printer.json"));
    put("both.json", [
      {
        say: "I give each half to a subagent.",
        calls: [
          delegate("Play parser.json, and tell where the parser reads numbers"),
          delegate("Play printer.json, and tell where the printer rounds them"),
        ],
      },
      { say: "Both have told what they found." },
    ]);
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    // After two rounds each, the subagents get their answers so slowly that they work until they are stopped.
    const match = { path: "/chat/completions", model: "scripted" };
    window.service.setFaults([{ kind: "drip", bytes: 1, ms: 1000, match, after: 6, times: 2 }]);
    await window.ask("Play both.json");
    await button(stops).nth(1).waitFor();
    await chat()
      .getByText(/^3 rounds/)
      .nth(1)
      .waitFor();
    await workbench.screenshot("subagents");
    await window.pictures("subagents");
  });

  it("stops one of them alone, and counts both in the bill of the task", async () => {
    const { workbench } = window;
    await button(/^Stop the Subagent: Play parser/).click();
    await button(/^Stop the Subagent: Play parser/).waitFor({ state: "detached" });
    await button(/^Stop the Subagent: Play printer/).click();
    window.service.setFaults([]);
    await chat().getByText("Both have told what they found.", { exact: true }).waitFor();
    await window.answered();
    await button(/^\d+ rounds$/).click();
    await chat()
      .locator(".round-subagent")
      .filter({ hasText: /^Subagent · \d+ rounds? · .*\$0\.\d+/ })
      .nth(1)
      .waitFor();
    await workbench.screenshot("subagents-bill");
    await workbench.setSideBarWidth(260);
    await workbench.screenshot("subagents-bill-260");
    await workbench.setSideBarWidth(420);
  });

  it("a subagent that acts works in a worktree of its own, and its change is there to review", async () => {
    const { workbench } = window;
    const { workspace } = workbench.profile;
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        encoding: "utf8",
      });
    git("commit", "--quiet", "--allow-empty", "--message=first");
    const put = (name: string, steps: readonly object[]) =>
      writeFileSync(join(workspace, name), JSON.stringify({ name, steps }));
    put("writer.json", [
      { calls: [{ name: "write_file", arguments: { path: "acted.txt", text: "by a subagent\n" } }] },
      { say: "It is written." },
    ]);
    const task = { task: "Play writer.json, and write the file", mode: "act", cap_percent: 40 };
    put("acting.json", [
      { say: "I give it to a subagent.", calls: [{ name: "delegate", arguments: task }] },
      { say: "The subagent has written it." },
    ]);
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    await window.ask("Play acting.json");
    await chat().getByText("The subagent has written it.", { exact: true }).waitFor();
    await window.answered();
    await button(/changed files?$/).waitFor();
    assert.equal(readFileSync(join(workspace, "acted.txt"), "utf8"), "by a subagent\n");
    assert.equal(git("worktree", "list").trim().split("\n").length, 1);
    await workbench.screenshot("subagent-acted");
    await window.pictures("subagent-acted");
  });
}

// What the user says to a task, and how a task that is out of sight calls for the user.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openChatWindow } from "./openChat.ts";

describe("a task that the user steers", () => {
  const window = openChatWindow("steering", { tokensPerSecond: 2000 });
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });
  /** Asks for a task that plays these steps. */
  const play = async (name: string, steps: readonly object[]) => {
    const path = join(window.workbench.profile.workspace, `${name}.json`);
    writeFileSync(path, JSON.stringify({ name, steps }));
    await window.ask(`Play ${name}.json`);
  };
  const command = (text: string) => ({ calls: [{ name: "run_command", arguments: { command: text } }] });
  /** Pictures in a narrow view, in three themes. */
  const pictures = async (name: string) => {
    const { workbench } = window;
    await workbench.setSideBarWidth(260);
    for (const theme of ["hc", "dark", "light"] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`steering-${name}-${theme}`);
    }
  };

  it("goes on by the reason for which a command was skipped", async () => {
    await window.workbench.setSideBarWidth(420);
    await chat().locator(".picker-button").click();
    await chat().getByRole("option", { name: "Scripted" }).first().click();
    await chat().getByRole("combobox", { name: "Mode" }).selectOption("Agent");
    await play("Cleaning", [command("rm -rf build"), { say: "I have left the folder alone." }]);
    await button("Skip with a Reason…").click();
    const reason = chat().getByRole("textbox", { name: "Why the call is skipped, for the model" });
    await reason.fill("Keep the folder build: it has the release of yesterday.");
    await pictures("reason");
    await reason.press("Enter");
    await chat().getByText("I have left the folder alone.", { exact: true }).waitFor();
    await chat().getByText("You: Keep the folder build: it has the release of yesterday.").waitFor();
    await pictures("skipped");
  });

  it("tells in a message and a badge that it waits and has ended, while the chat is not in sight", async () => {
    const { workbench } = window;
    const { page, notifications } = workbench;
    const badge = page.locator(".activitybar .action-item", { hasText: "1" });
    const gate = join(workbench.profile.workspace, "gate");
    execFileSync("mkfifo", [gate]);
    await play("Waiting", [command("read line < gate"), command("touch it"), { say: "It was touched." }]);
    await button("Skip with a Reason…").waitFor();
    await workbench.screenshot("steering-approval");
    await chat().getByRole("button", { name: "Allow", exact: true }).click();
    await chat().getByText("running…").waitFor();
    await workbench.runCommand("View: Show Explorer");
    await writeFile(gate, "go\n");
    await notifications.getByText("The agent waits for you: Run touch it").waitFor();
    await badge.waitFor();
    await workbench.screenshot("steering-notice");
    await notifications.getByRole("button", { name: "Show Chat" }).click();
    await chat().getByRole("button", { name: "Skip", exact: true }).click();
    await chat().getByText("It was touched.", { exact: true }).waitFor();
    await badge.waitFor({ state: "detached" });
  });

  it("gets messages with its next round, and others after it", async () => {
    const { workbench } = window;
    const gate = join(workbench.profile.workspace, "gate");
    const allow = () => chat().getByRole("button", { name: "Allow", exact: true }).click();
    const waiting = chat().getByRole("list", { name: "Questions that wait" });
    await play("Steered", [command("read line < gate"), { say: "The gate is open." }]);
    await allow();
    await chat().getByText("running…").waitFor();
    await window.prompt().fill("Look at the licence, too");
    await chat().getByText("Enter: with the next round · Alt+Enter: after this task").waitFor();
    await pictures("typed");
    await window.prompt().press("Enter");
    await chat().getByText("Sent with the next round").waitFor();
    await window.prompt().fill("Then write a summary");
    await window.prompt().press("Alt+Enter");
    await chat().getByText("Sent 1 with the next round, 1 after this task").waitFor();
    await pictures("queued");
    // The last one comes back, and is sent again.
    await window.prompt().press("ArrowUp");
    await waiting.getByText("Then write a summary").waitFor({ state: "detached" });
    await window.prompt().press("Alt+Enter");
    await waiting.getByText("Then write a summary").waitFor();
    await writeFile(gate, "go\n");
    await chat().getByRole("article", { name: "Your message to the task" }).waitFor();
    await waiting.waitFor({ state: "detached" });
    const last = chat().getByRole("article", { name: "Your question" }).last();
    await last.getByText("Then write a summary").waitFor();
    await pictures("sent");
  });
});

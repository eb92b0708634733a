import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import type { ChatWindow } from "../openChat.ts";

/** A hook of the workspace: the user sees what it runs, declines it twice, and allows it, when it refuses a call. */
export function hookTests(window: ChatWindow): void {
  const { chat } = window;

  it("shows a hook of the workspace before it runs, and the call that it refuses", async () => {
    const { workbench } = window;
    const put = (name: string, text: string) => writeFileSync(join(workbench.profile.workspace, name), text);
    const question = workbench.page.locator(".quick-input-widget");
    mkdirSync(join(workbench.profile.workspace, ".github/hooks"), { recursive: true });
    put(
      "guard.sh",
      `grep -q '"tool_name":"run_command"' || exit 0\necho "No commands in $STAGE." >&2\nexit 2\n`,
    );
    const calls = [{ name: "run_command", arguments: { command: "ls" } }];
    put("list.json", JSON.stringify({ name: "List", steps: [{ calls }, { say: "Listed." }] }));
    // Each is another hook, so each one asks.
    for (const [theme, answer] of [
      ["dark", "Don't Run It"],
      ["hc", "Don't Run It"],
      ["light", "Allow It"],
    ] as const) {
      const hook = { type: "command", command: "sh ./guard.sh", env: { STAGE: theme }, timeout: 15 };
      put(".github/hooks/guard.json", JSON.stringify({ hooks: { PreToolUse: [hook] } }));
      await workbench.setTheme(theme);
      await workbench.runCommand("Inference Chat: New Conversation");
      await chat().locator(".welcome").waitFor();
      await window.ask("Play list.json");
      await question.getByText("A hook of this workspace wants to run").waitFor();
      for (const line of [
        "Command: sh ./guard.sh",
        `Variable: STAGE=${theme}`,
        "File: .github/hooks/guard.json",
      ])
        await question.getByText(line).first().waitFor();
      await workbench.screenshot(`hook-question-${theme}`);
      await question.getByText(answer).first().click();
      await chat().getByText("Listed.", { exact: true }).waitFor();
    }
    rmSync(join(workbench.profile.workspace, ".github"), { recursive: true });
    await chat().locator(".call-over summary").filter({ hasText: "Run ls" }).click();
    await chat()
      .getByText(
        /refused by the hook "sh \.\/guard\.sh" of \.github\/hooks\/guard\.json: No commands in light\./,
      )
      .first()
      .waitFor();
    await window.pictures("hook-refused");
  });
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { everything } from "../../../unit/tools/mcp/client/openTestServer.ts";
import type { ChatWindow } from "../openChat.ts";

/** One task that calls a tool of an MCP server and starts two subagents. */
export function serverAndSubagentTests(window: ChatWindow): void {
  const { chat } = window;
  const button = (name: string | RegExp) => chat().getByRole("button", { name });
  const tools = () => chat().getByRole("dialog", { name: "Tools of this chat" });

  it("calls an MCP server after an approval, and gives the rest to two subagents", async () => {
    const { workbench } = window;
    const put = (name: string, content: object) =>
      writeFileSync(join(workbench.profile.workspace, name), JSON.stringify(content));
    const delegate = (task: string) => ({ name: "delegate", arguments: { task, cap_percent: 40 } });
    const told = (name: string) =>
      put(name, { name, steps: [{ say: "I look at it." }, { say: `It is in ${name}:1.` }] });
    mkdirSync(join(workbench.profile.workspace, ".vscode"), { recursive: true });
    const server = { type: "stdio", command: process.execPath, args: [everything, "stdio"] };
    put(".vscode/mcp.json", { servers: { everything: server } });
    told("parser.json");
    told("printer.json");
    put("all.json", {
      name: "All",
      steps: [
        { calls: [{ name: "everything__echo", arguments: { message: "Where are numbers read?" } }] },
        {
          say: "I give each half to a subagent.",
          calls: [delegate("Play parser.json, and tell it"), delegate("Play printer.json, and tell it")],
        },
        { say: "The server and both subagents have told it." },
      ],
    });
    await workbench.runCommand("Inference Chat: New Conversation");
    await chat().locator(".welcome").waitFor();
    const wrench = chat().locator(".tools-button").getByRole("button", { name: "Tools of This Chat" });
    if (!(await wrench.isVisible())) {
      await button(/^Settings of This Chat/).click();
      await chat().locator(".settings-panel").getByRole("button", { name: "Tools of This Chat" }).click();
    } else await wrench.click();
    await tools()
      .getByText(/^everything/)
      .click();
    await button("Start everything").click();
    await tools().getByLabel("Echo Tool").check();
    await tools().press("Escape");
    await window.ask("Play all.json");
    const call = chat().getByRole("region", { name: "everything: Echo Tool: waits for your approval" });
    await call.getByText(/^Call echo of the server everything/).waitFor();
    await window.pictures("server-task-call");
    await call
      .getByRole("button", { name: /^Allow/ })
      .first()
      .click();
    await chat().getByText("The server and both subagents have told it.", { exact: true }).waitFor();
    await window.answered();
    await chat()
      .getByText(/^Ran 2 subagents/)
      .click();
    await chat().locator(".subagent-bill").nth(1).waitFor();
    await window.pictures("server-task");
    // A window at 200 % has half of the room.
    const { page } = workbench;
    const size = page.viewportSize();
    await page.setViewportSize({ width: 640, height: 400 });
    await workbench.setSideBarWidth(260);
    await workbench.screenshot("server-task-200");
    if (size) await page.setViewportSize(size);
    await workbench.setSideBarWidth(420);
  });
}

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { everything } from "../../unit/tools/mcp/client/openTestServer.ts";
import type { ChatWindow } from "./openChat.ts";

/** An MCP server of the workspace: started in the list of tools, called after an approval. */
export function serverToolsTests(window: ChatWindow, openTools: (name: string) => Promise<void>): void {
  const { chat, prompt } = window;
  const tools = () => chat().getByRole("dialog", { name: "Tools of this chat" });

  it("starts a server of the workspace, and offers its tools, none of them chosen", async () => {
    const { workspace } = window.workbench.profile;
    mkdirSync(join(workspace, ".vscode"), { recursive: true });
    const server = { type: "stdio", command: process.execPath, args: [everything, "stdio"] };
    writeFileSync(join(workspace, ".vscode/mcp.json"), JSON.stringify({ servers: { everything: server } }));
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await openTools("Tools of This Chat");
    await tools()
      .getByText(/^everything/)
      .click();
    await tools().getByRole("button", { name: "Start everything" }).click();
    await tools().getByRole("button", { name: "Stop everything" }).waitFor();
    const echo = tools().getByLabel("Echo Tool");
    await echo.waitFor();
    assert.equal(await echo.isChecked(), false);
    await window.workbench.screenshot("mcp-tools");
    await echo.check();
    // Its number of tools depends on its version.
    await tools()
      .getByText(/1 of \d+ tools on/)
      .waitFor();
    await tools().press("Escape");
  });

  it("asks before a call, with server, tool and arguments, and sends the result back", async () => {
    await prompt().fill('Use everything__echo with {"message": "Hello from the chat"}');
    await prompt().press("Enter");
    const call = chat().getByRole("region", { name: "everything: Echo Tool: waits for your approval" });
    await call.getByText(/^Call echo of the server everything/).waitFor();
    await window.workbench.screenshot("mcp-call");
    await call
      .getByRole("button", { name: /^Allow/ })
      .first()
      .click();
    await chat()
      .locator(".answer")
      .last()
      .getByText(/Echo: /)
      .waitFor();
    await window.workbench.screenshot("mcp-result");
  });
}

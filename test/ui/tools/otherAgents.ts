// Another agent uses the service of the window, is listed with what it has cost, and is stopped.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import type { ChatWindow } from "../chat/openChat.ts";
import type { Workbench } from "../workbench.ts";

/** Of the window's setting. The process of an earlier run keeps its own for two minutes. */
export const gatewayPort = 28_000 + (process.pid % 1000);
const title = "Inference Gateway: Use with Other Agents…";

export function otherAgentTests(window: ChatWindow): void {
  let workbench: Workbench;
  before(() => {
    ({ workbench } = window);
  });

  const row = (text: string | RegExp) =>
    workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: text });
  const token = () => {
    const storage = join(workbench.profile.userData, "User", "globalStorage");
    const folder = join(storage, "inference-workbench.inference-workbench", "gateway", "tokens");
    const [file = ""] = readdirSync(folder);
    return readFileSync(join(folder, file), "utf8");
  };
  const ask = (key: string) =>
    fetch(`http://127.0.0.1:${gatewayPort}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] }),
    });

  it("get a token and an address once the user has turned it on", async () => {
    await workbench.runCommand(title);
    await workbench.page.getByRole("button", { name: "Turn On and Continue" }).click();
    await workbench.pick("Other Program");
    await workbench.screenshot("other-agents-program");
    await workbench.pick("Copy the Token");
    await workbench.notifications.getByText("The token of Other Program was copied").waitFor();
    const answer = await ask(token());
    const { choices } = (await answer.json()) as {
      readonly choices: readonly { readonly message: object }[];
    };
    assert.deepEqual(choices[0]?.message, { role: "assistant", content: "Say this.", refusal: null });
  });

  it("are listed with their calls and their cost, and stopped", async () => {
    await workbench.runCommand(title);
    await row(/waiting · 1 call · .*\$5\.00/).waitFor();
    await workbench.screenshot("other-agents-sessions");
    await row(/waiting · 1 call/).click();
    await workbench.pick("Stop");
    // The window stops it once the list is closed.
    await workbench.runCommand(title);
    await row(/stopped · 1 call/).waitFor();
    await workbench.page.keyboard.press("Escape");
    const stopped = await ask(token());
    assert.equal(stopped.status, 403);
    assert.match(await stopped.text(), /The user stopped this session/);
  });

  it("go on after Resume in the view of their sessions", async () => {
    await workbench.runCommand("Inference Account: Focus on Agent Sessions View");
    const session = workbench.page.getByRole("treeitem", {
      name: /^Other Program( · [^,]+)?, .* of \$5\.00 · .*\/min · stopped · 1 call · echo$/,
    });
    await session.hover();
    await workbench.screenshot("other-agents-view");
    await session.getByRole("button", { name: "Resume" }).click();
    await workbench.page
      .getByRole("treeitem", { name: /^Other Program( · [^,]+)?, .* · waiting · / })
      .waitFor();
    assert.equal((await ask(token())).status, 200);
    await workbench.page.getByRole("treeitem", { name: /waiting · 2 calls · echo$/ }).waitFor();
    await workbench.screenshot("other-agents-view-waiting");
  });

  it("are refused after their token was revoked", async () => {
    const key = token();
    await workbench.runCommand(title);
    await row("has a token").click();
    // The list is longer than its box, which has only the rows that are shown.
    await row("Copy the Token").waitFor();
    await workbench.page.keyboard.type("Revoke");
    await workbench.pick("Revoke…");
    await workbench.page.getByRole("button", { name: "Revoke" }).click();
    await workbench.page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
    await workbench.runCommand(title);
    await row("Other Program").first().waitFor();
    assert.equal(await row("has a token").count(), 0);
    await workbench.page.keyboard.press("Escape");
    assert.equal((await ask(key)).status, 401);
  });
}

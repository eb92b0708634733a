// Another agent uses the service of the window, is listed with what it has cost, and is stopped.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { basename, join } from "node:path";
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

  it("get a token of the folder in a terminal, in its variables alone", async () => {
    await workbench.runCommand(title);
    await row("has a token").click();
    await row("Open a Terminal with Its Variables").click();
    await workbench.page.getByPlaceholder("The model that the agent is to use").waitFor();
    await workbench.page.keyboard.type("echo");
    await row("echo").first().click();
    await workbench.page.locator(".terminal-wrapper.active .xterm.focus").waitFor();
    const { workspace, userData } = workbench.profile;
    const changes = watch(workspace)[Symbol.asyncIterator]();
    await workbench.page.keyboard.type("ps -eo args > args.txt; env > env.txt; touch over.txt\n");
    while (!existsSync(join(workspace, "over.txt"))) await changes.next();
    await changes.return?.();
    await workbench.screenshot("other-agents-terminal");
    const variables = readFileSync(join(workspace, "env.txt"), "utf8");
    const given = /^INFERENCE_GATEWAY_TOKEN=(gw-.+)$/m.exec(variables)?.[1] ?? "";
    const address = `http://127.0.0.1:${gatewayPort}`;
    assert.ok(variables.includes(`\nOPENAI_BASE_URL=${address}/v1\n`));
    assert.ok(variables.includes(`\nANTHROPIC_BASE_URL=${address}\n`));
    assert.match(variables, /^NO_PROXY=(.*,)?127\.0\.0\.1$/m);
    assert.match(given, /^gw-[\w-]{40,}$/);
    assert.notEqual(given, token());
    const settingsText = readFileSync(join(userData, "User", "settings.json"), "utf8");
    for (const text of [readFileSync(join(workspace, "args.txt"), "utf8"), settingsText])
      assert.ok(!text.includes(given) && !text.includes(token()));
    assert.equal((await ask(given)).status, 200);
    await workbench.runCommand("Inference Account: Focus on Agent Sessions View");
    const name = new RegExp(`^Other Program · ${basename(workspace)}, .* · waiting · 1 call · echo$`);
    await workbench.page.getByRole("treeitem", { name }).waitFor();
    await workbench.runCommand("Terminal: Kill All Terminals");
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

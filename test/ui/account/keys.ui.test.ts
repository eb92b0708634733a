import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { manyKeys } from "./manyKeys.ts";
import { accountAt, accountParts } from "./parts.ts";

const adminKey = "ui-test-key-canary";
const elevenMinutesMs = 11 * 60_000;

describe("keys of an account with a key list", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  let secret = "";
  /** How far the service's clock is ahead of ours, in milliseconds. */
  let aheadMs = 0;
  before(async () => {
    service = await startTestSandbox({
      apiKey: adminKey,
      dialect: "venice",
      balances: { usd: 25, diemPerDay: 0 },
      tokensPerSecond: 5000,
      clock: () => Date.now() + aheadMs,
    });
    workbench = await openWorkbench(
      "account-keys",
      {},
      { INFERENCE_API_KEY: adminKey, INFERENCE_BASE_URL: service.baseUrl.replace("/api/v1", "") },
    ).catch(async (error) => {
      await service.close();
      throw error;
    });
    await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    git("init", "--quiet");
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: workbench.profile.workspace, encoding: "utf8" });
  const { openAccount, input, asked, offered, dialog, section, row } = accountParts(() => workbench);
  const { keys: listed } = accountAt(() => service);
  interface Wanted {
    readonly type: string;
    readonly name: string;
    readonly usd: string;
    /** Only for a key with a limit. */
    readonly period?: string;
    readonly expiry: string;
  }
  /** Answers each step and confirms the summary. */
  const askFor = async ({ type, name, usd, period, expiry }: Wanted) => {
    await workbench.runCommand("Inference Account: Create API Key…");
    await offered("What may the key do?");
    await workbench.pick(type);
    await workbench.enter("Name of the key", name);
    await workbench.enter("Limit in USD", usd);
    await workbench.enter("Limit in DIEM", "");
    if (period) {
      await offered("Select the period of the limit");
      await workbench.pick(period);
    }
    await offered("When does the key expire?");
    await workbench.pick(expiry);
    await offered("Which models may the key call?");
    await workbench.pick("All Models");
    await dialog().getByRole("button", { name: "Create Key" }).click();
  };
  const typeName = async (verb: string) => {
    await workbench.enter(`Type the key's name, ci, to ${verb} it`, "CI");
    await workbench.enter('The name does not match "ci".', "ci");
  };

  it("writes the secret of a new key to a .env that git ignores, and to the clipboard", async () => {
    await openAccount();
    await workbench.setSideBarWidth(420);
    await section("API Keys").click();
    // By now the service's dialect is known, so the last step is asked.
    await row("Sandbox, inference only").waitFor();
    await askFor({ type: "Inference", name: "ci", usd: "0.0005", period: "Lifetime", expiry: "Tomorrow" });
    await offered("Save it now. It can't be shown again.");
    secret = (
      await input().locator(".quick-input-list .monaco-list-row .label-name").first().innerText()
    ).trim();
    await workbench.pick("Insert into .env");
    await asked("Name of the variable");
    await workbench.screenshot("account-env-name");
    await input().locator("input.input").press("Enter");
    await dialog().getByText("Git does not ignore this .env file").waitFor();
    await workbench.screenshot("account-env-ignore");
    await dialog().getByRole("button", { name: "Add .env to .gitignore" }).click();
    await offered("Inserted into sample/.env.");
    const path = join(workbench.profile.workspace, ".env");
    assert.equal(readFileSync(path, "utf8"), `INFERENCE_API_KEY=${secret}\n`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.doesNotMatch(git("status", "--porcelain", "--untracked-files=all"), / \.env$/m);
    await workbench.pick(secret);
    await offered("Inserted into sample/.env. Copied.");
    assert.equal(await workbench.page.evaluate("navigator.clipboard.readText()"), secret);
    await workbench.screenshot("account-env-done");
    await workbench.pick("Save as a Connection");
    await offered('Inserted into sample/.env. Copied. Saved as "ci".');
    await workbench.pick("Done");
  });

  it("the secret is in no other file and in no log", () => {
    const { userData, workspace } = workbench.profile;
    const files = [userData, workspace].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name)),
    );
    assert.deepEqual(
      files.filter((file) => readFileSync(file).includes(secret)),
      [join(workspace, ".env")],
    );
  });

  it("shows the key with a bar that moves with its spending", async () => {
    await row("ci").getByText("▱▱▱▱▱▱▱▱ 0 %").waitFor();
    await row("ci")
      .getByText(/expires in/)
      .waitFor();
    await workbench.screenshot("account-keys-unused");
    const reply = await fetch(`${service.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "guide", messages: [{ role: "user", content: "What is this?" }] }),
    });
    assert.equal(reply.status, 200);
    // The service updates its counts every ten minutes, and a new window requests them again.
    aheadMs += elevenMinutesMs;
    // The side bar reopens after the reload.
    await workbench.reload();
    await row("ci").getByText("▰").waitFor();
    await workbench.screenshot("account-keys-spent");
  });

  it("asks twice before it creates an ADMIN key", async () => {
    await askFor({ type: "Admin", name: "root", usd: "", expiry: "Never" });
    await dialog().getByText('"root" will have all permissions.').waitFor();
    await workbench.screenshot("account-key-admin");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "hidden" });
    assert.ok((await listed()).every(({ description }) => description !== "root"));
  });

  it("changes a key once its name is typed", async () => {
    await workbench.runCommand("Inference Account: Edit API Key…");
    await offered("Select a key");
    await workbench.pick("ci");
    await offered("Select what to change");
    await workbench.screenshot("account-key-edit");
    await workbench.pick("Limit in USD");
    await workbench.enter("New limit; empty for none.", "2");
    await typeName("change");
    await row("ci").getByText("▰▱▱▱▱▱▱▱ 0 %").waitFor();
    const [changed] = (await listed()).filter(({ description }) => description === "ci");
    assert.equal(changed?.consumptionLimits.usd, 2);
  });

  it("revokes a key once its name is typed", async () => {
    await workbench.runCommand("Inference Account: Revoke API Key…");
    await offered("Select a key");
    await workbench.pick("ci");
    await asked("Type the key's name, ci, to revoke it");
    await workbench.screenshot("account-key-revoke");
    await typeName("revoke");
    await row("ci").waitFor({ state: "hidden" });
    assert.ok((await listed()).every(({ description }) => description !== "ci"));
    const reply = await fetch(`${service.baseUrl}/api_keys/rate_limits`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    assert.equal(reply.status, 401);
  });

  manyKeys({ workbench: () => workbench, service: () => service });

  it("shows ten thousand keys, and creates no more", async () => {
    const data = Array.from({ length: 10_000 }, (_, index) => ({
      id: `key-${index}`,
      apiKeyType: index % 9 ? "INFERENCE" : "ADMIN",
      description: `Worker ${index}`,
      last6Chars: String(100_000 + index),
      consumptionLimits: { usd: null, diem: null },
      limitPeriod: "EPOCH",
    }));
    service.setFaults([
      { match: { method: "GET", path: "/api_keys" }, kind: "edit", edit: () => ({ object: "list", data }) },
      ...data.slice(0, 15).map((record) => ({
        match: { path: `/api_keys/${record.id}` },
        kind: "json" as const,
        body: { data: record },
      })),
    ]);
    await workbench.reload();
    await row("10,000 keys").waitFor();
    await row("Worker 1").waitFor();
    const sent = service.requests.filter(({ method }) => method === "POST").length;
    await workbench.runCommand("Inference Account: Create API Key…");
    await dialog().getByText("The service allows 500 active keys, and this account has 10,000.").waitFor();
    await workbench.screenshot("account-keys-full");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "hidden" });
    assert.equal(await input().isVisible(), false);
    assert.equal(service.requests.filter(({ method }) => method === "POST").length, sent);
  });
});

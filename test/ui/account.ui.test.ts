import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Sandbox, startSandbox } from "../../src/sandbox/main.ts";
import { exactText, toExact } from "../../src/shared/money/exact.ts";
import { accountParts } from "./accountParts.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

const adminKey = "ui-test-key-canary";

describe("keys, usage and limits", () => {
  let service: Sandbox;
  let workbench: Workbench;
  let secret = "";
  before(async () => {
    service = await startSandbox({
      apiKey: adminKey,
      balances: { usd: 25, diemPerDay: 0 },
      tokensPerSecond: 5000,
    });
    workbench = await openWorkbench(
      "account",
      { "inference.budget.dayUsd": 0.00001 },
      { INFERENCE_API_KEY: adminKey, INFERENCE_BASE_URL: service.baseUrl.replace("/api/v1", "") },
    ).catch(async (error) => {
      await service.close();
      throw error;
    });
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const { input, asked, offered, dialog, section, row } = accountParts(() => workbench);
  const spend = () =>
    workbench.page.locator('[id="inference-workbench.inference-workbench.inference.spend"]');
  const status = () =>
    workbench.page.locator('[id="inference-workbench.inference-workbench.inference.connection"]');
  const switchTo = async (name: string) => {
    await status().click();
    await offered("Which service shall answer?");
    await workbench.page.keyboard.type(name);
    await workbench.page.keyboard.press("Enter");
    await status().getByText(name).waitFor();
  };
  const question = () => workbench.webview().getByRole("textbox").first();
  const ledger = async () => {
    const reply = await fetch(`${service.baseUrl}/billing/usage?limit=500`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const { data } = (await reply.json()) as { data: { amount: number; currency: string }[] };
    return data;
  };

  it("shows the account's limits, keys and usage beside the chat", async () => {
    await workbench.openSideBar();
    await workbench.setSideBarWidth(420);
    await section("Chat").click();
    for (const name of ["Usage", "Limits"]) await section(name).click();
    await row("Balance").getByText("$25.00").waitFor();
    await row("Tier").getByText("paid").waitFor();
    await workbench.screenshot("account-views");
    await workbench.setSideBarWidth(260);
    await workbench.screenshot("account-views-narrow");
    await workbench.setSideBarWidth(420);
    await section("Limits").click();
  });

  it("shows an account that was never used as that", async () => {
    await workbench.runCommand("Inference: Open Usage Dashboard");
    const page = workbench.webview("tab");
    await page.getByRole("heading", { name: "Usage of Environment" }).waitFor();
    await page.getByText("0 records").waitFor();
    await workbench.screenshot("account-dashboard-empty");
    await workbench.runCommand("View: Close Editor");
    await workbench.page.locator(".editor-group-container.empty").waitFor();
  });

  it("creates a key step by step, says what it will create, and shows its secret once", async () => {
    await section("API Keys").click();
    await workbench.runCommand("Inference: Create API Key…");
    await offered("What may the key do?");
    await workbench.screenshot("account-key-type");
    await workbench.pick("Inference");
    await asked("Name of the key");
    await workbench.enter("ci");
    await asked("Limit in USD");
    await workbench.enter("five");
    await input().locator(".quick-input-message").getByText("Enter an amount").waitFor();
    await workbench.enter("5");
    await asked("Limit in DIEM");
    await workbench.enter("");
    await offered("For how long does the limit count?");
    await workbench.screenshot("account-key-period");
    await workbench.pick("Month");
    await offered("When does the key expire?");
    await workbench.pick("In 7 days");
    await dialog().getByText("Create this key at Environment?").waitFor();
    await dialog().getByText("Limit: $5 per month").waitFor();
    await workbench.screenshot("account-key-summary");
    await dialog().getByRole("button", { name: "Create Key" }).click();
    await offered("Keep it now: nobody can show it again.");
    const first = input().locator(".quick-input-list .monaco-list-row .label-name").first();
    secret = (await first.innerText()).trim();
    assert.match(secret, /^sandbox-inference-/);
    await workbench.pick("Save as a Connection");
    await offered('Saved as "ci".');
    await workbench.pick("Done");
    await row("ci")
      .getByText(`…${secret.slice(-6)}`)
      .waitFor();
    await workbench.screenshot("account-key-created");
  });

  it("spends with the new key: the bar in the status bar moves", async () => {
    await spend().getByText("$0.00 today").waitFor();
    await switchTo("ci");
    await section("Chat").click();
    await question().fill("What is this?");
    await question().press("Enter");
    await spend()
      .getByText(/\$0\.0\d+ today · \$0\.00 left/)
      .waitFor();
    await workbench.screenshot("account-spent");
  });

  it("asks before the next call that costs money, and sends nothing if that is declined", async () => {
    const before = service.requestCount;
    await question().fill("And this?");
    await question().press("Enter");
    await dialog().getByText("Send this anyway?").waitFor();
    await workbench.screenshot("account-budget");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await workbench.webview().getByText("Nothing was sent, because").waitFor();
    const chats = service.requests.slice(before).filter(({ path }) => path.endsWith("/chat/completions"));
    assert.equal(chats.length, 0);
  });

  it("says once what needs an ADMIN key, and goes on with the rest", async () => {
    await section("Chat").click();
    await row("The account's usage needs an ADMIN key").waitFor();
    await row("Balance").waitFor();
    await workbench.page.locator(".part.sidebar").getByRole("button", { name: "Add ADMIN Key" }).waitFor();
    await workbench.screenshot("account-needs-admin");
  });

  it("shows the same sums in tree, dashboard, file and ledger", async () => {
    await switchTo("Environment");
    const charged = (await ledger()).reduce((sum, { amount }) => sum - toExact(amount), 0n);
    assert.ok(charged > 0n);
    await workbench.runCommand("Inference: Open Usage Dashboard");
    const page = workbench.webview();
    await page.getByRole("heading", { name: "Usage of Environment" }).waitFor();
    await page
      .getByText(`${(await ledger()).length} records`)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Show as table" }).click();
    await page.locator(".figures tfoot td").getByText(exactText(charged)).first().waitFor();
    await workbench.screenshot("account-dashboard-table");
    await page.getByRole("button", { name: "Show as chart" }).click();
    await page.locator(".window .row.opens").first().click();
    await page.getByRole("heading", { name: /^Request / }).waitFor();
    await page
      .locator(".request .total")
      .getByText(`$${exactText(charged)}`)
      .waitFor();
    await workbench.screenshot("account-dashboard");
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("exports what the ledger holds", async () => {
    const folder = workbench.profile.workspace;
    await workbench.runCommand("Inference: Export Usage…");
    await offered("Which days? (UTC)");
    await workbench.pick("Last 7 days");
    await offered("Which form?");
    await workbench.pick("CSV");
    await input().locator("input.input").waitFor();
    await input().getByRole("button", { name: "OK" }).click();
    await workbench.notifications.getByText(/usage-.*\.csv holds \d+ records, \$0\.0/).waitFor();
    const [name = ""] = readdirSync(folder).filter((file) => /^usage-.*\.csv$/.test(file));
    const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\r\n").slice(1);
    const rows = await ledger();
    assert.equal(lines.length, rows.length);
    assert.equal(
      exactText(lines.reduce((sum, line) => sum - toExact(line.split(",")[4] ?? ""), 0n)),
      exactText(rows.reduce((sum, { amount }) => sum - toExact(amount), 0n)),
    );
  });

  it("tells why a call cost what it did", async () => {
    await switchTo("ci");
    await switchTo("Environment");
    await workbench.runCommand("Inference: Why Did This Cost?");
    await workbench.notifications.getByText("over this connection has cost anything this month").waitFor();
  });

  it("can be looked at in each theme, and narrow", async () => {
    for (const theme of ["light", "hc", "dark"] as const) {
      await workbench.setTheme(theme);
      await workbench.webview().getByRole("heading", { name: "Models" }).waitFor();
      await workbench.screenshot(`account-dashboard-${theme}`);
    }
    await workbench.page.setViewportSize({ width: 620, height: 800 });
    await workbench.screenshot("account-dashboard-narrow");
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { formerSettings } from "../../../src/shared/names/formerNames.ts";
import { settings } from "../../../src/shared/names/ids.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { accountAt, accountParts, requestIdOf, totalOf } from "./parts.ts";

const adminKey = "ui-test-key-canary";
const elevenMinutesMs = 11 * 60_000;
const budget = settings.accountDayBudgetUsd;
const formerBudget = formerSettings[budget] ?? assert.fail();

type Values = Readonly<Record<string, unknown>>;

describe("keys, usage and limits", () => {
  let service: TestSandbox;
  let workbench: Workbench;
  /** How far the service's clock is ahead of ours, in milliseconds. */
  let aheadMs = 0;
  before(async () => {
    service = await startTestSandbox({
      apiKey: adminKey,
      balances: { usd: 25, diemPerDay: 0 },
      tokensPerSecond: 5000,
      clock: () => Date.now() + aheadMs,
    });
    workbench = await openWorkbench(
      "account",
      { [formerBudget]: 0.00001 },
      { INFERENCE_API_KEY: adminKey, INFERENCE_BASE_URL: service.baseUrl.replace("/api/v1", "") },
      { ".git/HEAD": "ref: refs/heads/who-spent\n" },
    ).catch(async (error) => {
      await service.close();
      throw error;
    });
  });
  after(async () => {
    await workbench.close();
    await service.close();
  });

  const { openAccount, input, offered, dialog, section, row, spend, switchTo, exportCsv } = accountParts(
    () => workbench,
  );
  const { ledger } = accountAt(() => service);
  const question = () => workbench.webview().getByRole("textbox", { name: "Your question" });
  const ask = async (text: string) => {
    await question().fill(text);
    await question().press("Enter");
  };
  const spent = (left: string) => spend().getByText(new RegExp(`\\$0\\.0+[1-9]\\d* today${left}`));

  it("shows limits, keys and usage in their own views, so that the chat has the side bar", async () => {
    await workbench.openSideBar();
    await workbench.setSideBarWidth(420);
    await question().waitFor();
    assert.equal(await workbench.page.locator(".part.sidebar .pane-header:visible").count(), 0);
    await openAccount();
    await section("Limits").click();
    await row("Balance").getByText("$25.00").waitFor();
    await row("Tier").getByText("paid").waitFor();
    await workbench.screenshot("account-views");
    await workbench.setSideBarWidth(260);
    await workbench.screenshot("account-views-narrow");
    await workbench.setSideBarWidth(420);
    await section("Limits").click();
  });

  it("shows an unused account as such", async () => {
    await workbench.runCommand("Inference Account: Open Usage Dashboard");
    const page = workbench.webview("tab");
    await page.getByRole("heading", { name: "Usage of Environment" }).waitFor();
    await page.getByText("0 records").waitFor();
    await workbench.screenshot("account-dashboard-empty");
    await workbench.runCommand("View: Close Editor");
    await workbench.page.locator(".editor-group-container.empty").waitFor();
  });

  it("explains the price of a call of this extension", async () => {
    await workbench.runCommand("Inference Account: Why Did This Cost?");
    await workbench.notifications.getByText("over this connection has cost anything this month").waitFor();
    await workbench.openSideBar();
    await ask("What is this?");
    // The budget was set under its former name.
    await spent(" · (≥ )?\\$0\\.\\d+ over budget").waitFor();
    const file = join(workbench.profile.userData, "User", "settings.json");
    const { [budget]: moved, [formerBudget]: former } = JSON.parse(readFileSync(file, "utf8")) as Values;
    assert.deepEqual([moved, former], [0.00001, undefined]);
    await workbench.runCommand("Inference Account: Why Did This Cost?");
    await offered("Calls of this month, newest first");
    await workbench.screenshot("account-why-calls");
    await input().locator(".quick-input-list .monaco-list-row").first().click();
    await dialog()
      .getByText(/^This cost \$0\.0\d+/)
      .waitFor();
    assert.equal(
      await dialog()
        .getByText(/\de-\d/)
        .count(),
      0,
    );
    await dialog().getByText("Source: Chat").waitFor();
    await dialog().getByText("Git branch: who-spent").waitFor();
    await workbench.screenshot("account-why");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await openAccount();
  });

  it("a key is created step by step, listed, used while the bars move, and exported", async () => {
    await section("API Keys").click();
    await workbench.runCommand("Inference Account: Create API Key…");
    await offered("What may the key do?");
    await workbench.screenshot("account-key-type");
    await workbench.pick("Inference");
    await workbench.enter("Name of the key", "ci");
    await workbench.enter("Limit in USD", "five");
    await input().locator(".quick-input-message").getByText("Enter an amount").waitFor();
    await workbench.enter("Enter an amount", "0.0005");
    await workbench.enter("Limit in DIEM", "");
    await offered("Select the period of the limit");
    await workbench.screenshot("account-key-period");
    await workbench.pick("Month");
    await offered("When does the key expire?");
    await workbench.pick("In 7 days");
    await dialog().getByText("Create this key at Environment?").waitFor();
    await dialog().getByText("Limit: $0.0005 per month").waitFor();
    await workbench.screenshot("account-key-summary");
    await dialog().getByRole("button", { name: "Create Key" }).click();
    await offered("Save it now. It can't be shown again.");
    const first = input().locator(".quick-input-list .monaco-list-row .label-name").first();
    const secret = (await first.innerText()).trim();
    assert.match(secret, /^service-inference-/);
    await workbench.pick("Save as a Connection");
    await offered('Saved as "ci".');
    await workbench.pick("Done");
    await row("ci").getByText("▱▱▱▱▱▱▱▱ 0 %").waitFor();
    await row("ci")
      .getByText(`…${secret.slice(-6)}`)
      .waitFor();
    await workbench.screenshot("account-key-created");
    const before = await ledger();
    await switchTo("ci");
    // This key can't read the bill, and nothing was recorded.
    await spend().getByText("– today").waitFor();
    await workbench.openSideBar();
    await ask("What is this?");
    await spent(" · (≥ )?\\$0\\.\\d+ over budget").waitFor();
    await workbench.screenshot("account-spent");
    const after = await ledger();
    assert.ok(after.length > before.length);
    await switchTo("Environment");
    const rows = await exportCsv();
    assert.equal(rows.length, after.length);
    assert.equal(totalOf(rows.map((cells) => ({ amount: cells[4] ?? "" }))), totalOf(after));
    // The calls of this connection are in its ledger, those of the other key are not.
    const places = new Set(rows.map((cells) => [cells[11], cells[14]].join(" ")));
    assert.deepEqual([...places].sort(), [" ", "Chat who-spent"]);
    await openAccount();
    // The service updates its counts every ten minutes, and a new window requests them again.
    aheadMs += elevenMinutesMs;
    await workbench.reload();
    await row("ci").getByText("▰").waitFor();
    await workbench.screenshot("account-key-spent");
  });

  it("shows a key that is in no list by its id, and names an id that is none of the account", async () => {
    const reply = await fetch(`${service.baseUrl}/api_keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ apiKeyType: "INFERENCE", description: "elsewhere" }),
    });
    const { data } = (await reply.json()) as { readonly data: { readonly id: string } };
    await workbench.runCommand("Inference Account: Show API Key by ID…");
    await workbench.enter("The id of a key at Environment", "00000000-0000-4000-8000-000000000000");
    await workbench.enter("Environment has no key with the id", data.id);
    const opened = workbench.page.locator(".part.sidebar .monaco-list-row.selected[aria-expanded=true]");
    await opened.filter({ hasText: "elsewhere" }).waitFor();
    await workbench.screenshot("account-key-looked-up");
  });

  it("asks before the next paid call, and sends nothing if that is declined", async () => {
    await workbench.openSideBar();
    await switchTo("ci");
    const before = service.requestCount;
    await ask("And this?");
    await dialog()
      .getByText(/^(At least )?\$.* Send this anyway\?$/)
      .waitFor();
    await workbench.screenshot("account-budget");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await workbench.webview().getByText("Nothing was sent, because").waitFor();
    const chats = service.requests.slice(before).filter(({ path }) => path.endsWith("/chat/completions"));
    assert.equal(chats.length, 0);
  });

  it("names once which parts need an ADMIN key, and shows the rest", async () => {
    await openAccount();
    await row("The account's usage needs an ADMIN key").waitFor();
    await row("Balance").waitFor();
    await workbench.page.locator(".part.sidebar").getByRole("button", { name: "Add ADMIN Key" }).waitFor();
    await workbench.screenshot("account-needs-admin");
  });

  it("shows the same totals in tree, dashboard, file and ledger", async () => {
    await switchTo("Environment");
    const charged = totalOf(await ledger());
    assert.notEqual(charged, "0");
    await workbench.runCommand("Inference Account: Open Usage Dashboard");
    const page = workbench.webview();
    await page.getByRole("heading", { name: "Usage of Environment" }).waitFor();
    await page
      .getByText(`${(await ledger()).length} records`)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Show as table", exact: true }).click();
    await page.locator(".figures tfoot td").getByText(charged).first().waitFor();
    await workbench.screenshot("account-dashboard-table");
    await page.getByRole("button", { name: "Show as chart", exact: true }).click();
    await page.locator(".window .row.opens").first().click();
    const request = await page.getByRole("heading", { name: /^Request / }).innerText();
    const ofRequest = totalOf((await ledger()).filter((entry) => request.endsWith(requestIdOf(entry))));
    await page.locator(".request .total").getByText(`$${ofRequest}`).waitFor();
    await workbench.screenshot("account-dashboard");
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("shows who spent it on this computer, and what the bill has beyond that", async () => {
    const calls = workbench.webview().getByRole("region", { name: "Who spent it" });
    await calls.getByText(/The bill shows \$0\.\d+ more\./).waitFor();
    assert.deepEqual(await calls.locator("tbody th").allInnerTexts(), ["Chat", "Elsewhere"]);
    await calls.getByRole("button", { name: "By branch" }).click();
    await calls.getByRole("button", { name: "who-spent" }).click();
    await calls.getByRole("button", { name: /^Show \d+ calls?$/ }).click();
    await calls.getByRole("grid", { name: "Calls" }).getByText("chat.stream").first().waitFor();
    await calls.scrollIntoViewIfNeeded();
    await workbench.screenshot("account-dashboard-calls");
  });

  it("has the theme of the editor", async () => {
    await workbench.setTheme("hc");
    const page = workbench.webview().locator("body.vscode-high-contrast");
    await page.getByRole("heading", { name: "Models" }).waitFor();
    await workbench.screenshot("account-dashboard-hc");
  });
});

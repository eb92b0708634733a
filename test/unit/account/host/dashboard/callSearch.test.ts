import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { type CallLedger, createCallSearch } from "../../../../../src/account/host/dashboard/callSearch.ts";
import {
  type FromUsageView,
  parseFromUsageView,
  type ToUsageView,
  type UsageState,
} from "../../../../../src/account/protocol/usageProtocol.ts";
import { known, none } from "../../../../../src/shared/known.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import { callAt, ledgerOf, noCalls, someCalls } from "../callLedgers.ts";
import { usd } from "../money.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

const state: UsageState = {
  service: "My service",
  from: "2026-11-01",
  to: "2026-11-23",
  lookback: 0,
  groupBy: "model",
  currency: "USD",
  onlyCurrency: "",
  currencies: ["USD"],
  days: [],
  series: none,
  cards: [],
  models: none,
  keys: none,
  records: known(0),
  asOfMs: Date.parse("2026-11-23T12:00:00Z"),
  warning: "",
  problem: "",
  needsAdmin: false,
  analyticsStatus: "beta",
  connection: "c",
};

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** The dashboard with this ledger; `ledger` may be replaced. */
async function open(ledger: CallLedger, size = { width: 1000, height: 900 }) {
  const shown = { ledger };
  const posted: FromUsageView[] = [];
  const { page, errors } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  const post = (message: ToUsageView) => page.evaluate((reported) => dashboardPage.handle(reported), message);
  const search = createCallSearch(
    async () => shown.ledger,
    (message) => void post(message).catch(() => {}),
  );
  await page.exposeFunction("askHost", (sent: unknown) => {
    const message = parseFromUsageView(sent);
    assert.ok(message, JSON.stringify(sent));
    posted.push(message);
    if (message.type === "ready") void post({ v: 1, type: "state", state });
    if (message.type === "calls") void search.query(message.body);
    if (message.type === "callRows") search.rows(message.body);
  });
  await page.setViewportSize(size);
  await page.evaluate(() => dashboardPage.start());
  const section = page.getByRole("region", { name: "Who spent it" });
  await section.waitFor();
  return { page, section, posted, post, shown, errors };
}

const names = (page: Page) => page.locator(".calls tbody th").allInnerTexts();

test("groups by each property, and a click or a list filters by it", async () => {
  const { page, section, errors } = await open(ledgerOf(someCalls, "2.49"));
  assert.deepEqual(await names(page), [
    "MCP client",
    "Chat",
    "Source not recorded",
    "RPC notebook",
    "Elsewhere",
  ]);
  await section.getByText("The bill shows $2.49 more.").waitFor();
  await section.getByRole("button", { name: "MCP client" }).click();
  await section.getByText("$1.25 for 2 of 5 calls").waitFor();
  await section.getByRole("button", { name: "By client" }).click();
  await section.getByRole("button", { name: "claude-code" }).waitFor();
  assert.deepEqual(await names(page), ["claude-code", "codex"]);
  assert.equal(await section.getByLabel("Filter by source").inputValue(), "=mcp");
  await section.getByLabel("Filter by source").selectOption("All sources");
  await section.getByLabel("Filter by branch").selectOption("No branch");
  await section.getByText("$0.010 for 1 of 5 calls").waitFor();
  assert.deepEqual(errors, []);
});

test("by key and model a click selects both, and a picked key selects its calls", async () => {
  const ofKeys = [
    callAt(0, { keyEnding: "aaa111", cost: usd("1") }),
    callAt(1, { keyEnding: "aaa111", model: "thinker", cost: usd("3") }),
    callAt(2, { keyEnding: "bbb222", cost: usd("0.5") }),
  ];
  const { page, section, post, posted } = await open(ledgerOf(ofKeys));
  await section.getByRole("button", { name: "By key and model" }).click();
  await section.getByRole("button", { name: "…aaa111 · thinker" }).click();
  await section.getByText("$3.00 for 1 of 3 calls").waitFor();
  assert.equal(await section.getByLabel("Filter by key").inputValue(), "=aaa111");
  await section.getByRole("button", { name: "…aaa111 · thinker", pressed: true }).click();
  await section.getByText("$4.50 for 3 calls").waitFor();
  await post({ v: 1, type: "pickKey", key: "aaa111" });
  await section.getByText("$4.00 for 2 of 3 calls").waitFor();
  assert.deepEqual(await names(page), ["…aaa111 · thinker", "…aaa111 · guide"]);
  const query = posted.findLast(({ type }) => type === "query");
  assert.equal(query?.type === "query" && query.body.key, "aaa111");
  await page.getByRole("button", { name: "…aaa111 ✕" }).click();
  await section.getByText("$4.50 for 3 calls").waitFor();
});

test("each column of the calls has its own width, so that a call is one line", async () => {
  const { section } = await open(ledgerOf(someCalls));
  await section.getByRole("button", { name: /^Show / }).click();
  const titles = section.locator(".grid").getByRole("columnheader");
  await titles.first().waitFor();
  const boxes = await Promise.all((await titles.all()).map((title) => title.boundingBox()));
  assert.equal(boxes.length, 10);
  assert.equal(new Set(boxes.map((box) => box?.y)).size, 1);
});

test("without calls the section says so, and shows only the rest of the bill", async () => {
  const empty = await open(noCalls);
  await empty.section.getByText("have cost anything.").waitFor();
  assert.equal(await empty.section.getByRole("button", { name: /calls?$/ }).count(), 0);
  assert.equal(await empty.section.locator("table").count(), 0);
  const billed = await open(ledgerOf([], "3"));
  assert.deepEqual(await names(billed.page), ["Elsewhere"]);
});

test("10,000 calls: only visible rows are in the page, and keys reach the last one and open its request", async () => {
  const calls = Array.from({ length: 10_000 }, (_, index) => callAt(index, { cost: usd("0.001") }));
  const { page, section, posted } = await open(ledgerOf(calls));
  const button = section.getByRole("button", { name: "Show 10,000 calls" });
  await button.focus();
  await page.keyboard.press("Enter");
  const grid = section.getByRole("grid", { name: "Calls" });
  await grid.getByText("2026-11-23 12:00:00").waitFor();
  assert.ok((await grid.locator(".window .row").count()) < 40);
  await grid.focus();
  await page.keyboard.press("End");
  await grid.locator('.row[aria-rowindex="10001"]').getByText("workbench").waitFor();
  await page.keyboard.press("Enter");
  assert.deepEqual(posted.at(-1), { v: 1, type: "request", body: { requestId: "request-9999" } });
});

test("a call that ends is counted at once, and the list stays where it is", async () => {
  const calls = Array.from({ length: 1000 }, (_, index) => callAt(index));
  const { page, section, post, shown } = await open(ledgerOf(calls));
  await section.getByRole("button", { name: "Show 1,000 calls" }).click();
  const grid = section.getByRole("grid", { name: "Calls" });
  await grid.focus();
  await page.keyboard.press("End");
  await grid.locator('.row[aria-rowindex="1001"]').getByText("workbench").waitFor();
  shown.ledger = ledgerOf([callAt(-1, { folder: "newest" }), ...calls]);
  for (let time = 0; time < 5; time++) await post({ v: 1, type: "callsChanged" });
  await section.getByText("for 1,001 calls").waitFor();
  assert.equal(await grid.locator(".row.active").getAttribute("aria-rowindex"), "1001");
  await page.keyboard.press("Home");
  await grid.getByText("newest").waitFor();
});

test("nothing is wider than a narrow page, also at 200 %", async () => {
  const long = callAt(0, { source: { kind: "mcp", client: "x".repeat(100) }, branch: "y".repeat(100) });
  for (const width of [400, 320]) {
    const { page, section } = await open(ledgerOf([long, ...someCalls], "1"), { width, height: 800 });
    await section.getByRole("button", { name: "By client" }).click();
    await section.getByRole("button", { name: /^x+$/ }).waitFor();
    const excessPx = await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);
    assert.equal(excessPx, 0, `at ${width} px`);
  }
});

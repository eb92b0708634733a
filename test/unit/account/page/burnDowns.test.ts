// The budgets on the dashboard: in words, by keys, in each theme and in a narrow tab.
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { burnDown } from "../../../../src/account/host/budgets/burnDown.ts";
import type { BurnDown } from "../../../../src/account/protocol/budgetsProtocol.ts";
import type {
  FromUsageView,
  ToUsageView,
  UsageState,
} from "../../../../src/account/protocol/usageProtocol.ts";
import { noSum } from "../../../../src/session/spend/scopes/scopeSums.ts";
import { scopedState } from "../../../../src/session/spend/spendBudget.ts";
import type { ScopedBudget } from "../../../../src/shared/money/scopedBudget.ts";
import { dayMs, dayOf } from "../../../../src/shared/time/days.ts";
import { listedCases } from "../../../runner/cases.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import { assertSeen, themeNames, wear } from "../../webview/themed.ts";
import { usd } from "../host/money.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const nowMs = Date.UTC(2026, 8, 16, 12);

/** A budget of which so much was spent, with that rate per day. */
function budgetOf(about: Partial<ScopedBudget>, spent: number, perDay: number, unpriced = 0): BurnDown {
  const budget = {
    per: { folder: "app" },
    limitUsd: 30,
    period: "month",
    onReach: "stop",
    ...about,
  } as const;
  const sum = { ...noSum, spent: usd(spent), unpriced };
  const entries = [{ id: "1", atMs: nowMs - 20 * dayMs, endpoint: "x", cost: usd(1) }];
  const spentOn = (day: number) => usd(day === dayOf(nowMs) ? spent - 15 * perDay : perDay);
  return burnDown(scopedState(budget, { today: sum, month: sum }), { entries, spentOn, nowMs });
}

const long = "a-workspace-folder-with-a-name-that-does-not-fit-into-a-narrow-tab-at-all";
const budgets = [
  budgetOf({ per: { client: "mcp:claude-code" }, limitUsd: 10 }, 12.5, 0.8),
  budgetOf({}, 27, 1.6),
  budgetOf({ per: { folder: long, branch: long } }, 15, 0.9, 2),
  budgetOf({ per: { model: "m" }, period: "day", limitUsd: 4 }, 1, 1),
];

const state: UsageState = {
  service: "My service",
  connection: "c",
  from: "2026-09-01",
  to: "2026-09-16",
  lookback: 30,
  groupBy: "model",
  currency: "USD",
  onlyCurrency: "",
  currencies: ["USD"],
  days: [],
  series: { is: "none" },
  cards: [],
  models: { is: "none" },
  keys: { is: "none" },
  records: { is: "none" },
  asOfMs: null,
  warning: "",
  analyticsStatus: "",
  problem: "",
  needsAdmin: false,
};

async function open(t: TestContext, shown: readonly BurnDown[], faults: readonly string[] = []) {
  const { page, errors } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  t.after(() => page.close());
  const told: FromUsageView[] = [];
  await page.exposeFunction("askHost", (message: FromUsageView) => void told.push(message));
  await page.evaluate(() => dashboardPage.start());
  const handle = (message: ToUsageView) => page.evaluate((one) => dashboardPage.handle(one), message);
  await handle({ v: 1, type: "state", state });
  await handle({ v: 1, type: "budgets", state: { budgets: shown, faults } });
  const section = page.getByRole("region", { name: "Budgets" });
  await section.waitFor();
  return { page, section, told, errors, handle };
}

test("each budget says in words what is left, what even use would leave, and the forecast", async (t) => {
  const { section, errors } = await open(t, budgets);
  const charts = section.getByRole("img");
  assert.equal(await charts.count(), budgets.length);
  assert.equal(
    await charts.first().getAttribute("aria-label"),
    "MCP client claude-code · month. $12.50 of $10.00 spent, $2.50 over budget. With even use 48 % would be left now. At the rate of the last full days it is over by $14.10 at the end of the month. Show as tables for the figures.",
  );
  await section.getByText("At least $15.00 of $30.00 spent, at most $15.00 left").waitFor();
  assert.deepEqual(errors, []);
});

test("by keys the charts become tables, and the budgets are changed", async (t) => {
  const { page, section, told } = await open(t, budgets);
  const button = section.getByRole("button", { name: "Show as tables" });
  await button.focus();
  await page.keyboard.press("Enter");
  const table = section.getByRole("region", { name: "Figures of Folder app · month" });
  assert.deepEqual(await table.locator("tr").nth(2).locator("th,td").allTextContents(), [
    "Sep 1",
    "$28.40",
    "97 %",
  ]);
  assert.deepEqual(await table.locator("tr").last().locator("th,td").allTextContents(), [
    "now",
    "$3.00",
    "48 %",
  ]);
  await table.focus();
  assert.equal(await table.evaluate((one) => one.matches(":focus")), true);
  await section.getByRole("button", { name: "Change Budget…" }).press("Enter");
  assert.equal(told.at(-1)?.type, "changeBudget");
});

test("of many budgets those with the least left are shown first, and what can't be read is named", async (t) => {
  const many = Array.from({ length: 9 }, (_, index) =>
    budgetOf({ per: { folder: `f${index}` } }, 20 - index, 1),
  );
  const { page, section, handle } = await open(t, many, [
    "A budget can't be read: x[0] has to be an object.",
  ]);
  assert.equal(await section.getByRole("img").count(), 6);
  await section.getByRole("button", { name: "Show all 9 budgets" }).click();
  assert.equal(await section.getByRole("img").count(), 9);
  await section.getByText("x[0] has to be an object").waitFor();
  await handle({ v: 1, type: "budgets", state: { budgets: [], faults: [] } });
  await section.waitFor({ state: "detached" });
  await handle({ v: 1, type: "budgets", state: { budgets: many, faults: [] } });
  await section.waitFor();
  await handle({ v: 1, type: "cleared" });
  await section.waitFor({ state: "detached" });
  assert.equal(await page.getByText("f0").count(), 0);
});

for (const theme of listedCases(themeNames, 2)) {
  test(`the budgets can be read in the theme ${theme}, and fit into 260 px`, async (t) => {
    const { page, section } = await open(t, budgets, ["A budget can't be read: x[0] has to be an object."]);
    await wear(page, theme);
    for (const width of [260, 900]) {
      await page.setViewportSize({ width, height: 1000 });
      await assertSeen(page, `budgets, ${width} px`);
      const box = await section.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
      assert.ok((box[0] ?? 0) <= (box[1] ?? 0), `${width}: ${box}`);
    }
    await section.getByRole("button", { name: "Show as tables" }).click();
    await assertSeen(page, "tables");
  });
}

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { ToUsageView, UsageState } from "../../../../src/account/protocol/usageProtocol.ts";
import { known, none } from "../../../../src/shared/known.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { openPage } from "../page.ts";
import { pageStyle } from "../pageStyle.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

/** At 24 pixels each, more than a browser can lay out. */
const size = 2_000_000;

// The table of records with a list that is taller than its sheet.
describe("a list that is too tall for a browser", () => {
  let browser: TestBrowser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    ({ page } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard")));
    const post = (message: ToUsageView) => page.evaluate((sent) => dashboardPage.handle(sent), message);
    await page.exposeFunction(
      "askHost",
      async ({ type, body }: { type: string; body: { query: number } }) => {
        if (type === "ready") await post({ v: 1, type: "state", state });
        if (type === "query") await post({ v: 1, type: "found", query: body.query, size });
      },
    );
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.evaluate(() => dashboardPage.start());
    await page.getByText("2,000,000 records").waitFor();
  });
  after(() => browser.close());

  /** The numbers of the rows that are completely in view. */
  const rowsInView = () =>
    page.locator(".records .scroller").evaluate((scroller) => {
      const { top, bottom } = scroller.getBoundingClientRect();
      return [...scroller.querySelectorAll(".row")].flatMap((row) => {
        const box = row.getBoundingClientRect();
        const isInView = box.top >= top - 1 && box.bottom <= bottom + 1;
        return isInView ? [Number(row.getAttribute("aria-rowindex")) - 1] : [];
      });
    });
  const press = async (key: string, expected: number) => {
    await page.getByRole("grid").press(key);
    await page.locator(`.row.active[aria-rowindex="${expected + 1}"]`).waitFor();
    assert.ok((await rowsInView()).includes(expected), `${key} shows row ${expected}`);
  };

  it("shows each row that a key moves to, the last one included", async () => {
    await press("End", size);
    await press("PageUp", size - 15);
    await press("ArrowDown", size - 14);
    await press("Home", 1);
    for (let row = 16; row < 200; row += 15) await press("PageDown", row);
  });

  it("fills the view wherever it is scrolled to, with neighbouring rows", async () => {
    const scroller = page.locator(".records .scroller");
    for (const share of [0, 0.2, 0.5, 0.9, 1]) {
      await scroller.evaluate((element, part) => {
        element.scrollTop = part * (element.scrollHeight - element.clientHeight);
      }, share);
      const first = Math.round(share * (size - 16)) + 1;
      await page.locator(`.row[aria-rowindex="${first + 8}"]`).waitFor();
      const seen = await rowsInView();
      assert.ok(seen.length >= 15, `${seen.length} rows at ${share}`);
      assert.deepEqual(
        seen,
        seen.map((_, place) => (seen[0] ?? 0) + place),
      );
      assert.ok(Math.abs((seen[0] ?? 0) - first) <= 2, `row ${seen[0]} instead of ${first}`);
    }
  });
});

const state: UsageState = {
  service: "Test",
  from: "2026-10-01",
  to: "2026-10-30",
  lookback: 30,
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
  asOfMs: 0,
  warning: "",
  problem: "",
  needsAdmin: false,
  analyticsStatus: "beta",
  connection: "c",
};

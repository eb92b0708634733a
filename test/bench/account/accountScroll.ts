// The dashboard's table as the browser draws it: its own page in a real Chromium, its rows made in this process.

import type { Page } from "playwright-core";
import { toUsageRow } from "../../../src/account/host/usage/recordRow.ts";
import type { RecordTable, RecordView } from "../../../src/account/host/usage/recordTable.ts";
import {
  parseFromUsageView,
  type ToUsageView,
  type UsageState,
} from "../../../src/account/protocol/usageProtocol.ts";
import { known, none } from "../../../src/shared/known.ts";
import { openPage } from "../../unit/webview/page.ts";
import { pageStyle } from "../../unit/webview/pageStyle.ts";
import { launchChromium } from "../../vscode/chromium.ts";

/** The page's own. */
declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };
declare const PerformanceObserver: new (
  seen: (list: { getEntries(): readonly { readonly duration: number }[] }) => void,
) => { observe(what: object): void; disconnect(): void };
declare const requestAnimationFrame: (draw: () => void) => void;

const frames = 900;

/** Milliseconds of the longest task of the page while it scrolls through all records; 0 if none exceeds 50. */
export async function longestTaskMs(table: RecordTable): Promise<number> {
  const browser = await launchChromium();
  try {
    const { page } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
    await answer(page, table);
    await page.setViewportSize({ width: 1100, height: 1500 });
    await page.evaluate(() => dashboardPage.start());
    await page.getByText(`${table.size.toLocaleString("en-US")} records`).waitFor();
    await page.locator(".window .row").first().getByText("token").first().waitFor();
    return await scroll(page);
  } finally {
    await browser.close();
  }
}

/** Answers the page as the extension does. */
async function answer(page: Page, table: RecordTable): Promise<void> {
  const post = (message: ToUsageView) => page.evaluate((sent) => dashboardPage.handle(sent), message);
  let found: { readonly query: number; readonly view: RecordView } | undefined;
  await page.exposeFunction("askHost", async (said: unknown) => {
    const message = parseFromUsageView(said);
    if (message?.type === "ready") await post({ v: 1, type: "state", state: emptyState });
    if (message?.type === "query") {
      const { query } = message.body;
      const view = await table.query({ ...message.body, currency: undefined });
      if (!view) return;
      found = { query, view };
      await post({ v: 1, type: "found", query, size: view.size });
    }
    if (message?.type === "rows" && message.body.query === found?.query) {
      const { query, from, count } = message.body;
      const rows = found.view.rows(from, count).map(toUsageRow);
      await post({ v: 1, type: "rows", query, from, rows });
    }
  });
}

/** By wheel steps, by screens and by leaps, as one who looks for something does: one of them a frame. */
function scroll(page: Page): Promise<number> {
  return page.locator(".records .scroller").evaluate(
    (scroller, steps) =>
      new Promise<number>((resolve) => {
        let longest = 0;
        const tasks = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        tasks.observe({ entryTypes: ["longtask"] });
        let step = 0;
        const next = () => {
          step += 1;
          if (step > steps) {
            tasks.disconnect();
            resolve(longest);
            return;
          }
          if (step % 50 === 0) scroller.scrollTop = (scroller.scrollHeight * ((step * 7919) % 997)) / 997;
          else scroller.scrollTop += step % 3 === 0 ? scroller.clientHeight : 120;
          requestAnimationFrame(next);
        };
        next();
      }),
    frames,
  );
}

const emptyState: UsageState = {
  service: "Bench",
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

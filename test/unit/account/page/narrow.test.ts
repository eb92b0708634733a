// The dashboard in a narrow tab: what stands beside what, and what is left out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { CallsState } from "../../../../src/account/protocol/callsProtocol.ts";
import type { ToUsageView, UsageRank, UsageState } from "../../../../src/account/protocol/usageProtocol.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const ranks: readonly UsageRank[] = ["thinker", "a-model-with-a-rather-long-name"].map((name) => ({
  name,
  spend: "$1.25 · 0.60 DIEM · 0.23 bundled credits · 0.28 VCU",
  share: 0.5,
  units: "1,235,922 tokens",
  perThousand: "$0.0019",
}));

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
  models: { is: "value", value: ranks },
  keys: { is: "value", value: ranks },
  records: { is: "none" },
  asOfMs: null,
  warning: "",
  analyticsStatus: "",
  problem: "",
  needsAdmin: false,
};

const calls: CallsState = {
  query: 1,
  summary: "$1.00 for 4 calls.",
  groups: ["Key not recorded · guide", "nightly-evaluation-of-all-models-in-production-eu"].map((name) => ({
    ...{ name, filter: undefined, spend: "$1.27 · 0.57 DIEM", share: 0.5, calls: 1_204 },
  })),
  choices: { source: [], client: [], folder: [], branch: [], session: [], key: [], model: [] },
  size: 4,
};

/** Less than two lines of a heading, more than a single one. */
const twoLinesPx = 28;

test("in a narrow tab no heading breaks within a word, and each share is seen without its bar", async (t) => {
  const { page, errors } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  t.after(() => page.close());
  await page.exposeFunction("askHost", () => undefined);
  await page.evaluate(() => dashboardPage.start());
  const handle = (message: ToUsageView) => page.evaluate((one) => dashboardPage.handle(one), message);
  await handle({ v: 1, type: "state", state });
  await handle({ v: 1, type: "calls", state: calls });
  await page.getByRole("region", { name: "Who spent it" }).waitFor();
  for (const width of [300, 420, 1200]) {
    await page.setViewportSize({ width, height: 1000 });
    const headings = await page
      .locator("h2")
      .evaluateAll((all) => all.map(({ textContent, clientHeight }) => ({ textContent, clientHeight })));
    const broken = headings.filter(({ clientHeight }) => clientHeight > twoLinesPx);
    assert.deepEqual(broken, [], `${width} px`);
    const meters = await page
      .locator(".ranks meter, .calls meter")
      .evaluateAll((all) => all.map((meter) => meter.checkVisibility()));
    assert.ok(
      meters.length === 6 && meters.every((isSeen) => isSeen === width > 1000),
      `${width}: ${meters}`,
    );
    const scrolled = page.locator(".calls .scroll");
    const box = await scrolled.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.ok((box[0] ?? 0) <= (box[1] ?? 0), `${width}: ${box}`);
  }
  assert.deepEqual(errors, []);
});

// The dashboard after a reload of the window: the page starts again with what it had kept, the host with nothing.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { createAccountData } from "../../../../src/account/host/accountData.ts";
import {
  createDashboardController,
  isUsageRequest,
} from "../../../../src/account/host/dashboard/dashboardController.ts";
import { noDayFiles } from "../../../../src/account/host/usage/days/dayFiles.ts";
import type { KeptView } from "../../../../src/account/protocol/keptView.ts";
import { parseFromUsageView, type ToUsageView } from "../../../../src/account/protocol/usageProtocol.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { openBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import { type Books, openBooks, spendAtRandom } from "../host/bookkeeping.ts";
import { callAt, ledgerOf } from "../host/callLedgers.ts";

declare const scrollY: number;
declare const dashboardPage: {
  start(kept?: KeptView): void;
  kept(): KeptView | undefined;
  handle(message: ToUsageView): void;
};

const first: Connection = { id: "c-1", name: "First", kind: "live", baseUrl: "", dialect: "auto" };
const second: Connection = { ...first, id: "c-2", name: "Second" };

/** A new window: a new host behind a new page. */
async function openWindow(
  t: TestContext,
  books: Books,
  connection: Connection,
  kept?: KeptView,
): Promise<Page> {
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  t.after(() =>
    assert.deepEqual(
      errors.filter((error) => !error.includes("askHost")),
      [],
    ),
  );
  const data = createAccountData({
    api: async () => books.admin,
    admin: async () => books.admin,
    files: noDayFiles,
    createdKeys: () => [],
    now: books.clock.now,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });
  const ledger = async () => ledgerOf([callAt(0, { branch: "main" }), callAt(1, { branch: "fix" })]);
  const account = {
    identity: connection.id,
    connection,
    admin: connection,
    data,
    takeBill: async () => {},
    ledger,
    callsSince: async () => [],
  };
  const controller = createDashboardController({
    account: () => account,
    post: (message) => void page.evaluate((told) => dashboardPage.handle(told), message).catch(() => {}),
    report: (error) => assert.fail(String(error)),
  });
  await page.exposeFunction("askHost", (posted: unknown) => {
    const message = parseFromUsageView(posted) ?? assert.fail(JSON.stringify(posted));
    if (isUsageRequest(message)) void controller.handle(message);
  });
  await page.setViewportSize({ width: 1000, height: 500 });
  await page.evaluate((before) => dashboardPage.start(before), kept);
  await page.getByRole("heading", { name: `Usage of ${connection.name}` }).waitFor();
  return page;
}

async function spendAndKeep(t: TestContext, books: Books): Promise<KeptView> {
  spendAtRandom(books, 400, 20, ["key-1"]);
  const page = await openWindow(t, books, first);
  await page.getByRole("button", { name: "7 days" }).click();
  await page.getByRole("group", { name: "Stacked by" }).getByRole("button", { name: "By key" }).click();
  await page.getByLabel("Currency").selectOption({ label: "DIEM" });
  await page.getByRole("button", { name: "By branch" }).click();
  await page.getByRole("columnheader", { name: "Product" }).getByRole("button").click();
  await page.getByRole("button", { name: "Compare with last month" }).click();
  await page
    .getByRole("region", { name: "Total, this month and the last" })
    .getByText("All")
    .first()
    .waitFor();
  await page.getByLabel("Filter records").fill("token");
  await page.locator(".window .row").first().getByText("token").first().waitFor();
  await page.mouse.wheel(0, 700);
  await page.waitForFunction(() => (dashboardPage.kept()?.scrollTop ?? 0) > 300);
  return (await page.evaluate(() => dashboardPage.kept())) ?? assert.fail("nothing was kept");
}

test("after a reload the dashboard has its days, grouping, currency, filters, order and scroll again", async (t) => {
  const books = await openBooks(t);
  const kept = await spendAndKeep(t, books);
  const page = await openWindow(t, books, first, kept);
  const pressed = (name: string) => page.getByRole("button", { name, pressed: true }).waitFor();
  for (const name of ["7 days", "By key", "By branch"]) await pressed(name);
  await page
    .getByRole("region", { name: "Total, this month and the last" })
    .getByText("All")
    .first()
    .waitFor();
  assert.equal(await page.getByLabel("Currency").inputValue(), "DIEM");
  assert.equal(await page.getByLabel("Filter records").inputValue(), "token");
  await page.locator('[role=columnheader][aria-sort="ascending"]').getByText("Product").waitFor();
  await page.locator(".window .row").first().getByText("token").first().waitFor();
  const { scrollTop = 0 } = kept;
  await page.waitForFunction((top) => Math.abs(scrollY - top) < 40, scrollTop);
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((top) => scrollY < top - 100, scrollTop);
});

test("if the connection is another one after the reload, the tab says so and keeps nothing of the former", async (t) => {
  const books = await openBooks(t);
  const kept = await spendAndKeep(t, books);
  const page = await openWindow(t, books, second, kept);
  await page.getByText("This tab showed First. The connection is Second now.").waitFor();
  await page.getByRole("button", { name: "30 days", pressed: true }).waitFor();
  assert.equal(await page.getByLabel("Currency").inputValue(), "");
  assert.equal(await page.getByLabel("Filter records").inputValue(), "");
  assert.equal(await page.evaluate(() => dashboardPage.kept()?.choice?.connection), "c-2");
  assert.equal(await page.evaluate("window.scrollY"), 0);
});

test("what another version kept is left out, and the dashboard opens", async (t) => {
  const books = await openBooks(t);
  const other = { v: 2, choice: { days: "seven" }, query: 5 } as unknown as KeptView;
  const page = await openWindow(t, books, first, other);
  await page.getByRole("button", { name: "30 days", pressed: true }).waitFor();
  const broken = { v: 1, choice: { connection: "c-1", lookback: "seven" } } as unknown as KeptView;
  await (await openWindow(t, books, first, broken))
    .getByRole("button", { name: "30 days", pressed: true })
    .waitFor();
});

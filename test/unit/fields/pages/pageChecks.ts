import type { Page } from "playwright-core";
import type { Api } from "../../../../src/api/call/client.ts";
import type { Table } from "../../../../src/api/table.ts";
import type { TestBrowser } from "../../webview/browser.ts";
import type { Check, Values } from "../check.ts";
import { chatChecks, pickerChecks } from "./chatChecks.ts";
import { mediaChecks } from "./mediaChecks.ts";
import { openDashboard, pageText } from "./openForms.ts";

/** A check whose view is a page of this browser. */
export type PageCheck = Omit<Check, "text"> & {
  /** Opens the page once. The result shows other replies in it. */
  readonly open: (browser: TestBrowser) => Promise<Check["text"]>;
};

const record: Readonly<Record<string, Values>> = {
  "data.timestamp": ["2031-03-14T09:15:00Z", "2031-03-14T10:30:00Z", "2031-03-14 10:30:00"],
};

async function openDashboardView(browser: TestBrowser): Promise<Check["text"]> {
  const show = await openDashboard(browser);
  return async (api: Api<Table>) => {
    const page = await show(api);
    await openRequest(page);
    return pageText(page);
  };
}

/** Opens the records of the first request. */
async function openRequest(page: Page): Promise<void> {
  await page.locator(".records .row.opens").first().click();
  await page.locator(".panel.request").waitFor();
}

export const pageChecks: readonly PageCheck[] = [
  {
    row: "billing.usage",
    view: "Usage dashboard",
    values: { ...record, "pagination.totalPages": [1, 1] },
    open: openDashboardView,
  },
  {
    row: "billing.history",
    view: "Usage dashboard",
    values: { ...record, nextCursor: ["", ""] },
    open: openDashboardView,
  },
  ...chatChecks,
  ...pickerChecks,
  ...mediaChecks,
];

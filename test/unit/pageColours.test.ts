// The dashboard and the chat in the editor's own themes, each with its real host: webview/contrast.test.ts has the other pages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode } from "fast-png";
import { createAccountData } from "../../src/account/host/accountData.ts";
import {
  createDashboardController,
  type UsageRequest,
} from "../../src/account/host/dashboard/dashboardController.ts";
import { noDayFiles } from "../../src/account/host/usage/days/dayFiles.ts";
import type { ToUsageView } from "../../src/account/protocol/usageProtocol.ts";
import type { Connection } from "../../src/session/connection/connection.ts";
import { listedCases } from "../runner/cases.ts";
import { openBooks } from "./account/host/bookkeeping.ts";
import { ledgerOf, someCalls } from "./account/host/callLedgers.ts";
import { openChat, openViewWith, serveChat } from "./chat/chat.ts";
import { openApp } from "./chat/openApp.ts";
import { seriousViolations } from "./webview/axe.ts";
import { openBrowser, type TestBrowser } from "./webview/browser.ts";
import { openPage } from "./webview/page.ts";
import { pageStyle } from "./webview/pageStyle.ts";
import { assertSeen, themeNames, wear } from "./webview/themed.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

const connection: Connection = { id: "c", name: "My service", kind: "live", baseUrl: "", dialect: "auto" };
const markdown = `# Title

A [link](https://e.org) and \`code\`.

> Quote

| a | b |
| --- | --- |
| 1 | 2 |

- one
- two`;

const pdf = join(import.meta.dirname, "fixtures/documents/harvest.pdf");

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

for (const theme of listedCases(themeNames, 2)) {
  test(`all text and controls of the dashboard have enough contrast in the theme ${theme}`, async (t) => {
    const books = await openBooks(t, "standard", { history: { count: 200, days: 25 } });
    const { page } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
    t.after(() => page.close());
    await wear(page, theme);
    const data = createAccountData({
      api: async () => books.admin,
      admin: async () => books.admin,
      files: noDayFiles,
      createdKeys: () => [],
      now: books.clock.now,
      onChange: () => {},
      report: (error) => assert.fail(String(error)),
    });
    const desk = createDashboardController({
      account: () => ({
        connection,
        admin: connection,
        data,
        identity: "c",
        takeBill: async () => {},
        ledger: async () => ledgerOf(someCalls),
        callsSince: async () => [],
      }),
      post: (message) =>
        void page.evaluate((reported) => dashboardPage.handle(reported), message).catch(() => {}),
      report: () => {},
    });
    await page.exposeFunction("askHost", (said: unknown) => void desk.handle(said as UsageRequest));
    await page.setViewportSize({ width: 1100, height: 1500 });
    await page.evaluate(() => dashboardPage.start());
    await page.locator(".window .row").first().getByText("token").first().waitFor();
    await assertSeen(page, "records");
    const swatches = await page
      .locator(".legend .swatch")
      .evaluateAll((all) => all.map(({ style }) => style.background));
    assert.ok(swatches.length > 2, "a chart of several series");
    assert.equal(
      new Set(swatches).size,
      swatches.length,
      `each series has its own colour: ${swatches.join(" ")}`,
    );
    await page.locator(".window .row").first().click();
    await page.getByRole("heading", { name: /^Request / }).waitFor();
    await assertSeen(page, "one request");
    await page.getByRole("button", { name: "Show as table" }).click();
    await page.locator(".figures tbody tr").first().waitFor();
    await assertSeen(page, "the chart as a table");
  });

  test(`all text and controls of the chat have enough contrast in the theme ${theme}`, async (t) => {
    const { controller } = openChat(t, await serveChat(t));
    const view = await openViewWith(controller, "echo");
    const { page, close } = await openApp(browser, controller, { width: 400, height: 700 });
    t.after(close);
    await wear(page, theme);
    await assertSeen(page, "an empty chat");
    await view.say("send", { text: markdown, revision: 1 });
    await view.until(({ busy, messages }) => !busy && messages.length === 2);
    await page.locator(".answer footer").first().waitFor();
    await assertSeen(page, "an answer");
    const match = await page.evaluate<string>(
      `getComputedStyle(document.querySelector(".answer p"), "::highlight(find-current)").backgroundColor`,
    );
    if (theme === "hc") assert.equal(match, "rgb(243, 133, 24)", "what Find has found is seen");
    await page.locator(".picker-button").click();
    await page.locator(".picker-row.active").waitFor();
    await assertSeen(page, "the models");
    await page.keyboard.press("Escape");
    const image = new Uint8Array(encode({ width: 1, height: 1, data: new Uint8Array(4) }));
    await view.say("attachFile", { name: "small.png", bytes: image });
    await view.say("attachFile", { name: "harvest.pdf", bytes: new Uint8Array(readFileSync(pdf)) });
    await page.locator(".composer .chip").nth(1).getByText("as file").waitFor();
    await page.getByRole("textbox", { name: "Your question", exact: true }).pressSequentially("/");
    await page.getByRole("option").filter({ hasText: "/explain" }).waitFor();
    for (const width of [260, 520]) {
      await page.setViewportSize({ width, height: 700 });
      await assertSeen(page, `attachments and commands at ${width} px`);
      assert.deepEqual(await seriousViolations(page.locator("main")), []);
      const excessPx = await page.locator("body").evaluate((body) => body.scrollWidth - body.clientWidth);
      assert.equal(excessPx, 0, "nothing overflows");
    }
  });
}

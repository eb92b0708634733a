// The list of requests in a real browser with its real host: 10,000 calls, filters, details, keys, themes, 260 px.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import type { Called } from "../../../../src/api/call/record/callRecorder.ts";
import type { RequestHead } from "../../../../src/requests/host/log/requestHead.ts";
import { RequestsController } from "../../../../src/requests/host/requestsController.ts";
import {
  type FromRequestsView,
  type KeptRequests,
  parseFromRequestsView,
  type ToRequestsView,
} from "../../../../src/requests/protocol/requestsProtocol.ts";
import { listedCases } from "../../../runner/cases.ts";
import { results } from "../../../tools/paths.ts";
import { seriousViolations } from "../../webview/axe.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import { assertSeen, themeNames, wear } from "../../webview/themed.ts";
import { attemptOf, calledOf, headFor } from "../host/calledOf.ts";

declare const requestsPage: {
  start(before?: KeptRequests): void;
  kept(): KeptRequests | undefined;
  handle(message: ToRequestsView): void;
};

const longName = "a-model-with-a-name-that-is-very-long/and-has-a-part-after-the-slash-as-well";

const heads: readonly RequestHead[] = Array.from({ length: 10_000 }, (_, index) => {
  const isFailed = index % 10 === 3;
  return headFor({
    id: `call-${index}`,
    requestIds: [`request-${index}`],
    queuedMs: 1_760_000_000_000 - index * 1_000,
    model: index % 3 === 0 ? longName : "echo",
    source: index % 2 === 0 ? "chat" : "mcp",
    promptTokens: 1_200,
    completionTokens: index,
    cost: index % 4 === 0 ? { DIEM: "0.0025" } : { USD: "0.0125" },
    ...(isFailed ? { status: 503, error: "unavailable", attempts: 3 } : {}),
  });
});

const busy = attemptOf({
  status: 503,
  requestId: "request-0",
  error: { kind: "unavailable", message: "the service is busy" },
  waitMs: 250,
  waitReason: "unavailable",
});

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

async function open(t: TestContext, listed: readonly RequestHead[], keepDays = 7, kept?: KeptRequests) {
  const opened = await openPage(browser, "requestsPage.tsx", pageStyle("requests"));
  const { page } = opened;
  t.after(() => page.close());
  const content = async (id: string): Promise<Called> => calledOf({ id, attempts: [busy, attemptOf()] });
  let log = listed;
  const controller = new RequestsController({
    log: { read: async () => log, content },
    keepDays: () => keepDays,
    post: (message) => void page.evaluate((told) => requestsPage.handle(told), message).catch(() => {}),
    report: (error) => assert.fail(String(error)),
  });
  const asked: FromRequestsView[] = [];
  await page.exposeFunction("askHost", (posted: unknown) => {
    const message = parseFromRequestsView(posted) ?? assert.fail(JSON.stringify(posted));
    asked.push(message);
    if (["ready", "refresh", "query", "rows", "open"].includes(message.type))
      void controller.handle(message as Parameters<RequestsController["handle"]>[0]);
  });
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.evaluate((before) => requestsPage.start(before), kept);
  const setLog = (next: readonly RequestHead[]) => {
    log = next;
    return controller.changed();
  };
  return { page, asked, controller, setLog, errors: opened.errors, requests: opened.requests };
}

const picture = (name: string) => {
  mkdirSync(join(results, "unit"), { recursive: true });
  return join(results, "unit", `${name}.png`);
};

test("10,000 calls: only visible rows are in the page and asked for; keys open one; tabs show its parts", async (t) => {
  const { page, asked, errors, requests } = await open(t, heads);
  await page.getByText("10,000 requests. Kept for 7 days.").waitFor();
  const rows = page.locator(".window .row");
  await rows.first().getByText("POST /chat/completions").waitFor();
  assert.ok((await rows.count()) < 60);
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.locator('.row[aria-rowindex="10001"]').getByText("1,200 + 9,999").waitFor();
  assert.ok(asked.filter(({ type }) => type === "rows").length < 6, "pages in between are not asked for");
  await page.keyboard.press("Home");
  await page.locator('.row[aria-rowindex="2"].active').getByText("POST").waitFor();
  await page.keyboard.press("Enter");
  const overview = page.getByRole("tab", { name: "Overview" });
  await overview.waitFor();
  await page.locator("[role=tab]:focus").getByText("Overview").waitFor();
  await page.getByRole("tabpanel").getByText("0.0025 DIEM").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tabpanel").getByText("content-type").waitFor();
  await page.getByRole("tabpanel").getByText("it's me").waitFor();
  await page.screenshot({ path: picture("requests-detail") });
  await page.keyboard.press("End");
  await page.getByRole("heading", { name: "Attempt 1: 503 (unavailable)" }).waitFor();
  await page.getByText("250 ms, because of unavailable").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tablist").waitFor({ state: "detached" });
  assert.deepEqual([errors.filter((error) => !error.includes("askHost")), requests], [[], []]);
});

test("while the requests are read, the page says so within its margins", async (t) => {
  const { page } = await openPage(browser, "requestsPage.tsx", pageStyle("requests"));
  t.after(() => page.close());
  await page.exposeFunction("askHost", () => {});
  await page.evaluate(() => requestsPage.start());
  const reading = page.getByText("Reading requests…");
  await reading.waitFor();
  assert.equal((await reading.boundingBox())?.x, 16);
});

test("filters by text, result, source and connection, and says what is left", async (t) => {
  const { page } = await open(t, heads);
  await page.getByText("10,000 requests.").waitFor();
  await page.getByLabel("Filter by result").selectOption({ label: "Failed" });
  await page.getByText("1,000 of 10,000 requests").waitFor();
  await page.getByLabel("Filter requests").fill("request-4093");
  await page.getByText("1 of 10,000 requests").waitFor();
  await page.locator(".window .row").getByText("503 (unavailable), 3 attempts").waitFor();
  await page.getByLabel("Filter by source").selectOption({ label: "Chat" });
  await page.getByText("0 of 10,000 requests").waitFor();
});

test("buttons ask the host for what they say; a call that can't be sent again says why", async (t) => {
  const { page, asked, controller } = await open(t, heads);
  await page.getByText("10,000 requests.").waitFor();
  await controller.show("request-5");
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByRole("button", { name: "Copy as JSON" }).click();
  await page.getByRole("button", { name: "Send Again…" }).click();
  await page.getByRole("tab", { name: "Response" }).click();
  await page.getByRole("button", { name: "Open in Editor" }).click();
  await page.getByRole("button", { name: "Clear List…" }).click();
  const sent = asked.filter(({ type }) => !["ready", "query", "rows", "open"].includes(type));
  assert.deepEqual(
    sent.map(({ type, body }) => [type, body]),
    [
      ["copyCurl", { id: "call-5" }],
      ["copyJson", { id: "call-5" }],
      ["replay", { id: "call-5" }],
      ["openBody", { id: "call-5", attempt: 1, part: "response" }],
      ["clear", {}],
    ],
  );
  await controller.show("no such request");
  await page.getByRole("alert").getByText("The request is not recorded.").waitFor();
});

test("a new call appears without moving the list, and an empty list says what it is for", async (t) => {
  const { page, setLog } = await open(t, heads.slice(0, 500));
  await page.getByText("500 requests.").waitFor();
  await page.getByRole("grid").focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("PageDown");
  const scrolled = await page.locator(".scroller").evaluate(({ scrollTop }) => scrollTop);
  assert.ok(scrolled > 0);
  await setLog(heads.slice(0, 501));
  await page.getByText("501 requests.").waitFor();
  assert.equal(await page.locator(".scroller").evaluate(({ scrollTop }) => scrollTop), scrolled);
  await setLog([]);
  await page.getByText("No request was sent in these days.").waitFor();
  await page.getByRole("button", { name: "Change How Long Requests Are Kept" }).waitFor();
  await page.screenshot({ path: picture("requests-empty") });
});

test("a tab that was hidden has its filter and its open request again", async (t) => {
  const { page } = await open(t, heads);
  await page.getByText("10,000 requests.").waitFor();
  await page.getByLabel("Filter requests").fill("request-4093");
  await page.getByText("1 of 10,000 requests").waitFor();
  await page.locator(".window .row").click();
  await page.getByRole("tab", { name: "Overview" }).waitFor();
  const kept = await page.evaluate(() => requestsPage.kept());
  const { page: again } = await open(t, heads, 7, kept ?? assert.fail());
  await again.getByText("1 of 10,000 requests").waitFor();
  assert.equal(await again.getByLabel("Filter requests").inputValue(), "request-4093");
  await again.getByRole("tab", { name: "Overview" }).waitFor();
  await again.getByRole("button", { name: "Close" }).click();
  assert.equal((await again.evaluate(() => requestsPage.kept()))?.open, undefined);
});

for (const theme of listedCases(themeNames, 2)) {
  test(`all text and controls have enough contrast, and 260 px are enough, in the theme ${theme}`, async (t) => {
    const { page, controller } = await open(t, heads.slice(0, 300));
    await wear(page, theme);
    await page.getByText("300 requests.").waitFor();
    await controller.show("request-3");
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    await assertSeen(page, "the list and a request");
    // The grid around the scroller has the focus, and its keys scroll.
    const violations = (await seriousViolations(page.locator("body"))).filter(
      (violation) => !/^scrollable-region-focusable[^<]*<div class="scroller"/.test(violation),
    );
    assert.deepEqual(violations, []);
    await page.screenshot({ path: picture(`requests-${theme}`) });
    await page.setViewportSize({ width: 260, height: 900 });
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(wide <= 260, `${wide} px`);
    await page.screenshot({ path: picture(`requests-narrow-${theme}`) });
  });
}

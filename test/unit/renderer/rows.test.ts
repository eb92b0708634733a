// Rows say what was asked, and count what the node answered, not what is left of it here.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { bounded } from "../../../src/features/rpc/run/bounded.ts";
import type { Json, RpcLine, RpcResult } from "../../../src/shared/rpcOutput.ts";
import { launchChromium } from "../../vscode/chromium.ts";
import { openRendererPage, type RendererPage } from "./rendererPage.ts";
import { block, lineOf, log, outputOf, result, transaction } from "./samples.ts";

/** A result as the extension cuts it. */
function cutResult(
  view: RpcResult["view"],
  all: Json,
  most: number,
  more: Partial<RpcResult> = {},
): RpcResult {
  const { value, bytes, cut, whole } = bounded(all, most);
  assert.ok(cut);
  return { kind: "result", view, value, bytes, cut, whole, ...more };
}

describe("rows of results", () => {
  let browser: Browser;
  let opened: RendererPage;
  let page: Page;
  before(async () => {
    browser = await launchChromium();
    opened = await openRendererPage(browser);
    page = opened.page;
  });
  after(() => browser.close());
  beforeEach(() => void opened.messages.splice(0));

  const draw = (...lines: RpcLine[]) => opened.draw(outputOf(lines));
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  it("a block that is cut has all its transactions counted, and a way to see them", async () => {
    const transactions = Array.from({ length: 400 }, () => transaction as unknown as Json);
    const whole = { ...(block as unknown as { [name: string]: Json }), transactions };
    const line = lineOf("eth_getBlockByNumber", cutResult("block", whole, 60_000));
    await opened.draw(outputOf([line], { runId: "run" }));
    await page.locator("summary", { hasText: /^400 transactions$/ }).click();
    await page.getByText(/^Show \d+ of 375 more$/).waitFor();
    await page.getByText(/^The first \d+ of 400 are here\./).waitFor();
    await button("Open all in an editor").click();
    assert.deepEqual(opened.messages, [{ type: "openResult", runId: "run", key: line.key }]);
    await draw(line, lineOf("eth_chainId", result("quantity", "0x1")));
    await page.getByRole("row").filter({ hasText: "400 transactions" }).first().waitFor();
  });

  it("logs that are cut are counted whole, in their row, their table and their JSON", async () => {
    const logs = Array.from({ length: 2_000 }, () => log as unknown as Json);
    const line = lineOf("eth_getLogs", cutResult("logs", logs, 100_000));
    await draw(line);
    await page.getByText(/^Show 50 of 1,975 more$/).waitFor();
    await button("JSON").click();
    await page.locator("summary", { hasText: "[2,000 items]" }).waitFor();
    await draw(line, lineOf("eth_chainId", result("quantity", "0x1")));
    await page.getByRole("row").filter({ hasText: "2,000 logs" }).first().waitFor();
  });

  it("bytes that are cut are counted whole", async () => {
    await draw(lineOf("eth_getCode", cutResult("data", `0x${"ab".repeat(24_576)}`, 4_000)));
    await page.getByText("24,576 bytes").waitFor();
  });
});

import "../../vscodeDouble.ts";
import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { runCheck } from "../check.ts";
import { checks } from "../checks/checks.ts";
import { allPlaces } from "../table/fieldTable.ts";
import { pageChecks } from "./pageChecks.ts";

describe("pages that show replies", () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const check of pageChecks)
    it(`${check.view} shows the members of ${check.row}`, async (t) =>
      runCheck({ ...check, text: await check.open(browser) }, t));
});

/** Rows in views that have no check yet. The list only shrinks. */
const unchecked: readonly string[] = [
  "chat.stream in Chat",
  "images.edit in Image studio",
  "images.generate in Image studio",
  "images.multiEdit in Image studio",
  "models.compatibilityMapping in Model picker",
  "models.list in Model picker",
  "models.list in Speech player",
  "models.traits in Model picker",
  "rpc.call in RPC notebook",
];

test("each view that shows members of a row has a check", () => {
  const shown = allPlaces.flatMap(({ row, place }) => ("shown" in place ? [`${row} in ${place.shown}`] : []));
  const checked = [...checks, ...pageChecks].map(({ row, view }) => `${row} in ${view}`);
  assert.deepEqual([...new Set(shown)].sort(), [...checked, ...unchecked].sort());
});

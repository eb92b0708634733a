import "../../vscodeDouble.ts";
import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { checkedIn, runCheck, titleOf } from "../check.ts";
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
    it(titleOf(check), async (t) => runCheck({ ...check, text: await check.open(browser) }, t));
});

test("each member that a view shows is looked for by a check", () => {
  const looked = [...checks, ...pageChecks].map((check) => ({ ...check, paths: checkedIn(check) }));
  const missing = allPlaces.flatMap(({ row, path, place }) => {
    if (!("shown" in place)) return [];
    const isLooked = looked.some(
      (check) => check.row === row && check.view === place.shown && check.paths.includes(path),
    );
    return isLooked ? [] : [`${path} of ${row} in ${place.shown}`];
  });
  assert.deepEqual(missing, []);
});

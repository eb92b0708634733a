import "../../vscodeDouble.ts";
import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { checkedIn, runCheck } from "../check.ts";
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
    it(`${check.view} shows the members of ${check.row}${withoutText(check)}`, async (t) =>
      runCheck({ ...check, text: await check.open(browser) }, t));
});

/** Rows in views that have no check yet. The list only shrinks. */
const unchecked: readonly string[] = [
  "images.edit in Image studio",
  "images.generate in Image studio",
  "images.multiEdit in Image studio",
];

test("each member that a view shows is looked for, and each view but those of the list has a check", () => {
  const looked = [...checks, ...pageChecks].map((check) => ({ ...check, paths: checkedIn(check) }));
  const missing = allPlaces.flatMap(({ row, path, place }) => {
    if (!("shown" in place)) return [];
    const own = looked.filter((check) => check.row === row && check.view === place.shown);
    if (own.length === 0) return [`${row} in ${place.shown}`];
    return own.some(({ paths }) => paths.includes(path)) ? [] : [`${path} of ${row} in ${place.shown}`];
  });
  assert.deepEqual([...new Set(missing)].sort(), [...unchecked].sort());
});

function withoutText({ without = [] }: { readonly without?: readonly string[] }): string {
  return without.length === 0 ? "" : `, without ${without.join(", ")}`;
}

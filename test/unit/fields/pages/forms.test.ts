import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import type { FormName } from "../place.ts";
import { allPlaces } from "../table/fieldTable.ts";
import { controlsNamed, forms } from "./openForms.ts";

describe("the controls that set members of requests", () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  for (const [form, open] of Object.entries(forms))
    it(`are on the page of the ${form}`, async (t) => {
      const names = new Set(allPlaces.flatMap(({ place }) => controlOn(form as FormName, place)));
      assert.ok(names.size > 0);
      const found = new Set<string>();
      await open(t, browser, async (page) => {
        for (const name of names) if ((await controlsNamed(page, name).count()) > 0) found.add(name);
      });
      assert.deepEqual(
        [...names].filter((name) => !found.has(name)),
        [],
      );
    });
});

function controlOn(form: FormName, place: (typeof allPlaces)[number]["place"]): string[] {
  return "control" in place && place.in === form ? [place.control] : [];
}

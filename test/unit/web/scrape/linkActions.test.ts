import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "marked";
import { commands } from "../../../../src/shared/names/ids.ts";
import "../../vscodeDouble.ts";

const { hoverText } = await import("../../../../src/web/scrape/linkActions.ts");

test("the hover of an address is one link to its page, whatever the address contains", () => {
  for (const url of [
    "https://example.org/a",
    "https://example.org/a_(b)",
    "https://example.org/a)b",
    "https://example.org/)[x](command:inference.web.scrape)",
    "https://example.org/a((",
    "https://example.org/*a*_b_!~d~",
  ]) {
    const links = [
      ...String(marked.parse(hoverText(url, false))).matchAll(/<a href="([^"]+)">([^<]*)<\/a>/g),
    ];
    assert.equal(links.length, 1, url);
    const [, href = "", label] = links[0] ?? [];
    assert.equal(label, "Read this page as markdown");
    const [command, target = ""] = href.split("?", 2);
    assert.equal(command, `command:${commands.webScrape}`);
    assert.deepEqual(JSON.parse(decodeURIComponent(target)), [[url]]);
  }
});

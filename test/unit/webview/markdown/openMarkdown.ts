import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { bundle, openPage, type TestPage } from "../page.ts";
import type { MarkdownPage } from "../pages/markdownPage.ts";
import type { MarkdownTreePage } from "./markdownTree.ts";

declare const markdown: MarkdownPage;
declare const trees: MarkdownTreePage;

/** A page that renders Markdown, in a real browser. */
export interface MarkdownTest {
  readonly page: Page;
  /** The content of the page after these pieces, rendered after each on request; `isWhole` ends them. */
  render(pieces: readonly string[], drawEach?: boolean, isWhole?: boolean): Promise<string>;
  /** The elements of markup, ours and those of other parsers, as comparable texts. */
  treesOf(htmls: readonly string[]): Promise<string[]>;
}

/**
 * Opens the page for the tests of a suite, which asserts at the end that nothing was fetched and logged. With
 * `isHidden` there is no layout, which is faster where only elements and texts are read.
 */
export function openMarkdown({ style = "", isHidden = false } = {}): MarkdownTest {
  let browser: TestBrowser;
  let test: TestPage;
  let parser: Page;
  before(async () => {
    browser = await openBrowser();
    test = await openPage(browser, "markdownPage.ts", style);
    await test.page.evaluate((hidden) => {
      document.body.hidden = hidden;
    }, isHidden);
    parser = await browser.newPage();
    await parser.addScriptTag({ content: await bundle("../markdown/markdownTree.ts") });
  });
  after(async () => {
    await browser.close();
    assert.deepEqual(test.requests, [], "nothing was fetched");
    assert.deepEqual(test.errors, [], "nothing was thrown, nothing refused by the policy");
  });
  return {
    get page() {
      return test.page;
    },
    render: (pieces, drawEach = false, isWhole = true) =>
      test.page.evaluate(([p, d, w]) => markdown.render(p, d, w), [pieces, drawEach, isWhole] as const),
    treesOf: (htmls) => parser.evaluate((given) => trees.treesOf(given), htmls),
  };
}

/** The readable text of markup. */
export function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").trim();
}

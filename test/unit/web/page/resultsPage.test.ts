// The editor with the stored results in a real browser: excerpts, selection by keys and mouse, buttons, 10,000 rows,
// themes, 260 px.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import {
  type FromResultsView,
  type KeptResults,
  parseFromResultsView,
  type ResultRow,
  type ToResultsView,
} from "../../../../src/web/protocol/resultsProtocol.ts";
import { listedCases } from "../../../runner/cases.ts";
import { results } from "../../../tools/paths.ts";
import { seriousViolations } from "../../webview/axe.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage } from "../../webview/page.ts";
import { pageStyle } from "../../webview/pageStyle.ts";
import { assertSeen, themeNames, wear } from "../../webview/themed.ts";

declare const resultsPage: {
  start(before?: KeptResults): void;
  kept(): KeptResults | undefined;
  handle(message: ToResultsView): void;
};

const longTitle =
  "Everything that is known about the rate limits of services that answer questions about pictures";
const excerpt =
  "A caller may ask twenty times a minute for a picture, and gets a header that says how many are left. ".repeat(
    4,
  );

function hitsOf(search: string, count: number): ResultRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${search}#${index}`,
    kind: "hit",
    title: index % 3 === 0 ? `${longTitle} ${index}` : `Result ${index}`,
    facts: "docs.example.org · 2026-01-02",
    excerpt,
    hasAddress: index !== 1,
  }));
}

const few: readonly ResultRow[] = [
  {
    id: "s1",
    kind: "search",
    title: "rate limits",
    facts: "4 results, 09:30",
    excerpt: "",
    hasAddress: false,
  },
  ...hitsOf("s1", 4),
  {
    id: "p1",
    kind: "page",
    title: "Orchards",
    facts: "fruit.example, 09:20",
    excerpt: "Trees for fruit.",
    hasAddress: true,
  },
  {
    id: "d1",
    kind: "document",
    title: "harvest.pdf",
    facts: "120 tokens, 09:10",
    excerpt: "Apples 12",
    hasAddress: false,
  },
];

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

async function open(t: TestContext, rows: readonly ResultRow[], kept?: KeptResults) {
  const opened = await openPage(browser, "resultsPage.tsx", pageStyle("results"));
  const { page } = opened;
  t.after(() => page.close());
  const asked: FromResultsView[] = [];
  const tell = (message: ToResultsView) => page.evaluate((told) => resultsPage.handle(told), message);
  await page.exposeFunction("askHost", (posted: unknown) => {
    const message = parseFromResultsView(posted) ?? assert.fail(JSON.stringify(posted).slice(0, 200));
    asked.push(message);
  });
  await page.setViewportSize({ width: 900, height: 800 });
  await page.evaluate((before) => resultsPage.start(before), kept);
  await tell({ v: 1, type: "rows", rows, readPrice: "$0.01" });
  const acts = () => asked.flatMap((message) => (message.type === "act" ? [message.body] : []));
  const selected = () => page.locator('[role=option][aria-selected="true"] .title').allTextContents();
  return { page, asked, acts, selected, tell, errors: opened.errors };
}

const picture = (name: string) => {
  mkdirSync(join(results, "unit"), { recursive: true });
  return join(results, "unit", `${name}.png`);
};

test("shows titles, facts and excerpts; a click selects, a double click opens, modifiers select several", async (t) => {
  const { page, acts, selected } = await open(t, few);
  const option = (name: string) => page.getByRole("option").filter({ hasText: name }).first();
  await page.getByText("7 results").waitFor();
  await page.getByText("A caller may ask twenty times").first().waitFor();
  await option("Result 1").click();
  assert.deepEqual(await selected(), ["Result 1"]);
  await option("Orchards").click({ modifiers: ["Control"] });
  assert.deepEqual(await selected(), ["Result 1", "Orchards"]);
  await option("Result 1").click();
  await option("Orchards").click({ modifiers: ["Shift"] });
  assert.deepEqual(await selected(), ["Result 1", "Result 2", `${longTitle} 3`, "Orchards"]);
  await page.getByText("4 of 7 selected").waitFor();
  await option("harvest.pdf").dblclick();
  assert.deepEqual(acts(), [{ action: "open", ids: ["d1"] }]);
});

test("keys select as in the editor's lists", async (t) => {
  const { page, acts, selected } = await open(t, few);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  assert.deepEqual(await selected(), [`${longTitle} 0`, "Result 1"]);
  await page.keyboard.press("Control+ArrowDown");
  await page.keyboard.press("Control+ArrowDown");
  assert.deepEqual(await selected(), [`${longTitle} 0`, "Result 1"]);
  await page.keyboard.press("Space");
  assert.deepEqual(await selected(), [`${longTitle} 0`, "Result 1", `${longTitle} 3`]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.getByText("7 of 7 selected").waitFor();
  // Hits are removed with their search.
  await page.keyboard.press("Delete");
  assert.deepEqual(acts(), [
    { action: "open", ids: ["s1#0", "s1#1", "s1#3"] },
    { action: "remove", ids: ["s1", "p1", "d1"] },
  ]);
  await page.keyboard.press("End");
  assert.deepEqual(await selected(), ["harvest.pdf"]);
});

test("each button takes the selected rows that it can do something with", async (t) => {
  const { page, acts, asked } = await open(t, few);
  const button = (name: string) => page.getByRole("button", { name });
  for (const name of ["Open", "Send to Chat", "Cite…", "Read Pages", "Save…", "Remove…"])
    assert.ok(await page.getByRole("button", { name, exact: true }).isDisabled(), name);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Control+a");
  await button("Send to Chat").click();
  await button("Cite…").click();
  await button("Read Pages ($0.01 each)").click();
  await button("Save…").click();
  await button("Remove…").click();
  assert.ok(await button("Open in Browser").isDisabled());
  await button("Search the Web…").click();
  const all = few.map(({ id }) => id);
  assert.deepEqual(acts(), [
    { action: "chat", ids: all },
    { action: "cite", ids: ["s1#0", "s1#2", "s1#3", "p1"] },
    { action: "read", ids: ["s1#0", "s1#2", "s1#3"] },
    { action: "save", ids: all },
    { action: "remove", ids: ["s1", "p1", "d1"] },
  ]);
  assert.equal(asked.at(-1)?.type, "search");
});

test("10,000 results: only visible rows are in the page; a filter keeps the search of a hit; another is shown", async (t) => {
  const many = Array.from({ length: 500 }, (_, index): ResultRow[] => [
    { id: `s${index}`, kind: "search", title: `query ${index}`, facts: "", excerpt: "", hasAddress: false },
    ...hitsOf(`s${index}`, 19),
  ]).flat();
  const { page, tell, selected, errors } = await open(t, many);
  await page.getByText("10,000 results").waitFor();
  assert.ok((await page.getByRole("option").count()) < 40);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Control+a");
  await page.getByText("10,000 of 10,000 selected").waitFor();
  await page.keyboard.press("End");
  await page.locator("#result-9999").getByText(`${longTitle} 18`).waitFor();
  await page.getByLabel("Filter results").fill("limits pictures 18");
  await page.getByText("1 of 1,000 selected").waitFor();
  await page.getByLabel("Filter results").fill("query 321");
  await page.getByText("1 result").waitFor();
  await tell({ v: 1, type: "show", id: "s250" });
  await page.getByRole("option").filter({ hasText: "query 250" }).waitFor();
  assert.deepEqual(await selected(), ["query 250"]);
  assert.equal(await page.getByLabel("Filter results").inputValue(), "");
  assert.deepEqual(errors, []);
});

test("rows that are gone are not selected, and a tab that was hidden has its filter and selection again", async (t) => {
  const { page, tell, selected } = await open(t, few);
  await page.getByRole("option").filter({ hasText: "Orchards" }).click();
  await page
    .getByRole("option")
    .filter({ hasText: "harvest.pdf" })
    .click({ modifiers: ["Control"] });
  await tell({ v: 1, type: "rows", rows: few.filter(({ id }) => id !== "p1"), readPrice: "$0.01" });
  await page.getByText("1 of 6 selected").waitFor();
  await page.getByLabel("Filter results").fill("apples");
  const kept = await page.evaluate(() => resultsPage.kept());
  const again = await open(t, few, kept ?? assert.fail());
  await again.page.getByText("1 of 1 selected").waitFor();
  assert.deepEqual(await again.selected(), ["harvest.pdf"]);
  assert.deepEqual(await selected(), ["harvest.pdf"]);
});

test("without results the page says what it is for", async (t) => {
  const { page } = await open(t, []);
  await page.getByText("No results are stored.").waitFor();
  await page.getByRole("button", { name: "Search the Web…" }).waitFor();
});

for (const theme of listedCases(themeNames, 2)) {
  test(`all text and controls have enough contrast, and 260 px are enough, in the theme ${theme}`, async (t) => {
    const { page } = await open(t, few);
    await wear(page, theme);
    await page.getByRole("option").filter({ hasText: "Result 2" }).click();
    await assertSeen(page, "the list and a selected result");
    assert.deepEqual(await seriousViolations(page.locator("body")), []);
    await page.screenshot({ path: picture(`results-${theme}`) });
    await page.setViewportSize({ width: 260, height: 700 });
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    assert.equal(width, 260);
    await page.screenshot({ path: picture(`results-${theme}-narrow`) });
  });
}

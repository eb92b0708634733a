import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { CDPSession } from "playwright-core";
import { listedCases } from "../../../runner/cases.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { openPage, type TestPage } from "../page.ts";
import type { GrowthPage } from "../pages/growthPage.ts";
import { constructs } from "./growthConstructs.ts";

declare const growth: GrowthPage;

const short = 8000;
const pieceLength = 100;
/** Four times the text may take six times the work, because work in steps falls on either side of a size. */
const mostGrowth = 6;
/** Of any one answer. */
const mostElements = 100_000;
const long = 200_000;
/** Ten times the text makes less than 20 times the elements, because the work for them grows linearly. */
const [middle, mostOfTenfold] = [long / 10, 20];
/** Constructs with more source than output, all of whose text must be readable. */
const plain =
  "emphasis|items|items apart|paragraphs|headings|a table|tasks|quotes apart|a table of many columns|tables";
/** Of which the rest is shown as it was written, wherever a piece ends. */
const cutAnywhere = [
  "items",
  "emphasis",
  "a table",
  "unclosed strong",
  "formulas that differ",
  "one word of surrogates",
];
const restNote = "The rest of this answer is shown as it was written: it has too many parts to be drawn.";

describe("growth of markdown", () => {
  let browser: TestBrowser;
  let test: TestPage;
  let profiler: CDPSession;
  before(async () => {
    browser = await openBrowser();
    test = await openPage(browser, "growthPage.ts");
    profiler = await test.page.context().newCDPSession(test.page);
    await profiler.send("Profiler.enable");
    await profiler.send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  });
  after(async () => {
    await browser.close();
    // One of the constructs is an invalid image.
    assert.deepEqual(
      test.errors.filter((error) => !error.includes("ERR_INVALID_URL")),
      [],
    );
  });

  /** The work of rendering: executed blocks of code, and characters passed to built-in functions. */
  const workOf = async (name: string, length: number, piece: number): Promise<number> => {
    await test.page.evaluate(([n, l]) => growth.prepare(n, l), [name, length] as const);
    await profiler.send("Profiler.takePreciseCoverage");
    const handed = await test.page.evaluate((p) => growth.draw(p), piece);
    const { result } = await profiler.send("Profiler.takePreciseCoverage");
    const ranges = result.flatMap(({ functions }) => functions).flatMap(({ ranges }) => ranges);
    return handed + ranges.reduce((sum, { count }) => sum + count, 0);
  };

  it("has more than a hundred constructs", () => {
    assert.ok(Object.keys(constructs).length > 150);
  });

  for (const name of listedCases(Object.keys(constructs))) {
    it(`takes linear work: ${name}`, async () => {
      for (const piece of [pieceLength, Number.POSITIVE_INFINITY]) {
        const work = await workOf(name, short, piece);
        const more = await workOf(name, 4 * short, piece);
        assert.ok(
          more <= mostGrowth * work,
          `${(more / work).toFixed(2)} times the work in pieces of ${piece}`,
        );
      }
    });
  }
});

describe("markdown that is far too long", () => {
  let browser: TestBrowser;
  let test: TestPage;
  before(async () => {
    browser = await openBrowser();
    test = await openPage(browser, "growthPage.ts");
  });
  after(() => browser.close());

  const draw = async (name: string, length: number, piece = Number.POSITIVE_INFINITY) => {
    await test.page.evaluate(([n, l]) => growth.prepare(n, l), [name, length] as const);
    await test.page.evaluate((p) => growth.draw(p), piece);
    return test.page.evaluate(() => growth.drawn());
  };

  it("is rendered with a bounded number of elements", async () => {
    for (const name of listedCases(Object.keys(constructs))) {
      if ((await draw(name, middle)).elements * mostOfTenfold < mostElements) continue;
      const { elements } = await draw(name, long);
      assert.ok(elements < mostElements, `${name}: ${elements}`);
    }
  });

  it("is shown as source where it is not rendered, and says so", async () => {
    for (const name of listedCases(plain.split("|"), 2)) {
      const { written, shown, notes } = await draw(name, 4 * long);
      assert.ok(notes.length >= 1, `${name} says so`);
      assert.ok(shown >= written, `${name}: ${shown} of ${written} letters`);
    }
    assert.deepEqual((await draw("items", 4 * long)).notes, [restNote]);
  });

  it("ends the same, however it is cut", async () => {
    for (const name of listedCases(cutAnywhere, 2)) {
      await draw(name, long);
      const whole = await test.page.evaluate(() => document.body.innerHTML);
      await draw(name, long, 4999);
      assert.equal(await test.page.evaluate(() => document.body.innerHTML), whole, name);
    }
  });

  it("adds a bounded number of empty cells to short rows, and says so", async () => {
    const { elements, notes } = await draw("a table whose rows are short", 20_000);
    assert.ok(elements < 40_000, `${elements} elements`);
    assert.deepEqual(notes, [
      "The rows of this table leave out so many cells that not all of the empty ones are drawn.",
    ]);
    assert.deepEqual((await draw("a table of many columns", 2000)).notes, []);
  });

  it("renders no formula that is far larger than its source, and says so", async () => {
    const { elements, notes } = await draw("formulas that define macros", 5000);
    assert.ok(elements < 5000, `${elements} elements`);
    assert.ok(
      notes.length > 50 && notes.every((note) => note.startsWith("This formula is too large to be set. ")),
    );
    assert.equal((await draw("a formula that is long", 4500)).notes.length, 1);
    assert.equal((await draw("a formula that is long", 2000)).notes.length, 0);
  });
});

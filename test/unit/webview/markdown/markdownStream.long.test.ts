import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openMarkdown } from "./openMarkdown.ts";

const styles = join(import.meta.dirname, "../../../../src/webview/markdown/markdown.css");
const many = (count: number, toLine: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => toLine(i));

const piecesOf = (text: string, length: number) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));

const table = `| Name | Value | Note |\n|---|--:|---|\n${many(130, (i) => `| row ${i} | ${i * 7} | a **note** on ${"x".repeat(i % 50)} |\n`).join("")}`;
const list = many(130, (i) => `- item ${i} with *words*\n`).join("");
const numbered = many(130, (i) => `${i + 3}. step ${i}\n`).join("");
const sentences = many(400, (i) => `Sentence ${i} says *something* of \`things\`.`);
const lines = sentences.join("\n");
const oneLine = sentences.join(" ");
const words = many(3000, (i) => `word${i}`).join(" ");
const unclosed = `**${words}`;

describe("unbounded blocks of markdown", () => {
  const test = openMarkdown({ style: readFileSync(styles, "utf8") });
  const { render } = test;

  for (const [name, source] of Object.entries({ table, list, numbered, lines, oneLine, words, unclosed })) {
    it(`renders the same for ${name}, however it is cut`, async () => {
      // Widths are those of the current parts.
      const drawn = async (pieces: readonly string[]) =>
        (await render(pieces, true)).replaceAll(/(?<=table-frame"[^>]*) style="[^"]*"/g, "");
      const whole = await drawn([source]);
      for (const length of [4, 1000, 5000]) {
        assert.equal(await drawn(piecesOf(source, length)), whole, `by ${length}`);
      }
    });
  }

  it("splits a long table into parts that look and read like one table", async () => {
    await render(piecesOf(table, 40), true);
    const { page } = test;
    assert.equal(await page.locator("table").count(), 4);
    assert.equal(await page.getByRole("table").count(), 1);
    assert.equal(await page.getByRole("row").count(), 131);
    assert.equal(await page.getByRole("columnheader").count(), 3);
    assert.equal(await page.getByRole("cell").count(), 390);
    const edges = () =>
      page.locator("tr").evaluateAll((rows) => {
        const places = rows.map((row) =>
          [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().x)),
        );
        return [...new Set(places.map(String))];
      });
    assert.equal((await edges()).length, 1, "all columns begin where those of the head do");
    await page.setViewportSize({ width: 300, height: 600 });
    // The parts are notified in the frame after the first has become narrow.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const widths = await page
      .locator("table")
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().width)));
    assert.equal(new Set(widths).size, 1, `widths ${widths}`);
    assert.equal((await edges()).length, 1, "also when it has become narrow");
  });

  it("keeps the words of a long paragraph, in parts of bounded length", async () => {
    const { page } = test;
    for (const source of [lines, oneLine, words]) {
      await render(piecesOf(source, 40), true);
      const plain = source.replaceAll(/[*`]/g, "");
      assert.equal(await page.locator("p").evaluate((element) => element.textContent), plain);
      const runs = await page.locator(".text-run").allTextContents();
      assert.ok(runs.length >= 3, `${runs.length} runs`);
      for (const run of runs)
        assert.ok(run.length <= 8200 && /^\s?\S/.test(run), `${run.length}: ${run.slice(0, 20)}`);
    }
  });

  it("keeps the items of a long list in one list", async () => {
    const { page } = test;
    for (const source of [list, numbered]) {
      await render(piecesOf(source, 40), true);
      assert.equal(await page.getByRole("list").count(), 1);
      assert.equal(await page.getByRole("listitem").count(), 130);
    }
  });
});

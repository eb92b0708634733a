import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MarkdownPage } from "../pages/markdownPage.ts";
import { openMarkdown, textOf } from "./openMarkdown.ts";

declare const markdown: MarkdownPage;

describe("marks in markdown", () => {
  const test = openMarkdown();
  const { render } = test;

  it("resolves a reference whose definition comes much later", async () => {
    const html = await render([..."See [the docs][d].\n\nMore.\n\n[d]: https://a.test/docs\n"], true);
    assert.match(html, /<a href="https:\/\/a\.test\/docs"[^>]*>the docs<\/a>/);
  });

  const formulas: readonly (readonly [string, number])[] = [
    ["Euler: $e^{i\\pi} + 1 = 0$.", 1],
    ["$$\\int_0^1 x\\,dx$$", 1],
    ["Inline \\(a_1 + b\\) and \\[c = d\\] too.", 2],
    ["$$\n- x\n= y\n$$\n", 1],
    ["\\[\n+ x\n\\]\n", 1],
    ["- item\n\n  $$\n  x\n  $$\n", 1],
    ["| $x$ | `$y$` |\n|---|---|\n| $a\\|b$ | $z |$\n", 2],
    ["costs $5 and $6, or US$7", 0],
    ["$5 for one, 10$ for two; $HOME and $PATH; \\$x$ and `$y$`", 0],
    ["from $5-$10, $ x $, $$$", 0],
    ["command \\[options\\] \\(see below\\)", 0],
    ["$$\nnever closed\n\nmore", 0],
    ["**$x$** and *a $y$ b*", 2],
  ];
  for (const [source, count] of formulas) {
    it(`finds ${count} formulas in ${JSON.stringify(source)}`, async () => {
      for (const pieces of [[source], [...source]]) {
        const html = await render(pieces, true);
        assert.equal(html.match(/<math/g)?.length ?? 0, count, html);
      }
    });
  }

  it("keeps a formula as text until it is closed, and forever if it is none", async () => {
    assert.equal(textOf(await render([..."a $x^2"], true, false)), "a $x^2");
    assert.equal(textOf(await render(["$$\nx = 1\n"], true, false)), "$$\nx = 1");
    assert.match(await render(["$\\frac{1}$"]), /class="math math-problem"[^>]*>\$\\frac\{1\}\$</);
  });

  it("reads escaped brackets after a word as text", async () => {
    const html = await render(["createError\\[code || name\\](\\[msg\\]) and f\\(a+1\\)"]);
    assert.equal(textOf(html), "createError[code || name]([msg]) and f(a+1)");
    assert.match(await render(["其中\\(a+1\\)"]), /<math/);
  });

  const sources = [
    { title: "One", url: "https://one.test/a", date: "2026-01-02" },
    { title: "Two", url: "javascript:alert(1)" },
  ];
  it("links citation marks to their sources, whenever the sources arrive", async () => {
    const source = "A.^1^ B [1, 2]. C [REF]0[/REF] D ^3^ E [7] `[1]` [1](https://x.test)";
    for (const when of ["before", "after"] as const) {
      const html = await test.page.evaluate(([t, s, w]) => markdown.cited([...t], s, w), [
        source,
        sources,
        when,
      ] as const);
      assert.equal(html.match(/<a href="https:\/\/one\.test\/a"/g)?.length, 3, html);
      assert.equal(html.match(/aria-label="Source 2: Two"/g)?.length, 1);
      assert.equal(textOf(html), "A.1 B 12. C 1 D ^3^ E [7] [1] 1");
      assert.doesNotMatch(html, /javascript/);
    }
  });

  it("leaves citation marks unchanged without sources", async () => {
    const html = await render([..."a[1] x^2^ [REF]0[/REF] [2, 3]"], true);
    assert.equal(textOf(html), "a[1] x^2^ [REF]0[/REF] [2, 3]");
  });

  it("links a reference to its footnote, and leaves one without a footnote unchanged", async () => {
    const html = await render([..."Text[^a] and [^b].\n\n[^a]: The *note*.\n[^c]: Another.\n"], true);
    assert.match(html, /<button type="button" class="footnote-link" aria-label="Note a">a<\/button>/);
    assert.match(
      html,
      /<p class="footnote"><span class="footnote-label">a\.<\/span> The <em>note<\/em>\.<\/p>/,
    );
    assert.equal(html.match(/class="footnote"/g)?.length, 2);
    assert.match(html, /\[\^b\]/);
  });

  for (const [source, after] of [
    ["[^a]: A note\n---\n", "<hr>"],
    ["[^a]: A note\n===\n", "A note\n==="],
    ["[^a]: | one |\n|---|\n", "| one |\n|---|"],
  ] as const) {
    it(`leaves ${JSON.stringify(source)} a footnote, streamed or at once`, async () => {
      const html = await render([source]);
      assert.match(html, /class="footnote"/);
      assert.ok(html.includes(after), html);
      assert.equal(await render([...source], true), html);
    });
  }

  it("copies formulas as source", async () => {
    await render(["Let $x^2$ be\n\n$$\ny\n$$\n\n- one\n- two"]);
    assert.equal(
      await test.page.evaluate(() => markdown.copied("body > div")),
      "Let $x^2$ be\n\n$$\ny\n$$\n\none\ntwo",
    );
    await render(["no formula"]);
    assert.equal(await test.page.evaluate(() => markdown.copied("body > div")), undefined);
  });

  it("shows an image that is part of the answer, and a remote one only on request", async () => {
    const html = await render(
      [..."![dot](data:image/png;base64,iVBORw0KGgo=) ![far](https://a.test/x.png)"],
      true,
    );
    assert.equal(html.match(/<img/g)?.length, 1);
    const { page } = test;
    await page.getByRole("button", { name: "far · load from a.test" }).click();
    const came = (picture: Parameters<MarkdownPage["pictureCame"]>[1]) =>
      page.evaluate((given) => markdown.pictureCame("https://a.test/x.png", given), picture);
    const asked = await came({ problem: "not loaded: it is not an image" });
    assert.deepEqual(asked, [{ type: "loadPicture", body: { url: "https://a.test/x.png" } }]);
    await page.getByRole("button", { name: "not loaded: it is not an image" }).click();
    await came({ src: "data:image/png;base64,iVBORw0KGgo=" });
    assert.equal(await page.getByRole("img", { name: "far" }).count(), 1);
    assert.equal(
      (await render(["![far](https://a.test/x.png)"])).match(/<img/g)?.length,
      1,
      "as it was fetched",
    );
  });
});

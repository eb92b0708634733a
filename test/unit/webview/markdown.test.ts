import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { Marked } from "marked";
import type { Browser } from "playwright-core";
import { readInfo } from "../../../src/webview/markdown/codeFrame.ts";
import { launchChromium } from "../../vscode/chromium.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { openPage, type TestPage } from "./page.ts";

declare const markdown: MarkdownPage;

/** Beginnings, middles and ends of what markdown has, to be joined in any order. */
const fragments = [
  ..."*_`~[]()<>#|!&\\-+=:.\t \n".split(""),
  ..."word|two words|snake_case|2*3*4|**bold**|*em*|***both***|~~gone~~|`code`|``a`b``|\\*no\\*|&amp;|&#65;".split(
    "|",
  ),
  "[text](https://a.test/x_y?a=1&b=2)",
  "[text](https://a.test (title))",
  "[ref][label]",
  "[label]",
  "![alt](https://a.test/i.png)",
  "<https://a.test>",
  "<b>html</b>",
  "line<br>break",
  "https://a.test/path_(x).",
  "www.a.test",
  "me@a.test",
  "two spaces  \nhard",
  "back\\\nslash",
  "\n\n",
  "\n[label]: https://b.test 'title'\n",
  "\n# Heading #\n",
  "\n### Deep\n",
  "\nSetext\n===\n",
  "\nother\n---\n",
  "\n---\n",
  "\n- item\n",
  "\n* star\n",
  "\n1. one\n",
  "\n2) two\n",
  "\n- [ ] open\n- [x] done\n",
  "\n  - nested\n",
  "\n    four spaces\n",
  "\n> quote\n",
  "\n> - in quote\n",
  "\nlazy\n",
  "\n| a | b |\n|---|:-:|\n",
  "| 1 | `x|y` |\n",
  "| \\| | **2** |\n",
  "\n```ts\n",
  "const a = `1`; // one\n",
  "```\n",
  "\n~~~\n",
  "~~~\n",
  "\n   ```js\n   x\n   ```\n",
  "$x^2$",
  "$5 and $6",
  "$$y$$",
  "\\(a+b\\)",
  "\\[c\\]",
  "\n$$\nx = 1\n",
  "\n$$\n",
  "\n\\[\n",
  "\\]\n",
  "^1,2^",
  "[1]",
  "[REF]0[/REF]",
  "[^n]",
  "\n[^n]: a note\n",
  "$",
  "^",
];

describe("markdown in a real browser", () => {
  let browser: Browser;
  let test: TestPage;
  before(async () => {
    browser = await launchChromium();
    test = await openPage(browser, "markdownPage.ts");
  });
  after(async () => {
    await browser.close();
    assert.deepEqual(test.requests, [], "nothing was fetched");
    assert.deepEqual(test.errors, [], "nothing was thrown, nothing refused by the policy");
  });

  const render = (pieces: readonly string[], drawEach = false, isWhole = true) =>
    test.page.evaluate(([p, d, w]) => markdown.render(p, d, w), [pieces, drawEach, isWhole] as const);

  const cuts = fc.array(fc.nat(5000), { maxLength: 60 });
  const joined = (parts: readonly string[], minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom(...parts), { minLength, maxLength }).map((chosen) => chosen.join(""));
  const assertSameHoweverCut = async (source: string, places: readonly number[]) => {
    const whole = await render([source]);
    assert.equal(await render(cutAt(source, places), true), whole);
    assert.equal(await render([...source], true), whole);
  };

  it("becomes the same page however it is cut into pieces", async () => {
    await fc.assert(fc.asyncProperty(joined(fragments, 0, 40), cuts, assertSameHoweverCut), { numRuns: 150 });
  });

  it("becomes the same page however one long paragraph is cut", async () => {
    const prose = fragments.filter((fragment) => !fragment.includes("\n"));
    const words = [...prose, ..."some more words of plain prose in between them all".split(" ")];
    const paragraph = joined(
      words.flatMap((word) => [word, " "]),
      150,
      400,
    );
    await fc.assert(fc.asyncProperty(paragraph, cuts, assertSameHoweverCut), { numRuns: 30 });
  });

  it("becomes the same page for long answers, letter by letter", async () => {
    for (const source of samples()) {
      const whole = await render([source]);
      assert.equal(await render([...source], true), whole);
      assert.equal(await render(source.split(/(?<=\n)/), true), whole);
    }
  });

  it("reads what answers are made of as another reader does", async () => {
    for (const source of samples()) {
      assert.equal(normal(await render([source])), normal(new Marked().parse(source) as string));
    }
  });

  const open: readonly (readonly [string, string])[] = [
    ["**bol", "<strong>bol</strong>"],
    ["a *wor", "a <em>wor</em>"],
    ["a `cod", "a <code>cod</code>"],
    ["a [link](https://a.te", "a <span>link</span>"],
    ["a **", "a "],
    ["a 2*3", "a 2*3"],
    ["*a* and **b", "<em>a</em> and <strong>b</strong>"],
    ["# Tit", "<h1>Tit</h1>"],
    ["- ite", "<li><p>ite</p></li>"],
    ["```ts\nlet", "let"],
    ["| a | b |\n|---|---|\n| one | tw", "<td>tw</td>"],
  ];
  for (const [source, expected] of open) {
    it(`shows ${JSON.stringify(source)} as it will most likely end`, async () => {
      const html = await render([...source], true, false);
      assert.ok(html.includes(expected), html);
    });
  }

  it("does not show marks that may turn out to be something else", async () => {
    for (const source of [
      "text\n-",
      "text\n--",
      "text\n1.",
      "```",
      "```t",
      "| a | b |",
      "| a | b |\n|--",
      "[x]: htt",
    ]) {
      const html = await render([...source], true, false);
      const shown = html.replace(/<[^>]+>/g, "");
      assert.ok(shown === "" || shown === "text", `${JSON.stringify(source)} shows ${html}`);
    }
  });

  it("resolves a reference whose definition comes long after it", async () => {
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

  it("keeps a formula as text until it is closed, and for good where it is none", async () => {
    assert.equal(textOf(await render([..."a $x^2"], true, false)), "a $x^2");
    assert.equal(textOf(await render(["$$\nx = 1\n"], true, false)), "$$\nx = 1");
    assert.match(await render(["$\\frac{1}$"]), /class="math math-problem"[^>]*>\$\\frac\{1\}\$</);
  });

  const sources = [
    { title: "One", url: "https://one.test/a", date: "2026-01-02" },
    { title: "Two", url: "javascript:alert(1)" },
  ];
  it("makes marks of sources links to them, whenever the sources come", async () => {
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

  it("leaves marks of sources as written where there are none", async () => {
    const html = await render([..."a[1] x^2^ [REF]0[/REF] [2, 3]"], true);
    assert.equal(textOf(html), "a[1] x^2^ [REF]0[/REF] [2, 3]");
  });

  it("leads from a reference to its note, and leaves one without a note as written", async () => {
    const html = await render([..."Text[^a] and [^b].\n\n[^a]: The *note*.\n[^c]: Another.\n"], true);
    assert.match(html, /<button type="button" class="footnote-link" aria-label="Note a">a<\/button>/);
    assert.match(
      html,
      /<p class="footnote"><span class="footnote-label">a\.<\/span> The <em>note<\/em>\.<\/p>/,
    );
    assert.equal(html.match(/class="footnote"/g)?.length, 2);
    assert.match(html, /\[\^b\]/);
  });

  it("copies formulas as they were written", async () => {
    await render(["Let $x^2$ be\n\n$$\ny\n$$\n\n- one\n- two"]);
    assert.equal(
      await test.page.evaluate(() => markdown.copied("body > div")),
      "Let $x^2$ be\n\n$$\ny\n$$\n\none\ntwo",
    );
    await render(["no formula"]);
    assert.equal(await test.page.evaluate(() => markdown.copied("body > div")), undefined);
  });

  it("shows a picture that came with the answer, and only as a link one that is elsewhere", async () => {
    const html = await render(
      [..."![dot](data:image/png;base64,iVBORw0KGgo=) ![far](https://a.test/x.png)"],
      true,
    );
    assert.equal(html.match(/<img/g)?.length, 1);
    assert.match(html, /<a href="https:\/\/a\.test\/x\.png"[^>]*>far<\/a>/);
  });

  const infos: readonly (readonly [string, string, string])[] = [
    ["ts", "ts", ""],
    ["ts src/a.ts", "ts", "src/a.ts"],
    ["ts:src/a.ts", "ts", "src/a.ts"],
    ['ts title="my file.ts"', "ts", "my file.ts"],
    ["src/a.rs", "rs", "src/a.rs"],
    ["c++ {highlight: [1]}", "c++", ""],
    ["ts twoslash", "ts", ""],
  ];
  for (const [info, language, path] of infos) {
    it(`reads the language and the file of a fence from ${info}`, () => {
      assert.deepEqual(readInfo(info), { language, path: path === "" ? undefined : path });
    });
  }

  it("draws a diagram when asked to, and says why it can't", async () => {
    await render(["```mermaid\ngraph TD\nA-->B\n```\n\n```mermaid\ngantt\ntitle x\n```\n"]);
    const buttons = test.page.getByRole("button", { name: "Show Diagram" });
    await buttons.last().click();
    await test.page.getByText("A diagram of the kind “gantt” can't be drawn here.").waitFor();
    await buttons.first().click();
    const picture = test.page.getByRole("img", { name: /^Diagram: graph TD/ });
    await picture.waitFor();
    assert.ok((await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)) > 50);
    await test.page.getByRole("button", { name: "Hide Diagram" }).first().click();
    await picture.waitFor({ state: "detached" });
  });

  it("shows JSON as a tree that is made as it is opened", async () => {
    const value = { name: "x", list: Array.from({ length: 450 }, (_, i) => ({ i })), no: null };
    assert.equal(await test.page.evaluate((text) => markdown.tree(text), JSON.stringify(value)), true);
    await test.page.getByText("[450 items]").waitFor();
    assert.equal(await test.page.locator(".json-leaf").count(), 2);
    await test.page.getByText("[450 items]").click();
    await test.page.getByRole("button", { name: "250 more" }).click();
    await test.page.getByRole("button", { name: "50 more" }).click();
    assert.equal(await test.page.getByText("{1 member}").count(), 450);
    for (const none of ["{", "1", '"x"', "null"]) {
      assert.equal(await test.page.evaluate((text) => markdown.tree(text), none), false);
    }
  });

  it("offers more for code when asked, and running only for commands", async () => {
    await render(["```sh\nls\n```\n\n```ts\nlet a;\n```\n"]);
    const more = test.page.getByRole("button", { name: "More for this" });
    await more.last().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 0);
    await more.first().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 1);
    await more.first().press("Enter");
    assert.equal(await test.page.getByRole("button", { name: "Run in Terminal…" }).count(), 0);
  });

  it("colours code of a known language, and leaves the rest as it is", async () => {
    const html = await render(["```ts\nconst a = 1;\n```\n\n```nonsense\nconst a = 1;\n```\n"]);
    assert.equal(html.match(/hl-keyword/g)?.length, 1);
  });

  it("keeps every character of long code, coloured in segments", async () => {
    const code = Array.from({ length: 400 }, (_, i) =>
      i % 9 === 8 ? "" : `const v${i} = "x"; /* ${i} */`,
    ).join("\n");
    await render([...`\`\`\`ts\n${code}\n\`\`\`\n`], true);
    assert.equal(await test.page.locator("pre code").evaluate((element) => element.textContent), code);
    assert.ok((await test.page.locator("pre .segment").count()) > 3);
  });

  it("ends in bounded time on text that is made to be slow", async () => {
    const n = 20_000;
    const slow = [
      ">".repeat(n),
      "- ".repeat(n),
      "[".repeat(n),
      "[a](b".repeat(n),
      "*a _b ".repeat(n),
      "`a``b```c".repeat(n / 4),
      "<a:".repeat(n),
      `${"a".repeat(n)} @ https://${")".repeat(n)}`,
      `# ${" ".repeat(n)}x`,
      `a | b\n--- ${" ".repeat(n)}x`,
      "![[]()".repeat(n),
      "**x** ".repeat(n),
      "$x".repeat(n),
      "\\(x".repeat(n),
      `${"$x$ ".repeat(n / 10)}\n`,
      "[1] ^2^ ".repeat(n),
      `$$\n${"{".repeat(n)}\n$$`,
      `$${"\\sqrt{".repeat(60)}$`,
      "$\\def\\a{\\a\\a}\\a$",
    ];
    for (const source of slow) assert.ok((await render([source])).length > 0);
  });
});

function cutAt(source: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (source.length + 1)).sort((a, b) => a - b), source.length];
  return at.slice(1).map((end, index) => source.slice(at[index], end));
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").trim();
}

/** The documentation that the sandbox's guide answers from, without its notes for the guide. */
function samples(): string[] {
  const folder = join(import.meta.dirname, "..", "..", "..", "media", "docs");
  return readdirSync(folder).map((name) =>
    readFileSync(join(folder, name), "utf8").replace(/<!--.*?-->\n?/gs, ""),
  );
}

/** Markup of either reader as one: without our frames, without what only one of them marks. */
function normal(html: string): string {
  return html
    .replaceAll(' dir="auto"', "")
    .replace(/<div class="code-head">.*?<\/div>/gs, "")
    .replace(/<ul class="tight">.*?<\/ul>|<ol class="tight">.*?<\/ol>/gs, (list) =>
      list.replace(/<\/?p>/g, ""),
    )
    .replace(/<\/?(?:div|span|tbody)\b[^>]*>/g, "")
    .replace(/<(\w+)\b[^>]*>/g, (_, tag: string) => `<${tag}>`)
    .replace(/\n<\/code>/g, "</code>")
    .replace(/\s+/g, " ")
    .replace(/ ?(<\/?(?:p|ul|ol|li|h\d|hr|pre|table|thead|tr|t[hd]|blockquote|br)>) ?/g, "$1")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .trim();
}

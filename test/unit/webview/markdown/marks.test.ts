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

  const prices = [
    "$5-ish; 10$.",
    "$5/month or 60$",
    "$foo and bar$",
    "cheap ($) moderate ($$) pricey ($$$)",
    "$$ and $$, or $$ to $$$",
    "$(a);$(b)",
    "售价$5，原价10$。",
    "fee $5 and tax $8",
  ];
  for (const source of prices)
    it(`reads no formula in ${source}`, async () => {
      for (const pieces of [[source], [...source]]) {
        const html = await render(pieces, true);
        assert.doesNotMatch(html, /data-tex/);
      }
    });

  it("reads formulas that begin with a number or name a function", async () => {
    const html = await render(["$3 mod 5$, $2n$, $3x+1$, $10\\%$, $5 \\text{ km}$ and $$a b$$"]);
    assert.equal(html.match(/<math/g)?.length, 6);
  });

  const emphasised: readonly (readonly [string, string])[] = [
    ["含**「重点」**内容", "<p>含<strong>「重点」</strong>内容</p>"],
    ["**注意：**正文", "<p><strong>注意：</strong>正文</p>"],
    ["这是**“引用”**的例子", "<p>这是<strong>“引用”</strong>的例子</p>"],
    ["テスト**テスト。**テスト", "<p>テスト<strong>テスト。</strong>テスト</p>"],
    ["한국어**(강조)**입니다", "<p>한국어<strong>(강조)</strong>입니다</p>"],
    ["含**重点，**内容**再**来", "<p>含<strong>重点，</strong>内容<strong>再</strong>来</p>"],
    ["前__「重点」__后 和*（斜体）*文", "<p>前<strong>「重点」</strong>后 和<em>（斜体）</em>文</p>"],
    ["~~（删除）~~文字", "<p><del>（删除）</del>文字</p>"],
    ["**`code`**を使う", "<p><strong><code>code</code></strong>を使う</p>"],
    ["**Warning:**text", "<p>**Warning:**text</p>"],
    ["变量_名_字", "<p>变量_名_字</p>"],
  ];
  for (const [source, wanted] of emphasised)
    it(`reads emphasis as East Asian writers mean it: ${source}`, async () => {
      for (const pieces of [[source], [...source]])
        assert.ok((await render(pieces, true)).includes(wanted), await render(pieces, true));
    });

  const addresses: readonly (readonly [string, readonly string[]])[] = [
    ["文档：https://example.com/docs，详见下文", ["https://example.com/docs"]],
    ["见（https://example.com/docs）。", ["https://example.com/docs"]],
    [
      "「https://example.com/a」を、https://example.com/b。",
      ["https://example.com/a", "https://example.com/b"],
    ],
    ["https://ja.wikipedia.org/wiki/日本 は", ["https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC"]],
    ["访问www.example.com，谢谢", ["http://www.example.com/"]],
    ["https://example.com을 보세요", ["https://example.com/"]],
    ["“https://example.com/a”", ["https://example.com/a"]],
    ['<img src="https://e.test/a.png">', ["https://e.test/a.png"]],
    ["<a href=https://e.test/b>x</a>", ["https://e.test/b"]],
    ['<a href="https://e.test/?a=1&amp;b=2">*x*</a> y', ["https://e.test/?a=1&amp;b=2"]],
    ["<a class='x' href='https://e.test/c'>x</a>", ["https://e.test/c"]],
    ["<a href='javascript:alert(1)'>x</a>", []],
    ['<a href="https://e.test">never closed', ["https://e.test/"]],
    ["[report](<https://example.com/my report.pdf>)", ["https://example.com/my%20report.pdf"]],
    ["[report](https://example.com/my report (1).pdf)", ["https://example.com/my%20report%20(1).pdf"]],
    ['[report](https://example.com/my report.pdf "My report")', ["https://example.com/my%20report.pdf"]],
    ["[a]: <https://e.test/my file.pdf>\n\n[a]", ["https://e.test/my%20file.pdf"]],
    ["[x](<java script:alert(1)>) [y](< javascript:alert(1)>)", []],
    ["[x](<https://exa mple.com/a>)", []],
    ["[x]( https://e.test/my file.pdf )", ["https://e.test/my%20file.pdf"]],
    ['<A HREF="https://e.test/up">x</A> y', ["https://e.test/up"]],
    ["<a href=https://e.test/bare target=_blank>x</a> y", ["https://e.test/bare"]],
    ["<a href=javascript:alert(1)>x</a>", []],
    ["[x](a link really, just text)", []],
  ];
  for (const [source, wanted] of addresses)
    it(`ends addresses where writers mean it: ${source}`, async () => {
      for (const pieces of [[source], [...source]]) {
        const html = await render(pieces, true);
        assert.deepEqual(
          [...html.matchAll(/ href="([^"<]*)" title/g)].map(([, href]) => href),
          wanted,
          html,
        );
      }
    });

  it("takes a name with spaces for one file, on all systems", async () => {
    for (const [source, target] of [
      ["[a](C:\\Users\\me\\my file.txt)", "C:\\Users\\me\\my file.txt"],
      ["[a](file:///home/me/my file.txt)", "file:///home/me/my file.txt"],
      ["[a]( my file.pdf )", "my file.pdf"],
    ] as const)
      for (const pieces of [[source], [...source]]) {
        const html = await render(pieces, true);
        assert.ok(html.includes(`<span title="${target}"`) && html.includes(">a</span>"), html);
      }
  });

  it("sets a formula whose end is followed by punctuation or words", async () => {
    const cases = [
      ["$$\nx = 1\n$$.\n\nAfter", "$$\nx = 1\n.\n$$", "<p>After</p>"],
      [
        "\\[\nx\n\\], where *y*\nis one\n\nAfter",
        "\\[\nx\n,\n\\]",
        "<p>where <em>y</em>\nis one</p><p>After</p>",
      ],
      ["$$\nx\n$$ tail", "$$\nx\n$$", "<p>tail</p>"],
      ["- a\n  $$\n  x\n  $$; b\n- c", "$$\nx\n;\n$$", "<p>b</p></li><li><p>c</p></li>"],
    ] as const;
    for (const [source, tex, after] of cases)
      for (const pieces of [[source], [...source]]) {
        const html = await render(pieces, true);
        assert.ok(html.includes(`data-tex="${tex}"`), html);
        assert.ok(html.replaceAll(/<\/?div[^>]*>/g, "").includes(after), html);
        assert.doesNotMatch(html, /math-source/);
      }
  });

  it("shows all blocks of a note, and the text after it outside", async () => {
    const source =
      "Text[^1].\n\n[^1]: First.\n\n    Second.\n\n    ```js\n    a();\n    ```\n\n    - item\n\nAfter.\n\n    code\n";
    for (const pieces of [[source], [...source]]) {
      const html = await render(pieces, true);
      const [, more = "", rest = ""] =
        /<div class="footnote-more"[^>]*>(.*)<p>(After\..*)$/s.exec(html) ?? [];
      assert.match(more, /<p>Second\.<\/p>.*<pre .*<li>.*item.*<\/li>/s);
      assert.doesNotMatch(more, /```/);
      assert.match(rest, /<pre .*code/s);
    }
    const list = await render(["A[^a]\n\n[^a]: note\n    - one\n    - two\n[^b]: other\n\n    more\n"], true);
    assert.equal(list.match(/<li>/g)?.length, 2);
    assert.equal(list.match(/class="footnote-more"/g)?.length, 2);
  });

  it("puts many nodes in where no direction is searched for, and finds it again", async () => {
    for (const start of ["|a|b|\n|-|-|\n|", "- ", "> "]) {
      const most = await test.page.evaluate(async (source) => {
        const { insertBefore } = Node.prototype;
        let found = 0;
        Node.prototype.insertBefore = function <Inserted extends Node>(
          this: Node,
          node: Inserted,
          next: Node | null,
        ) {
          const isAuto = this instanceof Element && this.closest('[dir="auto"]') !== null;
          if (isAuto) found = Math.max(found, node.childNodes.length);
          return insertBefore.call(this, node, next) as Inserted;
        };
        await markdown.render([source], true);
        Node.prototype.insertBefore = insertBefore;
        return found;
      }, start + "[1]".repeat(5000));
      assert.ok(most < 64, `${most} nodes`);
      assert.match(await render([`${start}${"[1]".repeat(300)} مرحبا`], true), /dir="auto"/);
    }
  });

  const nestings = {
    quotes: ">",
    lists: "- ",
    numbers: "1. ",
    both: "> - ",
    brackets: "[",
    pictures: "![",
    stars: "*a ",
  };
  it("shows text that is nested a hundred thousand times", async () => {
    for (const piece of Object.values(nestings)) {
      const html = await render([`${piece.repeat(100_000)}the end`], true);
      assert.match(html, /the end/);
    }
    assert.match(await render([`${"[".repeat(50_000)}a${"](b)".repeat(50_000)} the end`], true), /the end/);
    assert.match(
      await render([`$$\n${"{".repeat(1900)}x${"}".repeat(1900)}\n$$\n\nthe end`], true),
      /the end/,
    );
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

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openMarkdown } from "./openMarkdown.ts";

/** Rows of cells as a table; the first is the head. */
const table = (rows: readonly (readonly string[])[], alignments: readonly string[] = []) => {
  const cells = (row: readonly string[], tag: string) =>
    row
      .map((cell, i) => `<${tag}${alignments[i] ? ` align="${alignments[i]}"` : ""}>${cell}</${tag}>`)
      .join("");
  const [head = [], ...body] = rows;
  return `<table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${body.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table>`;
};
const web = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const p = (content: string) => `<p>${content}</p>`;

type Case = readonly [rule: string, markdown: string, html: string];

const tables: readonly Case[] = [
  [
    "a header, a delimiter row, rows",
    "| a | b |\n| - | - |\n| c | d |",
    table([
      ["a", "b"],
      ["c", "d"],
    ]),
  ],
  [
    "the bars at either end may be left out",
    "a | b\n-|-\nc | d\n| e | f",
    table([
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ]),
  ],
  ["one column needs its bars", "| a |\n|---|\n| b |", table([["a"], ["b"]])],
  ["one column with a bar at one end", "| a\n|---\nb", table([["a"], ["b"]])],
  [
    "colons align",
    "|a|b|c|d|\n|:-|-:|:-:|-|\n|1|2|3|4|",
    table(
      [
        ["a", "b", "c", "d"],
        ["1", "2", "3", "4"],
      ],
      ["left", "right", "center"],
    ),
  ],
  [
    "cells need not be as wide as each other",
    "| abc | d |\n:-: | -----------:\nbar | baz",
    table(
      [
        ["abc", "d"],
        ["bar", "baz"],
      ],
      ["center", "right"],
    ),
  ],
  [
    "an escaped bar stays in its cell, in code as well",
    "| f\\|oo |\n| --- |\n| b `\\|` az |\n| b **\\|** im |",
    table([["f|oo"], ["b <code>|</code> az"], ["b <strong>|</strong> im"]]),
  ],
  [
    "a bar in code that is not escaped ends the cell",
    "| a | b |\n|-|-|\n| `x|y` |",
    table([
      ["a", "b"],
      ["`x", "y`"],
    ]),
  ],
  ["an empty line ends it", "| a |\n|-|\n| b |\n\nc", table([["a"], ["b"]]) + p("c")],
  [
    "another block ends it",
    "| a |\n|-|\n| b |\n> c",
    `${table([["a"], ["b"]])}<blockquote>${p("c")}</blockquote>`,
  ],
  ["a heading ends it", "| a |\n|-|\n# b", `${table([["a"]])}<h1>b</h1>`],
  ["a fence ends it", "| a |\n|-|\n```\nb\n```", `${table([["a"]])}<pre><code>b</code></pre>`],
  ["a list ends it", "| a |\n|-|\n- b", `${table([["a"]])}<ul><li>b</li></ul>`],
  ["a rule ends it", "| a |\n|-|\n***", `${table([["a"]])}<hr>`],
  [
    "a line without bars is a row",
    "| a | b |\n|-|-|\nc",
    table([
      ["a", "b"],
      ["c", ""],
    ]),
  ],
  [
    "the delimiter row has as many cells as the header: fewer",
    "| a | b |\n| - |\n| c |",
    p("| a | b |\n| - |\n| c |"),
  ],
  [
    "the delimiter row has as many cells as the header: more",
    "| a |\n|-|-|\n| c |",
    p("| a |\n|-|-|\n| c |"),
  ],
  [
    "a row may have fewer cells, and more, which are left out",
    "| a | b |\n|-|-|\n| c |\n| d | e | f |",
    table([
      ["a", "b"],
      ["c", ""],
      ["d", "e"],
    ]),
  ],
  ["without rows", "| a | b |\n|-|-|", table([["a", "b"]])],
  [
    "marks within cells",
    "| *a* | [b](u) |\n|-|-|\n| ~~c~~ | <b |",
    table([
      ["<em>a</em>", web("u", "b")],
      ["<del>c</del>", "&lt;b"],
    ]),
  ],
  ["marks do not go over cells", "| *a | b* |\n|-|-|", table([["*a", "b*"]])],
  ["its header may be the last line of a paragraph", "x\n| a |\n|-|", p("x") + table([["a"]])],
  [
    "in a quote and in an item",
    "> | a |\n> |-|\n> | b |\n\n- | c |\n  |-|\n  | d |",
    `<blockquote>${table([["a"], ["b"]])}</blockquote><ul><li>${table([["c"], ["d"]])}</li></ul>`,
  ],
  ["up to three spaces before it", "   | a |\n   |-|\n   | b |", table([["a"], ["b"]])],
  ["four spaces are code", "    | a |\n    |-|", "<pre><code>| a |\n|-|</code></pre>"],
  [
    "a bar alone makes no table: a command",
    "Run `cat x | grep y`\nand look at it.",
    p("Run <code>cat x | grep y</code>\nand look at it."),
  ],
  ["a bar alone makes no table: two lines", "a | b\nc | d", p("a | b\nc | d")],
  ["a delimiter row needs a hyphen in each cell", "| a | b |\n|-||", p("| a | b |\n|-||")],
  ["signs that are none make it no delimiter row", "| a |\n|-x|", p("| a |\n|-x|")],
  ["bars alone are no delimiter row", "|\n|", p("|\n|")],
  ["hyphens without a bar underline", "a | b\n---", "<h2>a | b</h2>"],
];

const strikes: readonly Case[] = [
  ["two tildes", "~~Hi~~ Hello, ~~world~~!", p("<del>Hi</del> Hello, <del>world</del>!")],
  ["not over paragraphs", "This ~~has a\n\nnew paragraph~~.", p("This ~~has a") + p("new paragraph~~.")],
  ["not three", "This will ~~~not~~~ strike.", p("This will ~~~not~~~ strike.")],
  ['not one: more often it is "about"', "~5 and ~6", p("~5 and ~6")],
  ["two and one do not pair", "~~a~ b", p("~~a~ b")],
  ["no space inside its ends", "~~ a ~~", p("~~ a ~~")],
  [
    "around and in other marks",
    "**~~a~~** ~~*b* `c`~~",
    p("<strong><del>a</del></strong> <del><em>b</em> <code>c</code></del>"),
  ],
  ["within a word", "a~~b~~c", p("a<del>b</del>c")],
  ["escaped", "\\~~a~~", p("~~a~~")],
];

const box = '<input type="checkbox" disabled>';
const ticked = '<input type="checkbox" disabled checked>';
const tasks: readonly Case[] = [
  ["open and done", "- [ ] foo\n- [x] bar", `<ul><li>${box} foo</li><li>${ticked} bar</li></ul>`],
  ["a capital", "- [X] foo", `<ul><li>${ticked} foo</li></ul>`],
  [
    "nested",
    "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim",
    `<ul><li>${ticked} foo<ul><li>${box} bar</li><li>${ticked} baz</li></ul></li><li>${box} bim</li></ul>`,
  ],
  ["of numbers", "1. [ ] foo\n2. [x] bar", `<ol><li>${box} foo</li><li>${ticked} bar</li></ol>`],
  ["loose", "- [ ] foo\n\n- [x] bar", `<ul><li>${p(`${box} foo`)}</li><li>${p(`${ticked} bar`)}</li></ul>`],
  ["white space must follow", "- [ ]foo", "<ul><li>[ ]foo</li></ul>"],
  [
    "one sign only",
    "- [xx] foo\n- [] bar\n- [y] baz",
    "<ul><li>[xx] foo</li><li>[] bar</li><li>[y] baz</li></ul>",
  ],
  ["not in the middle", "- foo [ ] bar", "<ul><li>foo [ ] bar</li></ul>"],
  ["not in a second paragraph", "- foo\n\n  [ ] bar", `<ul><li>${p("foo")}${p("[ ] bar")}</li></ul>`],
  ["not in the line after its mark", "- foo\n-\n  [x] bar", "<ul><li>foo</li><li>[x] bar</li></ul>"],
  ["not outside of lists", "[ ] foo", p("[ ] foo")],
  ["a bracket alone stays", "- [", "<ul><li>[</li></ul>"],
  ["a box alone is text", "- [ ] \n- [x]", "<ul><li>[ ]</li><li>[x]</li></ul>"],
];

const autolinks: readonly Case[] = [
  ["www.", "www.commonmark.org", p(web("http://www.commonmark.org", "www.commonmark.org"))],
  [
    "a path",
    "Visit www.commonmark.org/help for more.",
    p(`Visit ${web("http://www.commonmark.org/help", "www.commonmark.org/help")} for more.`),
  ],
  [
    "signs at the end",
    "www.a.b. www.a.b/c.d. www.a.b? www.a.b! www.a.b, www.a.b: www.a.b_ www.a.b~ www.a.b*",
    p(
      ["", "/c.d"].map((path) => `${web(`http://www.a.b${path}`, `www.a.b${path}`)}.`).join(" ") +
        [..."?!,:_~*"].map((sign) => ` ${web("http://www.a.b", "www.a.b")}${sign}`).join(""),
    ),
  ],
  [
    "a parenthesis that was opened inside",
    "www.google.com/search?q=Markup+(business)",
    p(web("http://www.google.com/search?q=Markup+(business)", "www.google.com/search?q=Markup+(business)")),
  ],
  [
    "one that was opened outside",
    "(www.a.b/c_(d)) (www.a.b/c)))",
    p(`(${web("http://www.a.b/c_(d)", "www.a.b/c_(d)")}) (${web("http://www.a.b/c", "www.a.b/c")})))`),
  ],
  ["one in the middle", "www.a.b/q=(x))+ok", p(web("http://www.a.b/q=(x))+ok", "www.a.b/q=(x))+ok"))],
  [
    "what looks like a reference at the end",
    "www.a.b/?q=x&hl=en www.a.b/?q=x&hl;",
    p(
      `${web("http://www.a.b/?q=x&amp;hl=en", "www.a.b/?q=x&amp;hl=en")} ${web("http://www.a.b/?q=x", "www.a.b/?q=x")}&amp;hl;`,
    ),
  ],
  ["< ends it", "www.a.b/he<lp", p(`${web("http://www.a.b/he", "www.a.b/he")}&lt;lp`)],
  [
    "schemes",
    "http://a.b https://a.b/?q=(c) HTTPS://A.B",
    p(`${web("http://a.b")} ${web("https://a.b/?q=(c)")} ${web("HTTPS://A.B")}`),
  ],
  ["no dot is needed after a scheme", "http://localhost:3000/x", p(web("http://localhost:3000/x"))],
  [
    "only where one may begin",
    "xhttp://a.b xwww.a.b /www.a.b (http://a.b) *www.a.b*",
    p(`xhttp://a.b xwww.a.b /www.a.b (${web("http://a.b")}) <em>${web("http://www.a.b", "www.a.b")}</em>`),
  ],
  [
    "underscores: not in the last two parts",
    "http://a_b.c http://a_b.c.d",
    p(`http://a_b.c ${web("http://a_b.c.d")}`),
  ],
  ["a host must follow", "http:// www. https://. www.!", p("http:// www. https://. www.!")],
  [
    "marks within are part of it",
    "https://a.b/__init__.py https://a.b/*c* **https://a.b/_d_**",
    p(
      `${web("https://a.b/__init__.py")} ${web("https://a.b/*c", "https://a.b/*c")}* <strong>${web("https://a.b/_d", "https://a.b/_d")}_</strong>`,
    ),
  ],
  [
    "not in code, nor within a link",
    "`http://a.b` [http://a.b](u)",
    p(`<code>http://a.b</code> ${web("u", "http://a.b")}`),
  ],
  [
    "mail",
    "foo@bar.baz a.b-c_d+e@a-b.c.d",
    p(`${web("mailto:foo@bar.baz", "foo@bar.baz")} ${web("mailto:a.b-c_d+e@a-b.c.d", "a.b-c_d+e@a-b.c.d")}`),
  ],
  ["mail: no plus after the sign", "hello@mail+xyz.example", p("hello@mail+xyz.example")],
  [
    "mail: signs at its end",
    "a.b@a.b. a.b@a.b- a.b@a.b_",
    p(`${web("mailto:a.b@a.b", "a.b@a.b")}. a.b@a.b- a.b@a.b_`),
  ],
  ["mail: a dot is needed", "a@b", p("a@b")],
  ["mail with its scheme", "mailto:foo@bar.baz", p(web("mailto:foo@bar.baz"))],
];

describe("GitHub's extensions to CommonMark", () => {
  const test = openMarkdown({ isHidden: true });

  for (const [extension, cases] of Object.entries({ tables, strikes, tasks, autolinks })) {
    for (const [rule, markdown, html] of cases) {
      it(`${extension}: ${rule}`, async () => {
        for (const pieces of [[markdown], [...markdown]]) {
          const [drawn, wanted] = await test.treesOf([await test.render(pieces, true), html]);
          assert.equal(drawn, wanted, JSON.stringify(markdown));
        }
      });
    }
  }
});

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Marked } from "marked";
import { randomCases } from "../../../runner/cases.ts";
import { openMarkdown } from "./openMarkdown.ts";

/** Beginnings, middles and ends of Markdown constructs, to be joined in any order. */
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
  "\n$$, where\n",
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

describe("markdown that streams", () => {
  const { render } = openMarkdown();

  const cuts = fc.array(fc.nat(5000), { maxLength: 60 });
  const joined = (parts: readonly string[], minLength: number, maxLength: number) =>
    fc.array(fc.constantFrom(...parts), { minLength, maxLength }).map((chosen) => chosen.join(""));
  const assertSameHoweverCut = async (source: string, places: readonly number[]) => {
    const whole = await render([source]);
    assert.equal(await render(cutAt(source, places), true), whole);
    assert.equal(await render([...source], true), whole);
  };

  it("becomes the same page however it is cut into pieces", async () => {
    await fc.assert(fc.asyncProperty(joined(fragments, 0, 40), cuts, assertSameHoweverCut), {
      numRuns: randomCases(150),
    });
  });

  it("becomes the same page however one long paragraph is cut", async () => {
    const prose = fragments.filter((fragment) => !fragment.includes("\n"));
    const words = [...prose, ..."some more words of plain prose in between them all".split(" ")];
    const paragraph = joined(
      words.flatMap((word) => [word, " "]),
      150,
      400,
    );
    await fc.assert(fc.asyncProperty(paragraph, cuts, assertSameHoweverCut), { numRuns: randomCases(30) });
  });

  it("becomes the same page for long answers, letter by letter", async () => {
    for (const source of samples()) {
      const whole = await render([source]);
      assert.equal(await render([...source], true), whole);
      assert.equal(await render(source.split(/(?<=\n)/), true), whole);
    }
  });

  it("parses typical answers like another parser", async () => {
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
    it(`shows ${JSON.stringify(source)} as its most likely end`, async () => {
      const html = await render([...source], true, false);
      assert.ok(html.includes(expected), html);
    });
  }

  it("hides marks that may turn out to be something else", async () => {
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

  it("takes bounded time on text that is made to be slow", async () => {
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

/** The documentation of the sandbox's guide as it quotes it: without comments for the guide and pictures. */
function samples(): string[] {
  const folder = join(import.meta.dirname, "../../../../media/docs");
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return pages.map((name) =>
    readFileSync(join(folder, name), "utf8").replace(/<!--.*?-->\n?|!\[[^\]]*\]\([^)]*\)/gs, ""),
  );
}

/** The markup of both parsers, normalised: without our wrappers, and without elements that only one of them has. */
function normal(html: string): string {
  return (
    html
      .replaceAll(' dir="auto"', "")
      .replace(/<div class="code-head">.*?<\/div>/gs, "")
      .replace(/<ul class="tight">.*?<\/ul>|<ol class="tight">.*?<\/ol>/gs, (list) =>
        list.replace(/<\/?p>/g, ""),
      )
      .replace(/<\/?(?:div|span|tbody)\b[^>]*>/g, "")
      .replace(/<(\w+)\b[^>]*>/g, (_, tag: string) => `<${tag}>`)
      // The parts of a long table.
      .replace(/<\/table>\s*<table>\s*<colgroup>.*?<\/colgroup>/gs, "")
      .replace(/\n<\/code>/g, "</code>")
      .replace(/\s+/g, " ")
      .replace(/ ?(<\/?(?:p|ul|ol|li|h\d|hr|pre|table|thead|tr|t[hd]|blockquote|br)>) ?/g, "$1")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .trim()
  );
}

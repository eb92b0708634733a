import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { listedCases, randomCases } from "../../../runner/cases.ts";
import type { MarkdownPage } from "../pages/markdownPage.ts";
import { documents } from "./documents.ts";
import { openMarkdown } from "./openMarkdown.ts";

declare const markdown: MarkdownPage;

/** Every inline mark, with words in it: final text is cut off between words. */
const marks = [
  "*one two*",
  "_one two_",
  "**one two**",
  "__one two__",
  "***one two***",
  "**one *two* three**",
  "*one **two** three*",
  "~~one two~~",
  "2 * 3 and snake_case_name",
  "`one two`",
  "``one ` two``",
  "[one two](https://a.test/x)",
  "[one two](/relative)",
  "[one two](<a b> 'a title')",
  '[one two](u "a title")',
  "[one two][three four]",
  "[three four][]",
  "[three four]",
  "[three four].",
  "[one *two three* four][three four].",
  "[one *two* `three`](https://a.test)",
  "[one ![two three](https://a.test/i.png) four](https://a.test)",
  "![one two](https://a.test/i.png)",
  "![one two][three four]",
  "[one two] (not one)",
  "\\[one two\\](no)",
  "<https://a.test/one>",
  "<one@a.test>",
  "<b>one two</b>",
  "one<br>two",
  "one<br />two",
  "https://a.test/one_two_three/__init__.py?x=*y*&copy=1).",
  "www.a.test/one",
  "one.two@a.test",
  "mailto:one@a.test",
  "one \\* two \\_ three \\",
  "one &amp; two &eacute; &#233; &#xe9; &nosuch; & three",
  "one  \ntwo",
  "one\\\ntwo",
  "one \n two",
  "one\rtwo\r\nthree",
  "$x + y$",
  "$$x + y$$",
  "$5 and $6",
  "\\(x + y\\)",
  "\\[x + y\\]",
  "\\[[one two](https://a.test)\\]",
  "[1] and [2, 3]",
  "[1](https://a.test)",
  "^1,2^ and x^2^",
  "[REF]0, 1[/REF]",
  "one[^note] two![^note]",
  "[one two](my file (1).md)",
  '[one two](https://a.test/my file "a title")',
  "[one two](three four five)",
  "[one two]( C:\\my dir\\my file.txt )",
  "<A href=https://a.test/one class=x>one *two*</A>",
  '<a href="https://a.test/one">one *two*</a> <a href="x">three</a>',
  "含**「重点 一」**内容 和__（二 三）__四 ~~“五”~~六",
  "见https://a.test/b，三 四。www.a.test五",
  'a="https://a.test/one"two',
  "$5-ish; 10$. $$ to $$$ and $(a)/$(b) c",
  "é 😀 \u00a0 ẞ",
];
const prose = "Some words of plain prose that stand there before it, so many that some are drawn for good. ";
const around: readonly (readonly [string, string])[] = [
  ["", ""],
  ["Words ", " and more."],
  [prose.repeat(4), " and more."],
  ["- [ ] ", "\n- more"],
  ["| a | b |\n|---|---|\n| ", " | more |\n"],
  ["# ", " #\n"],
];
/** Of a document. Rendering each piece takes longer than parsing it. */
const mostCuts = 100;
const definitions = "\n\n[three four]: https://a.test/ref\n[^note]: A note.\n";

describe("markdown that is cut inside its markup", () => {
  const test = openMarkdown({ isHidden: true });

  for (const mark of listedCases(marks)) {
    it(`ends the same with ${JSON.stringify(mark)} cut at each position`, async () => {
      for (const [before, after] of around) {
        for (const source of [before + mark + after, before + mark + after + definitions]) {
          const places = Array.from({ length: mark.length + 2 }, (_, i) =>
            Math.max(0, before.length - 1 + i),
          );
          const cuts = [...places.map((place) => [place]), places];
          const odd = await test.page.evaluate(([s, c]) => markdown.oddCut(s, c), [source, cuts] as const);
          assert.equal(odd?.html, odd?.whole, `${JSON.stringify(source)} cut at ${odd?.cut}`);
        }
      }
    });

    it(`shows ${JSON.stringify(mark)} literally once words follow, wherever it was cut`, async () => {
      const before = prose.repeat(4);
      const source = `${definitions.trim()}\n\n${before}${mark} and more`;
      const from = source.length - mark.length - 10;
      const cuts = Array.from({ length: mark.length + 2 }, (_, i) => [from + i]);
      const odd = await test.page.evaluate(([s, c]) => markdown.oddCut(s, c, true), [source, cuts] as const);
      assert.equal(odd?.html, odd?.whole, `cut at ${odd?.cut}`);
    });
  }

  const oddCut = (source: string, cuts: readonly (readonly number[])[]) =>
    test.page.evaluate(([s, c]) => markdown.oddCut(s, c), [source, cuts] as const);

  it("ends the same with any markup in long paragraphs, cut anywhere", async () => {
    const words = "some more words of plain prose in between them all".split(" ");
    const text = fc
      .array(fc.constantFrom(...marks, ...words, ...words, "*", "_", "[", "]", "`", "$", "(", ")"), {
        minLength: 40,
        maxLength: 120,
      })
      .map((parts) => parts.join(" ") + definitions);
    const places = fc.array(fc.nat(5000), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, places, async (source, chosen) => {
        const cut = chosen.map((place) => place % source.length).sort((a, b) => a - b);
        const odd = await oddCut(source, [cut]);
        assert.equal(odd?.html, odd?.whole);
      }),
      { numRuns: randomCases(300) },
    );
  });

  it("ends the same for every README and CHANGELOG of our packages, cut at random", async () => {
    const [seed] = fc.sample(fc.integer({ min: 1, max: 2 ** 31 - 2 }), 1);
    const random = pseudoRandom(seed ?? 1);
    const files = documents();
    assert.ok(files.length > 300, `${files.length} documents`);
    for (const { name, source } of listedCases(files)) {
      const cut = Array.from({ length: Math.min(mostCuts, source.length) }, () => random(source.length));
      const odd = await oddCut(source, [cut.sort((a, b) => a - b)]);
      assert.equal(odd?.html, odd?.whole, `${name}, seed ${seed}`);
    }
  });
});

/** Integers below a bound, the same for the same seed. */
function pseudoRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % Math.max(1, bound);
  };
}

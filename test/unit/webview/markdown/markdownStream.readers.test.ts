import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { characterEntities } from "character-entities";
import fc from "fast-check";
import { listedCases, randomCases } from "../../../runner/cases.ts";
import type { MarkdownPage } from "../pages/markdownPage.ts";
import { documents } from "./documents.ts";
import { openMarkdown } from "./openMarkdown.ts";
import { byMarkdownIt, byMicromark } from "./otherReaders.ts";

declare const markdown: MarkdownPage;

const signs = (text: string) => text.split("");

/** Parts that interact when adjacent, to be joined in any order. */
const alphabets = {
  marks: [
    ...signs("*_*_**~~`[]()<>!&\\ \n aab.,:;|\"'€é\u00a0“"),
    ..."** *** ~~ ~~~ `` [a] (b) [a](b) ![ ]( ][ &amp; &#42; &nGt; &nosuch; <a:b> <a@b.cd> \\* \\& \\".split(
      " ",
    ),
    ..."https://a.b/_c_".split(" "),
    "  \n",
    "\\\n",
    "\t",
  ],
  blocks: [
    ...signs("\n\n>-*#|_`\\=ab"),
    ..."--- === ## ``` ~~~ ```` a|b |-|-| -|- :- [a] *** \\| &amp;".split(" "),
    ..." ,  ,   ,    ,\t,> ,- ,+ ,* ,1. ,1) ,# ,[ ] ,[x] ".split(","),
    "\n\n",
    "\n|a|b|\n|-|:-:|\n",
    "[a]: b\n",
  ],
  references: [
    ...signs("[]<> \n!\\*`\t_ab:\u00a0ẞ()"),
    ..."[a] [b] ]: /u 't' (t) \\] ss &ouml;".split(" "),
    '"t"',
    "[A ",
    "[a]: u\n",
    "\n[b]: <v> 't'\n",
    "\n\n",
  ],
};
/** Constructs that only our parser has, on purpose: formulas and footnotes. */
const isOurs = (source: string) => /\\[[(]|\[\^|\$/.test(source);
/** Addresses after an open bracket, with one at their end, and invalid hosts: parsers differ. */
const isUnclear = (source: string) => /(?:www\.|:\/\/)\S*[\]>]|\[.*(?:www\.|:\/\/|@)/s.test(source);

/** Once in 10,000 documents both others are wrong, but not with this seed. Another seed searches further. */
const corpus = { seed: 1 };

describe("markdown compared with other parsers", () => {
  const test = openMarkdown({ isHidden: true });
  const assertAsOthers = async (source: string, name = "") => {
    const ours = await test.render([source]);
    const htmls = [ours, byMicromark(source), byMarkdownIt(source)];
    const [drawn = "", first, second] = await test.treesOf(htmls);
    // Both have their own faults, hardly ever the same.
    if (drawn !== second) assert.equal(drawn, first, name);
  };
  /** All at once, which is much faster. If one differs they are rendered again one by one, to find the smallest. */
  const assertAllAsOthers = async (sources: fc.Arbitrary<string>, all: number) => {
    const numRuns = randomCases(all);
    const cases = fc.sample(sources, { ...corpus, numRuns });
    const ours = await test.page.evaluate((given) => markdown.renderAll(given), cases);
    const drawn = await test.treesOf(ours);
    const first = await test.treesOf(cases.map(byMicromark));
    const second = await test.treesOf(cases.map(byMarkdownIt));
    const odd = cases.filter((_, at) => drawn[at] !== second[at] && drawn[at] !== first[at]);
    if (odd.length === 0) return;
    const property = fc.asyncProperty(sources, (text) => assertAsOthers(text));
    await fc.assert(property, { ...corpus, numRuns });
    assert.deepEqual(odd, [], "only after the others");
  };

  for (const [name, alphabet] of Object.entries(alphabets)) {
    it(`is the same for any ${name}`, async () => {
      const source = fc
        .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 24 })
        .map((parts) => `${parts.join("")}\n`)
        .filter((text) => !isOurs(text) && !isUnclear(text));
      await assertAllAsOthers(source, 1000);
    });
  }

  it("is the same for any web address", async () => {
    const before = fc.constantFrom(
      "",
      " ",
      "(",
      "*",
      "_",
      "~",
      "a",
      "1",
      "/",
      '"',
      ".",
      "é",
      "\n",
      "**",
      "`",
      "<",
    );
    const start = fc.constantFrom("www.", "http://", "https://", "HTTPS://", "Www.", "http:/", "ww.");
    const host = fc
      .array(fc.constantFrom("a", "b1", "-", "_", ".", "é", "c.d", "点"), { minLength: 1, maxLength: 6 })
      .map((parts) => `a${parts.join("")}`);
    const parts = [
      "/",
      "?",
      "&amp;",
      "&hl;",
      ";",
      ")",
      "(e)",
      "*",
      "~",
      "<",
      ",",
      "!",
      "'",
      '"',
      ":",
      "e",
      "_",
      "#",
      "%20",
    ];
    const rest = fc.array(fc.constantFrom(...parts), { maxLength: 8 });
    const source = fc
      .tuple(before, start, host, rest)
      .map(([one, two, three, four]) => `${one}${two}${three}${four.join("")} end\n`)
      // Except where emphasis splits the host.
      .filter((text) => !/_.*_/.test(text));
    await assertAllAsOthers(source, 700);
  });

  it("is the same for real text, and no word is lost", async () => {
    for (const { name, source } of listedCases(documents())) {
      const bare = withoutAnchors(source);
      const [ours = "", first = ""] = await test.treesOf([await test.render([source]), byMarkdownIt(bare)]);
      assert.deepEqual(lost(ours, first), [], name);
      if (ours === first || isOurs(source) || bare !== source || source.length > 40_000) continue;
      const [second = ""] = await test.treesOf([byMicromark(source)]);
      // A parser that loses words is no reference.
      if (lost(second, first).length === 0) assert.equal(ours, second, name);
    }
  });

  it("decodes every character reference like a browser", async () => {
    const names = Object.keys(characterEntities);
    assert.equal(names.length, 2125);
    const [html = ""] = await test.page.evaluate(
      (given) => markdown.renderAll(given),
      [names.map((name) => `${name}: x&${name};x`).join("\n")],
    );
    const [ours] = await test.treesOf([html]);
    const [theirs] = await test.treesOf([
      `<div class="chunk"><p>${names.map((name) => `${name}: x&${name};x`).join("\n")}</p></div>`,
    ]);
    assert.equal(ours, theirs);
    for (const none of ["&constructor;", "&toString;", "&copy", "&nosuch;", "&#;", "&#x;", "&#12345678;"]) {
      assert.ok((await test.render([none])).includes(none.replace("&", "&amp;")), none);
    }
  });
});

/** The text with a sign in place of the tags of links, which are elements for our parser alone. */
function withoutAnchors(source: string): string {
  return source.replace(/<a\s[^<>]*\bhref=["'][^<>]*>|<\/a>/gi, "·");
}

/** Words of `theirs` that occur less often in `ours`, without elements and addresses. */
function lost(ours: string, theirs: string): string[] {
  const counts = countWords(ours);
  return [...countWords(theirs)]
    .filter(([word, count]) => (counts.get(word) ?? 0) < count)
    .map(([word]) => word);
}

function countWords(tree: string): Map<string, number> {
  const counts = new Map<string, number>();
  const text = tree.replaceAll("<box x>", "x").replace(/<\/?[a-z][^>\n]*>/g, " ");
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

// Text goes behind the word, the link, the code, the formula or the tag at the cursor, with one blank where words would touch.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gapBetween } from "../../../../../src/platform/editor/insertion/gaps.ts";
import { behindMarks, insertionPoint } from "../../../../../src/platform/editor/insertion/insertionPoint.ts";

const picture = {
  markdown: "![fox](fox.png)",
  latex: "\\includegraphics{fox.png}",
  html: '<img src="fox.png">',
};
type Language = keyof typeof picture;

/** The text with a picture, inserted at a cursor within the text. */
function inserted(text: string, offset: number, language: Language): string {
  const point = behindMarks(text, insertionPoint(text, offset, language), language);
  const [before, after] = [text.slice(0, point), text.slice(point)];
  const markup = picture[language];
  return `${before}${gapBetween(before, markup)}${markup}${gapBetween(markup, after)}${after}`;
}

/** `|` is the cursor, or `↓` if there is one; `¶` the place of the picture. */
const cases: Readonly<Record<Language, readonly (readonly [written: string, expected: string])[]>> = {
  markdown: [
    ["A qui|ck fox", "A quick ¶ fox"],
    ["A quick| fox", "A quick ¶ fox"],
    ["A quick |fox", "A quick ¶ fox"],
    ["don|'t stop", "don't ¶ stop"],
    ["a well-|known man", "a well-known ¶ man"],
    ["costs 1.|5 or 1,000", "costs 1.5 ¶ or 1,000"],
    ["Größ|e.", "Größe ¶."],
    ["e|\u0301tude", "e\u0301tude ¶"],
    ["𝒜|𝒷c x", "𝒜𝒷c ¶ x"],
    ["see [the pa|ge](https://a.b/c_(d)) now", "see [the page](https://a.b/c_(d)) ¶ now"],
    ['see [the page](https://a|.b/c "T"), now', 'see [the page](https://a.b/c "T") ¶, now'],
    ["see [a\nlo|ng text\nof it](<a b.md>)", "see [a\nlong text\nof it](<a b.md>) ¶"],
    ["see [the pa|ge][ref] now", "see [the page][ref] ¶ now"],
    ["[![a|lt](b.png)](c.md)", "[![alt](b.png)](c.md) ¶"],
    ["a word|[^1] here", "a word[^1] ¶ here"],
    ["so [@do|e99; @roe] say", "so [@doe99; @roe] ¶ say"],
    ["see [[A no|te]]", "see [[A note]] ¶"],
    ["run `npm te|st` now", "run `npm test` ¶ now"],
    ["run ``a ` |b`` now", "run ``a ` b`` ¶ now"],
    ["a ` ti|ck alone", "a ` tick ¶ alone"],
    ["at https://a.b/c|?d=e, then", "at https://a.b/c?d=e ¶, then"],
    ["at <me@a|.b> then", "at <me@a.b> ¶ then"],
    ['a <span class="b| c">d</span>', 'a <span class="b c"> ¶ d</span>'],
    ['a <a href="b">li|nk</a> d', 'a <a href="b">link</a> ¶ d'],
    ["so $a + |b$ is", "so $a + b$ ¶ is"],
    ["costs $5 or mo|re, $6", "costs $5 or more ¶, $6"],
    ["**bo|ld** text", "**bold ¶** text"],
    ["a **|bold** text", "a **¶ bold** text"],
    ["a [plain b|racket] here", "a [plain bracket ¶] here"],
    ["a &am|p; b", "a &amp; ¶ b"],
    ["", "¶"],
    ["word|", "word ¶"],
    ["我喜|欢狐狸。", "我喜欢¶狐狸。"],
    ["第一段|我 and\n\nsecond", "第一段¶我 and\n\nsecond"],
  ],
  latex: [
    ["A qui|ck fox", "A quick ¶ fox"],
    ["see \\href{https://a|.b/%20}{the page} now", "see \\href{https://a.b/%20}{the page} ¶ now"],
    ["see \\href{https://a.b}{the pa|ge} now", "see \\href{https://a.b}{the page} ¶ now"],
    ["as \\citep[p.~3]{doe|99} says", "as \\citep[p.~3]{doe99} ¶ says"],
    ["in \\ref{fi|g:a}.", "in \\ref{fig:a} ¶."],
    ["\\text|bf{bold} here", "\\textbf{¶ bold} here"],
    ["the \\LaT|eX way", "the \\LaTeX ¶ way"],
    ["so $a + |b$ is", "so $a + b$ ¶ is"],
    ["so \\(a + |b\\) is", "so \\(a + b\\) ¶ is"],
    ["run \\verb|a ↓b| now", "run \\verb|a b| ¶ now"],
  ],
  html: [
    ["<p>A qui|ck fox</p>", "<p>A quick ¶ fox</p>"],
    ['<p title="a| b">x</p>', '<p title="a b"> ¶ x</p>'],
    ['<p>see <a href="b">the pa|ge</a>.</p>', '<p>see <a href="b">the page</a> ¶.</p>'],
    ["<p>run <code>npm te|st</code></p>", "<p>run <code>npm test</code> ¶</p>"],
    ["<!-- no|te --><p>", "<!-- note --> ¶ <p>"],
    ["a &eac|ute; b", "a &eacute; ¶ b"],
  ],
};

for (const language of ["markdown", "latex", "html"] as const)
  test(`a writer finds the picture behind what the cursor is in: ${language}`, () => {
    for (const [written, expected] of cases[language]) {
      const sign = written.includes("↓") ? "↓" : "|";
      const offset = Math.max(0, written.indexOf(sign));
      const text = written.slice(0, offset) + written.slice(offset + sign.length);
      const said = inserted(text, offset, language).replace(picture[language], "¶");
      assert.equal(said, expected, written);
    }
  });

const word = fc.constantFrom("fox", "don't", "well-known", "Größe", "1.5", "naïve", "x");
const parts: Readonly<Record<Language, readonly fc.Arbitrary<string>[]>> = {
  markdown: [
    word.map((each) => `[${each} here](https://a.b/${each}_(c))`),
    word.map((each) => `\`${each} code\``),
    word.map((each) => `![${each}](<a b.png>)`),
    fc.constantFrom("https://a.b/c?d=e#f", "<https://a.b>", "[^1]", "[text][ref]", "$a+b$", "``a`b``"),
  ],
  latex: [
    word.map((each) => `\\href{https://a.b/${each}}{${each} here}`),
    fc.constantFrom(
      "\\cite[p.~3]{a,b}",
      "\\ref{fig:a}",
      "\\url{https://a.b/c}",
      "$a+b$",
      "\\includegraphics[width=1cm]{a.png}",
    ),
  ],
  html: [
    word.map((each) => `<a href="https://a.b/${each}">${each} here</a>`),
    fc.constantFrom("<code>a b</code>", "<br>", '<img src="a b.png" alt="x y">', "&amp;", "https://a.b/c"),
  ],
};

for (const language of ["markdown", "latex", "html"] as const)
  test(`words, links, addresses and code stay whole, wherever the cursor is: ${language}`, () => {
    const piece = fc.oneof(word, ...parts[language]);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 9 }), fc.nat(), (pieces, at) => {
        const text = pieces.join(" ");
        const said = inserted(text, at % (text.length + 1), language);
        const [before = "", after = "", ...more] = said.split(picture[language]);
        // A picture of the text itself is not the same one.
        assert.equal(more.length, 0);
        assert.equal(`${before.trimEnd()} ${after.trimStart()}`.trim(), text);
        const count =
          before.trim() === ""
            ? 0
            : pieces.findIndex((_, index) => pieces.slice(0, index + 1).join(" ") === before.trimEnd()) + 1;
        assert.ok(before.trim() === "" || count > 0, `${before} is cut`);
        assert.ok(before === "" || /[^ ] $/.test(before), "one blank before");
        assert.ok(after === "" || /^ [^ ]/.test(after), "one blank behind");
      }),
    );
  });

test("any text and any place: the text stays, and code is never moved in", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."ab `[](){}<>$\\!^@\"'&;/:.-\n漢é") }),
      fc.nat(),
      (text, at) => {
        const offset = at % (text.length + 1);
        for (const language of ["markdown", "latex", "html", "plaintext"]) {
          const point = insertionPoint(text, offset, language);
          assert.ok(point >= offset && point <= text.length);
          assert.equal(insertionPoint(text, point, language), point, "the place is a place");
        }
        assert.equal(insertionPoint(text, offset, "typescript"), offset);
      },
    ),
  );
});

test("hostile text is read in bounded steps", () => {
  for (const unit of [
    "[",
    "](",
    "`",
    "`".repeat(7),
    "<a ",
    '<a href="',
    "\\a",
    "\\cite[",
    "$a",
    "$$",
    "<!--",
    "w.",
    "&a",
    "https://a",
    "[^",
    "{",
    "\\href{{",
  ]) {
    const text = unit.repeat(200_000 / unit.length);
    for (const language of ["markdown", "latex", "html"]) {
      const point = insertionPoint(text, 100_000, language);
      assert.ok(point >= 100_000 && point <= text.length);
    }
  }
});

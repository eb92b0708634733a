// The spoken sentences of a text and their positions.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toMarkdownBlocks } from "../../../../../src/speech/host/text/markdownText.ts";
import { type SentencePlace, shifted } from "../../../../../src/speech/host/text/shiftSentences.ts";
import { blocksOf, toPlainBlocks } from "../../../../../src/speech/host/text/textBlocks.ts";
import { longestRequest, toSentences } from "../../../../../src/speech/host/text/toSentences.ts";
import { randomCases } from "../../../../runner/cases.ts";

const plain = (text: string) => toSentences(toPlainBlocks(text));
const markdown = (text: string) => toSentences(toMarkdownBlocks(text));
const texts = (sentences: readonly { text: string }[]) => sentences.map(({ text }) => text);

test("a sentence ends at its punctuation or with the paragraph, not at a line break", () => {
  const source =
    "The first sentence goes\nover two lines. The second is here!\n\nA heading without a mark\n\nThe end of it all.";
  const sentences = plain(source);
  assert.deepEqual(texts(sentences), [
    "The first sentence goes over two lines.",
    "The second is here!",
    "A heading without a mark",
    "The end of it all.",
  ]);
  assert.deepEqual(
    sentences.map(({ from, to }) => source.slice(from, to).replace(/\s+/g, " ")),
    texts(sentences),
  );
  assert.deepEqual(
    sentences.map(({ startsBlock }) => startsBlock),
    [true, false, true, true],
  );
});

test("merges short sentences with a neighbour and omits text without words", () => {
  assert.deepEqual(texts(plain("Yes. It is so, said Dr. Miller of the club. No.")), [
    "Yes. It is so, said Dr. Miller of the club. No.",
  ]);
  assert.deepEqual(texts(plain("---\n\n* * *\n\n…")), []);
});

test("every sentence fits a request, and only white space is lost", () => {
  const words = fc.stringMatching(/^[a-z]{1,12}[.!?,]?$/);
  const text = fc.array(words, { minLength: 1, maxLength: 3000 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(text, (source) => {
      const sentences = plain(source);
      for (const { text, from, to } of sentences) {
        assert.ok(text.length <= longestRequest && from < to);
        assert.equal(source.slice(from, to), text);
      }
      assert.equal(texts(sentences).join("").replaceAll(" ", ""), source.replaceAll(" ", ""));
    }),
    { numRuns: randomCases(30) },
  );
  const long = "word, ".repeat(3000);
  assert.ok(plain(long).every(({ text }) => text.length <= longestRequest && /^word.*word,?$/.test(text)));
  const unbroken = "😀a".repeat(4000);
  for (const { text } of plain(unbroken)) assert.doesNotMatch(text, /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
});

test("Markdown is spoken without markup, with the position of each sentence", () => {
  const source = `---
title: not spoken
---

# A *fine* heading

Read **this** with [a link](https://example.com/x?y=1 "and a title"), \`code\` &amp; an escaped \\*star\\*.
See https://www.example.com/a/very/long/path for more of it[^1].

> A quote that goes
> over two lines of it.

- The first of the items
- [x] The second one is done

| Name | Amount |
|---|---|
| Apples | 12 |

\`\`\`js
console.log("never spoken");
\`\`\`

<!-- never spoken -->

<script>neverSpoken()</script>

![A picture of a cat](cat.png)

[^1]: The note is read, too.
`;
  const sentences = markdown(source);
  assert.deepEqual(texts(sentences), [
    "A fine heading",
    "Read this with a link, code & an escaped *star*.",
    "See example.com for more of it.",
    "A quote that goes over two lines of it.",
    "The first of the items",
    "The second one is done",
    "Name, Amount",
    "Apples, 12",
    "A picture of a cat",
    "The note is read, too.",
  ]);
  const spans = sentences.map(({ from, to }) => source.slice(from, to));
  assert.equal(spans[0], "A *fine* heading");
  assert.equal(spans[2], "See https://www.example.com/a/very/long/path for more of it[^1].");
  assert.equal(spans[3], "A quote that goes\n> over two lines of it.");
  assert.equal(spans[5], "The second one is done");
  assert.ok(spans[1]?.startsWith("Read **this**") && spans[1].endsWith("*star\\*."));
});

test("reads any Markdown", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab.! \n#*_`[]()<>&;|-\\~:/h1😀") }), (source) => {
      for (const { text, from, to } of markdown(source)) {
        assert.ok(text.length > 0 && from >= 0 && from <= to && to <= source.length);
      }
    }),
  );
});

test("positions follow edits before them and inside", () => {
  const place: SentencePlace = { from: 10, to: 20 };
  assert.deepEqual(shifted(place, { offset: 2, removed: 3, inserted: 1 }), { from: 8, to: 18 });
  assert.deepEqual(shifted(place, { offset: 20, removed: 5, inserted: 0 }), place);
  assert.deepEqual(shifted(place, { offset: 12, removed: 2, inserted: 6 }), { from: 10, to: 24 });
  assert.deepEqual(shifted(place, { offset: 5, removed: 30, inserted: 1 }), { from: 5, to: 5 });
  assert.deepEqual(shifted(place, { offset: 15, removed: 10, inserted: 0 }), { from: 10, to: 15 });
});

test("reads markup that would be slow or overflow the stack as plain text", () => {
  for (const text of ["*a".repeat(50_000), "1. ".repeat(20_000), `${"> ".repeat(20_000)}deep`])
    assert.deepEqual(blocksOf(text, "markdown", 200), [[{ text, from: 0, to: text.length }]]);
  assert.deepEqual(blocksOf("*a* b", "markdown", 5_000).length, 1);
  assert.deepEqual(blocksOf("*a* b", "plaintext"), [[{ text: "*a* b", from: 0, to: 5 }]]);
});

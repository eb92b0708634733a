import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { openMarkdown } from "./openMarkdown.ts";
import { byMarkdownIt, byMicromark } from "./otherReaders.ts";

interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}
/** The examples of CommonMark 0.31.2. */
const { tests } = createRequire(import.meta.url)("commonmark-spec") as { readonly tests: readonly Example[] };
const examples = tests.map(({ markdown, html, ...rest }) => ({
  ...rest,
  markdown: markdown.replaceAll("→", "\t"),
  html: html.replaceAll("→", "\t"),
}));

interface Difference {
  readonly reason: string;
  readonly examples: readonly number[];
  /** The expected result. */
  readonly html: (markdown: string) => string;
}

/** All intended differences. One that no longer differs fails. */
const differences: readonly Difference[] = [
  {
    reason: "HTML is text: an answer must not look like our own page. So it is for markdown-it when told so.",
    examples: [
      21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166,
      167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187,
      188, 189, 190, 191, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623,
      625, 626, 627, 628, 629, 630, 631, 642, 643,
    ],
    html: byMarkdownIt,
  },
  {
    reason: "Addresses without angle brackets are links, as in GitHub's dialect.",
    examples: [602, 608, 611, 612],
    html: byMicromark,
  },
  {
    reason: "So is a mail address that the text shows once its escapes are gone.",
    examples: [606],
    html: () => '<p>&lt;<a href="mailto:foo+@bar.example.com">foo+@bar.example.com</a>&gt;</p>',
  },
];

describe("the examples of CommonMark", () => {
  const test = openMarkdown({ isHidden: true });

  it("are complete", () => assert.equal(examples.length, 652));

  for (const [section, its] of Map.groupBy(examples, (example) => example.section)) {
    it(`${section}: ${its.length} examples`, async () => {
      for (const { number, markdown, html } of its) {
        const difference = differences.find((one) => one.examples.includes(number));
        const wanted = difference?.html(markdown) ?? html;
        const ours = await test.render([...markdown], true);
        const [drawn, expected, theirs] = await test.treesOf([ours, wanted, html]);
        assert.equal(drawn, expected, `example ${number}: ${JSON.stringify(markdown)}`);
        if (difference)
          assert.notEqual(drawn, theirs, `example ${number} no longer differs: ${difference.reason}`);
      }
    });
  }
});

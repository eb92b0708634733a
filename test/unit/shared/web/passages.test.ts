// Passages of pages: what is sent of a long page, and the sentence that a statement is from.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  excerptFor,
  lastSentence,
  omission,
  passagesOf,
  placeOf,
} from "../../../../src/shared/web/passages.ts";
import { randomCases } from "../../../runner/cases.ts";

const page = `# Limits

Each account has limits. They protect the service.

## Pictures

A caller may ask 20 times a minute for a picture. More requests are answered with 429.

- A request that was refused costs nothing.
- The wait is in the header.

## Speech

The rate of a voice lies between 0.25 and 4.

\`\`\`js
let rate = 4;

speak(rate);
\`\`\`
`;

test("the sentence of a statement is found in other words, and not in a page about something else", () => {
  const found = (statement: string) => placeOf(page, statement)?.text;
  assert.equal(
    found("Callers may request a picture 20 times per minute"),
    "A caller may ask 20 times a minute for a picture.",
  );
  assert.equal(found("a refused request costs nothing"), "- A request that was refused costs nothing.");
  assert.equal(
    found("the voice's rate is between 0.25 and 4"),
    "The rate of a voice lies between 0.25 and 4.",
  );
  assert.equal(found("whales are mammals of the sea"), undefined);
  assert.equal(found(""), undefined);
  assert.equal(
    placeOf("東京は日本の首都です。大阪は商業の町です。", "大阪は商業で知られる町")?.text,
    "大阪は商業の町です。",
  );
});

test("a place is where its text is", () => {
  const place = placeOf(page, "pictures 20 times a minute") ?? assert.fail();
  assert.equal(page.slice(place.start, place.end), place.text);
});

test("the passages of any text are in order, within it, and lose nothing but blank lines", () => {
  const piece = fc.constantFrom(
    "# Head",
    "Words. More words!",
    "```\ncode\n\nmore\n```",
    "~~~",
    "",
    "- a\n- b",
    "x".repeat(2_000),
    "a. ".repeat(900),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("\n\n");
      const passages = passagesOf(text);
      let end = 0;
      for (const passage of passages) {
        assert.ok(passage.start >= end && passage.end > passage.start);
        assert.equal(text.slice(passage.start, passage.end), passage.text);
        assert.equal(text.slice(end, passage.start).trim(), "");
        ({ end } = passage);
      }
      assert.equal(text.slice(end).trim(), "");
    }),
    { numRuns: randomCases(500) },
  );
});

test("of a long page the beginning and what fits the question is sent, with marks where something is left out", () => {
  const filler = Array.from(
    { length: 60 },
    (_, index) => `## Part ${index}\n\nOther things are told here, number ${index}.`,
  );
  const long = ["# A page about limits", ...filler.slice(0, 30), page, ...filler.slice(30)].join("\n\n");
  const excerpt = excerptFor(long, "How often may I ask for a picture?", 900);
  assert.ok(excerpt.length <= 900, String(excerpt.length));
  assert.match(excerpt, /^# A page about limits/);
  assert.match(excerpt, /20 times a minute/);
  assert.ok(excerpt.includes(omission));
  assert.equal(excerptFor(page, "anything", 10_000), page);
});

test("the statement of a mark is the last sentence before it", () => {
  assert.equal(lastSentence("One thing. Another thing is so."), "Another thing is so.");
  assert.equal(
    lastSentence("Version 1.2 is out, as Dr. Smith says"),
    "Version 1.2 is out, as Dr. Smith says",
  );
  assert.equal(lastSentence(""), "");
});

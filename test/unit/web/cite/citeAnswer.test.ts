// Answers with footnotes in a document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { notesBelow } from "../../../../src/web/cite/cite.ts";
import { besideParagraph, withFootnotes } from "../../../../src/web/cite/citeAnswer.ts";

const atMs = Date.UTC(2026, 10, 27);
const sources = [
  { title: "A", url: "https://a.example/", atMs, quotes: ["What A says."] },
  { title: "B", url: "https://b.example/", atMs },
  { title: "A again", url: "https://a.example/", atMs },
];

test("marks become footnotes of the document, with the place that is cited; numbers without a source are left out", () => {
  const citing = withFootnotes(
    "One [1]. Two [2, 3] and `x[1]`. Three [7].",
    sources,
    "Old.[^3]\n\n[^3]: Old.\n",
  );
  assert.equal(citing.mark, "One[^4]. Two[^5][^4] and `x[1]`. Three.");
  assert.equal(
    citing.notes?.text,
    "[^4]: [A](<https://a.example/>) (a.example, retrieved 2026-11-27). “What A says.”\n[^5]: [B](<https://b.example/>) (b.example, retrieved 2026-11-27).\n",
  );
});

test("in an empty document the notes are below the answer", () => {
  const citing = withFootnotes("One [1].", sources, "");
  assert.match(notesBelow(citing, [0])?.text ?? "", /^\n\n\[\^1\]: /);
  assert.equal(withFootnotes("No marks.", sources, "").notes, undefined);
});

test("an answer of several blocks goes behind the paragraph, or into its empty line, with blank lines around it", () => {
  const answer = "They say:\n\n- One.";
  const inserted = (text: string) => {
    const offset = text.indexOf("|");
    const plain = text.replace("|", "");
    const place = besideParagraph(answer, plain, offset);
    return place && plain.slice(0, place.at) + place.text + plain.slice(place.at);
  };
  assert.equal(inserted("See| here.\nMore.\n\nEnd.\n"), `See here.\nMore.\n\n${answer}\n\nEnd.\n`);
  assert.equal(inserted("See| here.\r\n\r\nEnd."), `See here.\n\n${answer}\r\n\r\nEnd.`);
  assert.equal(inserted("See here.|"), `See here.\n\n${answer}`);
  assert.equal(inserted("A.\n\n|\nB."), `A.\n\n${answer}\n\nB.`);
  assert.equal(inserted("A.\n|\nB."), `A.\n\n${answer}\n\nB.`);
  assert.equal(inserted("A.\n\n|"), `A.\n\n${answer}`);
  assert.equal(inserted("|"), answer);
  assert.equal(besideParagraph("One line.", "See", 1), undefined);
});

// Answers with footnotes in a document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { notesBelow } from "../../../../src/web/cite/cite.ts";
import { withFootnotes } from "../../../../src/web/cite/citeAnswer.ts";

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

// The results of a web search as the models of agents read them.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SearchResult } from "../../../src/api/endpoints/augment.ts";
import type { Client } from "../../../src/session/session.ts";
import { htmlToLine } from "../../../src/shared/text/html/htmlToLine.ts";
import { searchWebAction } from "../../../src/tools/serviceActions.ts";

async function textOf(result: Partial<SearchResult>): Promise<string> {
  const results = [{ title: "A page", url: "https://example.org/", date: "", content: "", ...result }];
  const api = { augment: { search: async () => ({ results }) } };
  const context = {
    client: async () => ({ api }) as unknown as Client,
    files: { read: async () => assert.fail("not needed") },
  };
  return searchWebAction.run({ query: "x" }, context, new AbortController().signal);
}

test("markup of the service becomes plain text", async () => {
  const content = "How to <strong>sort</strong> a map &amp; keep Vec&lt;T&gt;<br>in order";
  assert.equal(
    await textOf({ title: "<b>Maps</b> &amp; lists", content, date: "2026-01-02" }),
    "# Maps & lists\nhttps://example.org/ (2026-01-02)\nHow to sort a map & keep Vec<T> in order",
  );
});

test("no text of a page looks like another result", () =>
  fc.assert(
    fc.asyncProperty(
      fc.string(),
      fc.constantFrom("\n", "\r", "\u2028", "&#10;", "<br>"),
      async (text, end) => {
        const forged = `${text}${end}# Forged${end}https://example.net/`;
        const lines = (await textOf({ title: forged, url: forged, date: forged, content: forged })).split(
          /[\n\r\u2028]/,
        );
        assert.equal(lines.length, 3);
      },
    ),
  ));

test("a text that is cut says so", async () => {
  assert.match(await textOf({ content: "word ".repeat(3_000) }), /… \(cut: read the page for the rest\)$/);
  assert.match(await textOf({ content: `${"<b>".repeat(30_000)}end` }), /… \(cut/);
  assert.doesNotMatch(await textOf({ content: "word ".repeat(1_000) }), /cut/);
});

test("hostile markup takes linear time", () => {
  for (const piece of ["<script", "<script>", "<p", "</", "<!--", "&#", "&amp", "< "])
    assert.equal(typeof htmlToLine(piece.repeat(200_000), 200_000), "string");
});

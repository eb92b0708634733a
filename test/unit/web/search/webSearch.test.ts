import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { htmlToLine } from "../../../../src/shared/text/html/htmlToLine.ts";
import { oneLine } from "../../../../src/shared/text/lineFeeds.ts";
import { ResultStore } from "../../../../src/web/results/resultStore.ts";
import type { StoredSearch } from "../../../../src/web/results/storedResult.ts";
import { queryProblem } from "../../../../src/web/search/searchQuery.ts";
import { hitSite, toHits } from "../../../../src/web/search/toHits.ts";
import {
  asText,
  fileNameOfTitle,
  markdownText,
  searchToMarkdown,
  sourceCitation,
  toLink,
  withFrontMatter,
} from "../../../../src/web/writing.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../api/client.ts";
import { fromMarkdown } from "../readMarkdown.ts";

const stored: StoredSearch = {
  id: "000001790000000-00000000",
  atMs: Date.UTC(2026, 10, 22, 9, 30),
  kind: "search",
  query: "how to *sort*",
  provider: "provider_a",
  hits: [
    {
      title: "Sorting [maps]",
      url: "https://www.example.org/a(b)",
      date: "2026-01-02",
      snippet: "1. First <b>",
    },
    { title: "Other", url: "https://example.net/", date: "", snippet: "" },
  ],
};

test("results of the sandbox become a note, links and citations", async (t) => {
  const docs = [
    {
      name: "sorting.md",
      title: "Sorting maps",
      text: "# Sorting maps\n\nA map is sorted by its <b>values</b>.\n",
    },
  ];
  const sandbox = await startTestSandbox({ pages: docs });
  t.after(() => sandbox.close());
  const { api } = clientOf(t, sandbox.baseUrl, { apiKey: async () => sandbox.apiKey });
  const reply = await api.augment.search({ query: "sorting maps", limit: 3, search_provider: "provider_b" });
  const hits = toHits(reply.results);
  assert.ok(hits.length > 0);
  assert.match(hits[0]?.title ?? "", /Sorting maps/);
  assert.match(hits[0]?.url ?? "", /^http:/);
  const note = searchToMarkdown({ ...stored, query: "sorting maps", hits });
  assert.match(note, /^# sorting maps\n/);
  assert.match(note, /sorted by its/);
});

test("strips any markup", () => {
  assert.equal(htmlToLine("A <b>bold</b> &amp; <script>alert(1)</script>&#x41;<br>line"), "A bold & A line");
  assert.equal(htmlToLine("a < b and b > c &nosuch; &#1114112;"), "a < b and b > c &nosuch; &#1114112;");
  assert.equal(htmlToLine("rtl \u202e text\u0000\n here"), "rtl text here");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const plain = htmlToLine(text);
      assert.ok(!["\n", "\r", "\0", "\u202e"].some((hidden) => plain.includes(hidden)));
      assert.ok(plain.length <= 4_000);
    }),
  );
});

test("a result without a web address is text, with nothing to open", () => {
  const hit = (url: string) => ({ title: "T", url, content: "", date: "" });
  const urls = ["javascript:alert(1)", "command:x", "https://a.example/", "nowhere", "file:///etc/passwd"];
  assert.deepEqual(
    toHits(urls.map(hit)).map(({ url }) => url),
    ["", "", "https://a.example/", "", ""],
  );
  const [text] = toHits([
    { title: "A *title*", url: "javascript:alert(1)", content: "What it says.", date: "2026" },
  ]);
  assert.ok(text);
  const search = { ...stored, hits: [text] };
  for (const document of [asText(search)?.text, asText(search, text)?.text]) {
    assert.match(document ?? "", /A \\\*title\\\*/);
    assert.match(document ?? "", /What it says/);
    assert.doesNotMatch(document ?? "", /<>|\]\(|javascript/);
  }
  assert.equal(hitSite("https://www.example.org:8080/x"), "example.org:8080");
});

test("escapes foreign text in Markdown", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii", minLength: 1 }), (raw) => {
      const text = htmlToLine(raw);
      fc.pre(text !== "" && !/https?:|www\.|@/i.test(text));
      assert.equal(fromMarkdown(`x ${markdownText(text)} x`), `x ${text} x`);
    }),
  );
  assert.equal(fromMarkdown(markdownText("1. no list")), "1. no list");
  assert.equal(fromMarkdown(markdownText("&lt; stays")), "&lt; stays");
});

test("writes links and citations in the syntax of the language", () => {
  const [hit] = stored.hits;
  assert.ok(hit);
  assert.equal(toLink(hit, "markdown"), "[Sorting \\[maps\\]](<https://www.example.org/a(b)>)");
  assert.equal(
    toLink({ title: 'a "b" <c>', url: "https://e.org/?a=1&b=2" }, "html"),
    '<a href="https://e.org/?a=1&amp;b=2">a &quot;b&quot; &lt;c&gt;</a>',
  );
  assert.equal(toLink(hit, "python"), "Sorting [maps] <https://www.example.org/a(b)>");
  assert.equal(
    toLink({ title: "50% off", url: "https://e.org/#a" }, "latex"),
    "\\href{https://e.org/\\#a}{50\\% off}",
  );
  assert.match(
    sourceCitation(hit, "markdown", stored.atMs),
    / \(example\.org, 2026-01-02, retrieved 2026-11-22\)$/,
  );
  const entry = sourceCitation(hit, "bibtex", stored.atMs);
  assert.match(entry, /^@online\{example2026,/);
  assert.match(entry, /urldate = \{2026-11-22\}/);
});

test("a note contains query, time, and each result once", () => {
  const note = searchToMarkdown(stored);
  assert.match(note, /^# how to \\\*sort\\\*\n\nWeb search of 2026-11-22 09:30 UTC, 2 results\.\n/);
  assert.match(note, /\n1\. \[Sorting/);
  assert.match(note, /\n2\. \[Other\]\(<https:\/\/example\.net\/>\) \(example\.net\)\n$/);
});

test("a query is one line of at most 400 characters", () => {
  assert.equal(oneLine("  two\n lines\t "), "two lines");
  assert.equal(queryProblem("a".repeat(400)), undefined);
  assert.equal(queryProblem("a".repeat(401)), "A query has at most 400 characters; this one has 401.");
  assert.match(queryProblem("") ?? "", /The query is empty/);
});

test("front matter is YAML that preserves the values", () => {
  const text = withFrontMatter(
    { title: 'He said: "no"\n---', source: "https://e.org", tokens: 3 },
    "# A\r\n",
  );
  assert.equal(
    text,
    '---\ntitle: "He said: \\"no\\"\\n---"\nsource: "https://e.org"\ntokens: 3\n---\n\n# A\n',
  );
  assert.equal(fileNameOfTitle("../../Größe & Länge?", "md"), "größe-länge.md");
  assert.equal(fileNameOfTitle("///", "md"), "untitled.md");
});

test("results are stored over restarts, newest first, at most 200; a damaged file is omitted and kept", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "inference-results-"));
  t.after(() => rmSync(folder, { recursive: true }));
  let clock = 1_790_000_000_000;
  const now = () => clock++;
  const store = new ResultStore({ folder, now });
  const page = await store.add({ kind: "page", url: "https://e.org/", title: "E" }, "# E");
  await store.add({ kind: "search", query: "q", provider: "provider_a", hits: stored.hits });
  const damaged = join(folder, "001790000009999-1234abcd.json");
  writeFileSync(damaged, '{"kind":"sea');
  const again = new ResultStore({ folder, now });
  assert.deepEqual(
    (await again.list()).map(({ kind }) => kind),
    ["search", "page"],
  );
  assert.equal(await again.text(page.id), "# E");
  assert.equal(
    asText(page, undefined, "# E")?.text,
    `---\ntitle: "E"\nsource: "https://e.org/"\ndate: "${new Date(page.atMs).toISOString()}"\n---\n\n# E\n`,
  );
  for (let i = 0; i < 200; i++)
    await again.add({ kind: "document", name: `${i}`, uri: "file:///a", tokens: 1 }, "x");
  const all = await store.list();
  assert.equal(all.length, 200);
  assert.equal(await store.text(page.id), undefined);
  assert.equal(readFileSync(damaged, "utf8"), '{"kind":"sea');
  await store.remove(all[0]?.id ?? "");
  assert.equal((await again.list()).length, 200 - 1 + 0);
  assert.equal(readdirSync(folder).filter((name) => name.endsWith(".tmp")).length, 0);
});

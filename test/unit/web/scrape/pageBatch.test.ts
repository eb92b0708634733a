import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { urlProblem } from "../../../../src/shared/web/urlProblem.ts";
import { failureTable } from "../../../../src/web/bulk/failureTable.ts";
import { ResultStore } from "../../../../src/web/results/resultStore.ts";
import { badLines, findUrls, urlsForReaders } from "../../../../src/web/scrape/findUrls.ts";
import { pageTitle } from "../../../../src/web/writing.ts";

const found = (text: string) => findUrls(text).map(({ url }) => url);

test("addresses end before trailing punctuation", () => {
  assert.deepEqual(found("See https://a.example/x, then (https://b.example/y_(z)). End https://c.example."), [
    "https://a.example/x",
    "https://b.example/y_(z)",
    "https://c.example",
  ]);
  assert.deepEqual(found("[text](https://a.example/b) <https://c.example/d?e=1&f=2#g>"), [
    "https://a.example/b",
    "https://c.example/d?e=1&f=2#g",
  ]);
  assert.deepEqual(found("xhttps://no.example http:// https://"), []);
});

test("an address has its offset in the text", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.webUrl(), fc.string({ unit: "grapheme-ascii" }))), (parts) => {
      const text = parts.join(" ");
      for (const { url, start, end } of findUrls(text)) assert.equal(text.slice(start, end), url);
    }),
  );
});

test("in code only comments contain addresses", () => {
  const inCode = (line: string) => urlsForReaders(line, "typescript").length;
  assert.equal(inCode('const url = "https://a.example/";'), 0);
  assert.equal(inCode("go(); // https://a.example/"), 1);
  assert.equal(inCode(" * see https://a.example/"), 1);
  assert.equal(inCode("# https://a.example/"), 1);
  assert.equal(urlsForReaders('"https://a.example/"', "markdown").length, 1);
});

test("refuses private addresses in any spelling", () => {
  const hosts = [
    ...["localhost", "sub.localhost", "localhost.", "printer", "nas.local", "vault.internal", "a.home.arpa"],
    ...["127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255"],
    ...[
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
    ],
    ...["[::1]", "[::]", "[fc00::1]", "[fe80::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[::ffff:a00:1]"],
    ...["[64:ff9b::a00:1]", "[2002:a00:1::]", "[2001:db8::1]"],
  ];
  for (const host of hosts) assert.equal(urlProblem(`http://${host}/x`)?.kind, "private", host);
  assert.match(urlProblem("https://me:secret@example.org/")?.sentence ?? "", /user name or a password/);
  assert.doesNotMatch(urlProblem("https://me:secret@example.org/")?.sentence ?? "", /secret/);
});

test("accepts public addresses", () => {
  const hosts = [
    "example.org",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "[2606:4700::1111]",
    "[::ffff:8.8.8.8]",
    "home.example.org",
  ];
  for (const host of hosts) assert.equal(urlProblem(`https://${host}/`), undefined, host);
});

test("a local service reads local pages, but no others of its network", () => {
  const options = { allowsThisMachine: true };
  assert.equal(urlProblem("http://127.0.0.1:8080/", options), undefined);
  assert.equal(urlProblem("http://[::1]/", options), undefined);
  assert.equal(urlProblem("http://192.168.0.1/", options)?.kind, "private");
});

test("names sites that refuse crawlers, and resources that are no page", () => {
  assert.match(urlProblem("https://old.reddit.com/r/x")?.sentence ?? "", /old\.reddit\.com blocks robots/);
  assert.equal(urlProblem("https://notreddit.com/"), undefined);
  assert.equal(urlProblem("ftp://example.org/")?.kind, "invalid");
  assert.match(urlProblem("not an address")?.sentence ?? "", /“not an address” is not a web address/);
});

test("the title of a page is its first heading, else its address", () => {
  assert.equal(pageTitle("intro\n\n## The [big](https://e.org) *one*\n", "https://e.org/a"), "The big one");
  assert.equal(
    pageTitle("# A \\[b\\] \\| snake_case 2 * 3 \\*\n", "https://e.org/"),
    "A [b] | snake_case 2 * 3 *",
  );
  assert.equal(
    pageTitle("# `f_x` ~~old~~ __new__ AT&amp;T 10<sup>6</sup>\n", "https://e.org/"),
    "f_x old new AT&T 106",
  );
  assert.equal(pageTitle("no heading", "https://www.e.org/a/b/"), "e.org/a/b");
});

test("failures are a table with escaped cells", () => {
  const table = failureTable("Pages not read", [{ name: "https://e.org/a|b", reason: "It\nbroke | off." }]);
  assert.equal(
    table,
    "# Pages not read\n\n| Item | Reason |\n| --- | --- |\n| <https://e.org/a%7Cb> | It broke \\| off. |\n",
  );
});

test("a failed address is a whole link, and never shows a password", () => {
  const rows = [
    { name: "https://e.org/start_(here)", reason: "No." },
    { name: "https://user:pw@e.org/", reason: "No." },
    { name: "a_b.pdf", reason: "No." },
  ];
  const lines = failureTable("Pages not read", rows).split("\n").slice(4, 7);
  assert.deepEqual(lines, [
    "| <https://e.org/start_(here)> | No. |",
    "| <https://e.org/> | No. |",
    "| a\\_b.pdf | No. |",
  ]);
});

test("the lines of a list that are no addresses are named, and no lines of prose", () => {
  const list =
    "https://a.example/\n- https://b.example/x\nftp://c.example/\n\nnot a url\n2. https://d.example/\n# more";
  assert.deepEqual(badLines(list), ["ftp://c.example/", "not a url"]);
  assert.deepEqual(badLines("Read this.\nhttps://a.example/\nIt says more."), []);
  assert.deepEqual(badLines("https://a.example/"), []);
});

test("pages that are stored with their text are found by the address that was asked for, and after redirects", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "inference-results-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = new ResultStore({ folder, now: () => 5 });
  const page = { kind: "page", title: "T" } as const;
  await store.add({ ...page, url: "https://a.example/b", asked: "https://a.example/" }, "text");
  await store.add({ ...page, url: "https://old.example/" }, "text");
  await store.add({ ...page, url: "https://gone.example/" });
  const urls = ["https://a.example", "https://old.example/", "https://gone.example/", "https://new.example/"];
  const { earlier, unread } = await store.pagesOf(urls);
  assert.equal(earlier.length, 2);
  assert.deepEqual(unread, ["https://gone.example/", "https://new.example/"]);
});

test("results are listed by their time, the newest first, so that a batch keeps the order that was asked for", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "inference-results-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = new ResultStore({ folder, now: () => 5 });
  const page = (title: string) => ({ kind: "page", title, url: "https://a.example/" }) as const;
  await store.add(page("second"), "text", 11);
  await store.add(page("first"), "text", 12);
  await store.add(page("third"), "text", 10);
  const titles = (await store.list()).map((stored) => stored.kind === "page" && stored.title);
  assert.deepEqual(titles, ["first", "second", "third"]);
});

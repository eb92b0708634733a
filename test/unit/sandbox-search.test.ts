// The sandbox's web: its documentation and folders of files, searched for real.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createDocsLibrary } from "../../src/sandbox/docs/library.ts";
import type { MediaState } from "../../src/sandbox/media.ts";
import { filesIn } from "../../src/sandbox/search/folderFiles.ts";
import { marked, passageSnippet, searchWeb } from "../../src/sandbox/search/handlers.ts";
import { createWebSearch } from "../../src/sandbox/search/webSearch.ts";
import { assertRefused, call, jsonIn, mediaState, patient } from "./sandboxMedia.ts";

const guide = `# Guide
<!-- also: manual -->
How to begin with the orchard.

## Pruning
Cut branches in winter, when the **trees** rest. Use \`sharp\` shears & clean <them>.

## Watering
Water young trees every week.
`;

interface Result {
  readonly title: string;
  readonly url: string;
  readonly content: string;
  readonly date: string;
}

function searching(folders: readonly string[] = []): MediaState {
  const state = mediaState();
  const library = createDocsLibrary([{ title: "Guide", text: guide }], () => "http://127.0.0.1:1");
  const search = createWebSearch(library, folders, state.media.workerPool);
  return { ...state, media: { ...state.media, search } };
}

async function results(state: MediaState, input: object): Promise<readonly Result[]> {
  return (jsonIn(await call(searchWeb, state, input)) as { results: Result[] }).results;
}

async function folderOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "search-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

describe("documentation", () => {
  test("is found by section, with a link to it", async () => {
    const state = searching();
    const [first] = await results(state, { query: "when do I prune trees?", search_provider: "provider_b" });
    assert.deepEqual(first, {
      title: "Guide: Pruning",
      url: "http://127.0.0.1:1/docs/guide#pruning",
      content: "Cut branches in winter, when the trees rest. Use sharp shears & clean <them>.",
      date: "",
    });
    assert.equal((await results(state, { query: "manual" }))[0]?.title, "Guide");
  });

  test("one provider marks the words it found in HTML, the other does not", async () => {
    const content = async (search_provider?: string) =>
      (
        await results(searching(), { query: "sharp shears", ...(search_provider ? { search_provider } : {}) })
      )[0]?.content;
    assert.match(
      (await content()) ?? "",
      /Use <strong>sharp<\/strong> <strong>shears<\/strong> &amp; clean &lt;them&gt;/,
    );
    assert.match((await content("provider_b")) ?? "", /Use sharp shears & clean <them/);
  });

  test("nothing is found where nothing is said, and the query is repeated", async () => {
    const reply = jsonIn(await call(searchWeb, searching(), { query: "submarine" }));
    assert.deepEqual(reply, { query: "submarine", results: [] });
    assert.deepEqual(await results(searching(), { query: "???" }), []);
  });
});

describe("folders", () => {
  test("are searched in markdown, text and HTML, below dots and modules nothing is read", async (t) => {
    const folder = await folderOf(t, {
      "notes/bees.md": "# Bees\n\nintro\n\n## Hives\n\nA hive houses bees and wax.",
      "plain.txt": "Wax melts at sixty degrees.\n\nHoney does not.",
      "page.html": "<title>Candles</title><nav>wax shop</nav><p>Candles are made of wax.</p>",
      ".git/x.md": "wax",
      "node_modules/a/readme.md": "wax",
      "picture.png": "wax",
    });
    const found = await results(searching([folder]), { query: "wax", search_provider: "provider_b" });
    const url = (name: string) => pathToFileURL(join(folder, name)).href;
    assert.deepEqual(
      found.map((result) => result.url).sort(),
      [`${url("notes/bees.md")}#hives`, url("page.html"), url("plain.txt")].sort(),
    );
    const page = found.find((result) => result.title === "Candles");
    assert.equal(page?.content, "Candles are made of wax.");
    assert.match(page?.date ?? "", /^\d{4}-\d\d-\d\dT/);
  });

  test("are read again once a file has changed, gone or come", async (t) => {
    const folder = await folderOf(t, { "a.md": "# A\n\nplums", "b.md": "# B\n\npears" });
    const state = searching([folder]);
    const titles = async (query: string) => (await results(state, { query })).map(({ title }) => title);
    assert.deepEqual(await titles("plums"), ["A"]);
    await writeFile(join(folder, "a.md"), "# A\n\nquinces");
    await utimes(join(folder, "a.md"), 1, 1);
    await rm(join(folder, "b.md"));
    await writeFile(join(folder, "c.md"), "# C\n\npears");
    assert.deepEqual(await titles("plums"), []);
    assert.deepEqual(await titles("quinces"), ["A"]);
    assert.deepEqual(await titles("pears"), ["C"]);
  });

  test("that are not there, too deep, or lead in circles do no harm", async (t) => {
    const folder = await folderOf(t, {
      "a.md": "a",
      [`${"d/".repeat(13)}deep.md`]: "b",
      "big.txt": "x".repeat(1_100_000),
    });
    await symlink(folder, join(folder, "self"));
    assert.deepEqual(
      (await filesIn(folder)).map(({ path }) => path),
      [join(folder, "a.md")],
    );
    assert.deepEqual(await filesIn(join(folder, "none")), []);
  });

  test("long texts are cut into pieces, of which the right one is shown", async (t) => {
    const filler = "Nothing of note happens here at all. ".repeat(40);
    const folder = await folderOf(t, {
      "long.txt": `${filler}\n\n${filler}\n\nThe badger sleeps. ${filler}`,
    });
    const found = await results(searching([folder]), {
      query: "where does the badger sleep",
      search_provider: "provider_b",
    });
    assert.equal(found.length, 1);
    assert.match(found[0]?.content ?? "", /badger sleeps\..*…$/);
  });

  test("a caller who leaves stops the reading", async (t) => {
    const folder = await folderOf(t, { "a.html": "<p>wax" });
    const leave = new AbortController();
    leave.abort(new Error("gone"));
    const state = searching([folder]);
    await assert.rejects(state.media.search.find("wax", 5, leave.signal), /gone/);
    assert.equal((await state.media.search.find("wax", 5, patient)).length, 1);
  });
});

describe("rules", () => {
  test("limit: at most so many, ten unless told", async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`${index}.md`, `# N${index}\n\nwalnut`]),
    );
    const state = searching([await folderOf(t, many)]);
    const count = async (input: object) => (await results(state, { query: "walnut", ...input })).length;
    assert.deepEqual([await count({}), await count({ limit: 1 }), await count({ limit: 20 })], [10, 1, 20]);
  });

  const broken: Record<string, object> = {
    query: { query: "" },
    "query ": { query: "x".repeat(401) },
    "query  ": { query: undefined },
    limit: { limit: 0 },
    "limit ": { limit: 21 },
    "limit  ": { limit: 2.5 },
    search_provider: { search_provider: "provider_c" },
    "": { country: "unknown member" },
  };
  for (const [field, input] of Object.entries(broken)) {
    test(`refuses ${JSON.stringify(input).slice(0, 40)}`, () =>
      assertRefused(() => call(searchWeb, searching(), { query: "a", ...input }), field.trim()));
  }

  test("a query of 400 characters is taken", async () => {
    assert.deepEqual(await results(searching(), { query: "x".repeat(400) }), []);
  });
});

test("snippets start at a sentence, end at a word, and show links as their words", () => {
  assert.equal(
    passageSnippet("See [the guide](http://a.test) **now**.\n\n| a | b |", "x"),
    "See the guide now . a b",
  );
  const text = `${"Filler words stand here. ".repeat(30)}The walnut is hard. ${"More words follow it. ".repeat(30)}`;
  const snippet = passageSnippet(text, "hard walnuts");
  assert.match(snippet, /^…The walnut is hard\. More .*\w\.?…$/);
  assert.ok(snippet.length < 330);
  assert.match(passageSnippet(text, "submarine"), /^Filler/);
  assert.equal(marked("a < b & walnuts", "walnut"), "a &lt; b &amp; <strong>walnuts</strong>");
});

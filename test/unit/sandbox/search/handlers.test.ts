// The web search of the sandbox: over its documentation.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createDocsLibrary } from "../../../../src/sandbox/docs/library.ts";
import type { DocPage } from "../../../../src/sandbox/docs/pages.ts";
import type { MediaState } from "../../../../src/sandbox/media.ts";
import { marked, passageSnippet, searchWeb } from "../../../../src/sandbox/search/handlers.ts";
import { createWebSearch } from "../../../../src/sandbox/search/webSearch.ts";
import { assertRefused, call, jsonIn, mediaState } from "../sandboxMedia.ts";

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

function searching(pages: readonly DocPage[] = [{ title: "Guide", text: guide }]): MediaState {
  const state = mediaState();
  const search = createWebSearch(createDocsLibrary(pages, () => "http://127.0.0.1:1"));
  return { ...state, media: { ...state.media, search } };
}

async function results(state: MediaState, input: object): Promise<readonly Result[]> {
  return (jsonIn(await call(searchWeb, state, input)) as { results: Result[] }).results;
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

  test("one provider marks the found words in HTML, the other does not", async () => {
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

  test("no match gives no results, and the query is repeated", async () => {
    const reply = jsonIn(await call(searchWeb, searching(), { query: "submarine" }));
    assert.deepEqual(reply, { query: "submarine", results: [] });
    assert.deepEqual(await results(searching(), { query: "???" }), []);
  });
});

describe("rules", () => {
  test("limit: the maximum number of results, ten by default", async () => {
    const pages = Array.from({ length: 25 }, (_, index) => ({
      title: `N${index}`,
      text: `# N${index}\n\nwalnut`,
    }));
    const state = searching(pages);
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

  test("a query of 400 characters is accepted", async () => {
    assert.deepEqual(await results(searching(), { query: "x".repeat(400) }), []);
  });
});

test("snippets start at a sentence, end at a word, and show the text of links", () => {
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

test("a table is found by its cells, without the row that draws it", () => {
  const table = "| Tier | Requests |\n| --- | --: |\n| XS | 500 |\n\n---\n\n> See -1.";
  assert.equal(passageSnippet(table, "tier"), "Tier Requests XS 500 See -1.");
});

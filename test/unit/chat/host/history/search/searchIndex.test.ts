import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createSearchIndex } from "../../../../../../src/chat/host/history/search/searchIndex.ts";
import {
  readSegment,
  type SearchSegment,
} from "../../../../../../src/chat/host/history/search/searchSegment.ts";
import { eachTerm, queryWords } from "../../../../../../src/chat/host/history/search/searchTerms.ts";
import { marksIn, snippetOf } from "../../../../../../src/chat/host/history/search/snippet.ts";
import { randomCases } from "../../../../../runner/cases.ts";

const termsOf = (text: string) => {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
};

const terms: readonly (readonly [text: string, terms: readonly string[]])[] = [
  ["Hello, world!", ["hello", "world"]],
  ["Füße naïve ÉTÉ", ["fuße", "naive", "ete"]],
  ["createChatController()", ["createchatcontroller", "chat", "controller"]],
  ["snake_case-word a.b", ["snake", "case", "word", "a", "b"]],
  ["東京 tower", ["東", "京", "tower"]],
  ["данные", ["данные"]],
  ["x".repeat(99), ["x".repeat(40)]],
];
for (const [text, expected] of terms) {
  test(`the terms of "${text.slice(0, 30)}"`, () => assert.deepEqual(termsOf(text), expected));
}

test("a query matches whole words", () => {
  assert.deepEqual(queryWords("fooBar  Füße fooBar"), ["foobar", "fuße"]);
  assert.deepEqual(queryWords(" -- "), []);
});

const word = fc.constantFrom("alpha", "alps", "beta", "Gamma", "été", "東京", "fooBar", "x1", "🙂");
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
const conversation = fc.record({ title: text, texts: fc.array(text, { maxLength: 3 }) });

/** The expected results, by reading everything. */
function plainFind(stored: ReadonlyMap<string, { title: string; texts: readonly string[] }>, query: string) {
  const words = queryWords(query);
  const hasAll = (all: readonly string[]) => words.every((one) => all.some((term) => term.startsWith(one)));
  return [...stored].flatMap(([id, { title, texts }]) => {
    const inTitle = termsOf(title);
    if (words.length === 0 || !hasAll([...inTitle, ...texts.flatMap(termsOf)])) return [];
    return [{ id, isTitle: hasAll(inTitle) }];
  });
}

type Said = { readonly title: string; readonly texts: readonly string[] };

/** An index with what it must contain. */
class IndexedConversations {
  readonly stored = new Map<string, Said>();
  readonly #segments: SearchSegment[] = [];
  #index = createSearchIndex([]);
  #stamp = 0;

  add(id: string, said: Said): void {
    this.#stamp += 1;
    this.stored.set(id, said);
    this.#index.add({ id, stamp: String(this.#stamp), ...said });
    assert.equal(this.#index.stampOf(id), String(this.#stamp));
  }

  close(): void {
    const segment = this.#index.close(1);
    const again = segment && readSegment(Buffer.from(segment.bytes));
    if (again) this.#segments.push(again);
  }

  /** Records that were not flushed are lost with the process, and read again from the logs. */
  reload(): void {
    if (this.#index.close(1) === undefined) {
      this.#index = createSearchIndex(this.#segments);
      return;
    }
    this.#index = createSearchIndex([]);
    for (const [id, said] of this.stored) this.#index.add({ id, stamp: String(this.#stamp), ...said });
    this.#segments.length = 0;
  }

  remove(id: string): void {
    this.stored.delete(id);
    this.#index.remove(id);
  }

  removeOthers(ids: readonly string[]): void {
    for (const id of ids) if (!this.stored.has(id)) this.#index.remove(id);
  }

  find(query: string) {
    return this.#index.find(query);
  }
}

test("the index finds the same as reading everything, after any changes, removals and reloads", () => {
  const deed = fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    conversation: fc.option(conversation),
    closes: fc.boolean(),
    reloads: fc.boolean(),
  });
  const query = fc.array(fc.constantFrom("al", "alph", "beta", "g", "ete", "京", "foo", "bar", "x", "zzz"), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 15 }), query, (deeds, words) => {
      const indexed = new IndexedConversations();
      for (const { id, conversation: said, closes, reloads } of deeds) {
        if (said) indexed.add(id, said);
        if (closes) indexed.close();
        if (reloads) indexed.reload();
        if (!said) indexed.remove(id);
        indexed.removeOthers(["a", "b", "c", "d", "e"]);
      }
      const order = (first: { id: string }, second: { id: string }) => (first.id < second.id ? -1 : 1);
      assert.deepEqual(
        indexed.find(words.join(" ")).sort(order),
        plainFind(indexed.stored, words.join(" ")).sort(order),
      );
    }),
    { numRuns: randomCases(300) },
  );
});

test("a file that is no complete segment is ignored", () => {
  const index = createSearchIndex([]);
  index.add({ id: "a", stamp: "1", title: "One", texts: ["two three"] });
  const segment = index.close(1);
  assert.ok(segment);
  assert.ok(readSegment(segment.bytes));
  for (let length = 0; length < segment.bytes.length; length++) {
    assert.equal(readSegment(segment.bytes.subarray(0, length)), undefined);
  }
  assert.equal(readSegment(Buffer.from("something else that is long enough")), undefined);
});

test("a snippet is the place with most of the words, with the words marked", () => {
  const filler = "nothing of note here, ".repeat(40);
  const texts = [`one ${filler}`, `${filler}The été brought\none flood of Données.${filler}`];
  const snippet = snippetOf(texts, "DONN one ete");
  assert.ok(snippet);
  assert.deepEqual(
    snippet.marks.map(([from, to]) => snippet.text.slice(from, to)),
    ["été", "one", "Donn"],
  );
  assert.ok(snippet.text.startsWith("…") && snippet.text.endsWith("…") && !snippet.text.includes("\n"));
  assert.equal(snippetOf(texts, "absent"), undefined);
});

test("marks never overlap and stay inside the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme", maxLength: 4 }),
      (said, query) => {
        let end = 0;
        for (const [from, to] of marksIn(said, query)) {
          assert.ok(from >= end && to > from && to <= said.length);
          end = to;
        }
      },
    ),
  );
});

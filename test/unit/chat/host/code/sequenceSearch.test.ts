import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SequenceSearch } from "../../../../../src/chat/host/code/sequenceSearch.ts";

const text = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 40 });
const sequences = fc.array(fc.array(fc.constantFrom("a", "b", ""), { minLength: 1, maxLength: 5 }), {
  maxLength: 8,
});

test("all places of all sequences are found, also where they overlap or end with each other", () => {
  fc.assert(
    fc.property(text, sequences, (items, sought) => {
      const search = new SequenceSearch<string>();
      const ids = sought.map((sequence) => search.add(sequence));
      const found = new Map<number, number[]>();
      search.find(items, (id, start) => found.set(id, [...(found.get(id) ?? []), start]));
      for (const [index, sequence] of sought.entries()) {
        const places = items.flatMap((_, start) =>
          sequence.every((item, offset) => items[start + offset] === item) ? [start] : [],
        );
        assert.deepEqual(found.get(ids[index] ?? -1) ?? [], places);
      }
    }),
  );
});

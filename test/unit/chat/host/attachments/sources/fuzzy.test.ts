import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bestPaths } from "../../../../../../src/chat/host/attachments/sources/fuzzy.ts";
import { randomCases } from "../../../../../runner/cases.ts";

const name = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom("a", "b", "C", "_", ".") });
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

test("the best paths are the first of all in their order, however many there are", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 80 }),
      fc.constantFrom("", "a", "ab", "c", "b_"),
      fc.integer({ min: 1, max: 15 }),
      (paths, query, count) => {
        const all = bestPaths(paths, query, paths.length + 1);
        assert.deepEqual(bestPaths(paths, query, count), all.slice(0, count));
        assert.deepEqual(bestPaths(paths.toReversed(), query, count), all.slice(0, count));
        assert.ok(query !== "" || all.length === paths.length);
      },
    ),
    { numRuns: randomCases(500) },
  );
});

test("a name with the letters together comes before a folder with them, and those before scattered letters", () => {
  const paths = ["src/s/c/hello.ts", "schema/deep/a.ts", "src/schema.ts", "lib/my-schema.ts", "other.ts"];
  assert.deepEqual(bestPaths(paths, "sch", 10), [
    "src/schema.ts",
    "lib/my-schema.ts",
    "schema/deep/a.ts",
    "src/s/c/hello.ts",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CompletionCache } from "../../../../src/completions/context/completionCache.ts";
import type { CursorContext } from "../../../../src/completions/context/cursorContext.ts";

function at(before: string, after = "\n}", uri = "file:///a.ts"): CursorContext {
  const lines = before.split("\n");
  const character = lines.at(-1)?.length ?? 0;
  return { uri, name: "a.ts", languageId: "typescript", before, after, line: lines.length - 1, character };
}

test("typing along a completion finds its rest, over line ends too", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "\n", "("), minLength: 1, maxLength: 30 }),
      fc.string({ unit: fc.constantFrom("a", " ", "\n", "("), maxLength: 30 }),
      fc.nat(),
      (text, before, typed) => {
        const cache = new CompletionCache();
        cache.add(at(before), text);
        const count = typed % text.length;
        assert.equal(cache.find(at(before + text.slice(0, count))), text.slice(count));
      },
    ),
  );
});

test("another place has no completion: other text, another document, other text behind it, its end", () => {
  const cache = new CompletionCache();
  cache.add(at("let a = "), "1 + 2;");
  assert.equal(cache.find(at("let a = 3")), undefined);
  assert.equal(cache.find(at("let b = ")), undefined);
  assert.equal(cache.find(at("let a = ", "\n}", "file:///b.ts")), undefined);
  assert.equal(cache.find(at("let a = ", ";\n}")), undefined);
  assert.equal(cache.find(at("let a = 1 + 2;")), undefined);
  assert.equal(cache.find(at("let a =")), undefined);
  assert.equal(cache.find(at("let a = ")), "1 + 2;");
});

test("a place without a completion is known, too", () => {
  const cache = new CompletionCache();
  cache.add(at("let a = "), "");
  assert.equal(cache.find(at("let a = ")), "");
  assert.equal(cache.find(at("let a = 1")), undefined);
});

test("the least recently used places are forgotten", () => {
  const cache = new CompletionCache();
  for (let index = 0; index < 200; index++) {
    cache.add(at(`let a${index} = `), "1;");
    assert.equal(cache.find(at("let a0 = ")), "1;");
  }
  assert.equal(cache.find(at("let a1 = ")), undefined);
  assert.equal(cache.find(at("let a199 = ")), "1;");
});

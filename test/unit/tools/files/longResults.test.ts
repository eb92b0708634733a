import assert from "node:assert/strict";
import { test } from "node:test";
import { LongResults } from "../../../../src/tools/files/longResults.ts";
import { maxTextLength } from "../../../../src/tools/serviceTool.ts";

const next = /"handle": "([0-9a-f]+)", "offset": (\d+)/;

test("a long text is read part by part, whole letters each, and comes back complete", () => {
  const store = new LongResults();
  const whole = `a${"😀".repeat(30_000)}`;
  let part = store.cut(whole);
  let read = "";
  for (let round = 0; round < 10; round++) {
    const [said, handle = "", offset = ""] = next.exec(part) ?? [];
    read += said ? part.slice(0, part.indexOf("\n\n[Characters")) : part;
    if (!said) break;
    part = store.read(handle, Number(offset));
  }
  assert.equal(read, whole);
  assert.equal(store.cut("short"), "short");
});

test("the oldest results are dropped above either bound, and a gone handle is told", () => {
  const text = (letter: string) => letter.repeat(maxTextLength + 1);
  const handleOf = (part: string) => next.exec(part)?.[1] ?? assert.fail(part);
  const few = new LongResults({ results: 2, characters: 1e9 });
  const [first, second] = ["a", "b"].map((letter) => handleOf(few.cut(text(letter))));
  assert.ok(first && second);
  few.read(first, 0);
  few.cut(text("c"));
  assert.match(few.read(first, maxTextLength), /^a$/);
  assert.throws(() => few.read(second, 0), /no longer kept/);
  assert.throws(() => few.read(first, 1e6), /offset 1000000 is after the end/);
  const small = new LongResults({ results: 9, characters: maxTextLength + 10 });
  const cut = small.cut(text("d").repeat(2));
  assert.match(cut, /Only 20010 of 40002 characters are kept/);
  small.read(handleOf(cut), 0);
  small.cut(text("e"));
  assert.throws(() => small.read(handleOf(cut), 0), /no longer kept/);
  assert.throws(() => small.read("__proto__", 0), /no longer kept/);
});

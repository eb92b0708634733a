import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isCutJson, isJson, parseJson } from "../../../../../src/shared/text/json/parseJson.ts";

const objects = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));

test("each beginning of an object or a list is cut, and no whole one", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.ok(isJson(text) && !isCutJson(text));
      for (let length = 1; length < text.length; length++)
        assert.ok(isCutJson(text.slice(0, length)), text.slice(0, length));
    }),
  );
});

test("what is no JSON is not cut", () => {
  for (const text of ["", "<html>", "busy", '{"a":1} x', "[1,,2]", '{"a":b}', "{'a':1}", "12", '{"a":1}}'])
    assert.ok(!isCutJson(text), text);
});

test("a JSON text has its value, whatever it is; another text has none", () => {
  assert.deepEqual(["null", "0", '""', " [1] ", "false"].map(parseJson), [null, 0, "", [1], false]);
  const cut = ["", "{", "undefined", "NaN", '"a', "1 2", "'a'"];
  assert.deepEqual(
    cut.map(parseJson),
    cut.map(() => undefined),
  );
  assert.deepEqual(["null", "0", "false", "{"].map(isJson), [true, true, true, false]);
});

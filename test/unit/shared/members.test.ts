import assert from "node:assert/strict";
import { test } from "node:test";
import {
  definedMembers,
  isMembers,
  membersOf,
  optionalMember,
  ownMember,
} from "../../../src/shared/members.ts";

test("only an object that is no list has members", () => {
  const values = [{}, { a: 1 }, Object.create(null), [], [1], null, undefined, "text", 1, true, () => {}];
  assert.deepEqual(values.map(isMembers), [true, true, true, ...values.slice(3).map(() => false)]);
  for (const value of values) assert.equal(membersOf(value) === value, isMembers(value));
  assert.deepEqual(membersOf([1]), {});
});

test("a member that every object inherits is no member of its own", () => {
  const parsed: Readonly<Record<string, unknown>> = JSON.parse('{"a":1,"__proto__":2}');
  const names = ["a", "__proto__", "constructor", "toString", "b"];
  assert.deepEqual(
    names.map((name) => ownMember(parsed, name)),
    [1, 2, undefined, undefined, undefined],
  );
});

test("members that are undefined are left out; null, zero and no text stay", () => {
  assert.deepEqual(Object.entries(definedMembers({ a: undefined, b: null, c: 0, d: "", e: false })), [
    ["b", null],
    ["c", 0],
    ["d", ""],
    ["e", false],
  ]);
  assert.deepEqual({ ...optionalMember("a", undefined), ...optionalMember("b", 0) }, { b: 0 });
});

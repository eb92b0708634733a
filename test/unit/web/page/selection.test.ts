// The selection of a list, by clicks and keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterChange,
  afterClick,
  afterMove,
  afterSpace,
  allSelected,
  nothingSelected,
  type Selection,
} from "../../../../src/web/page/selection.ts";

const ids = ["a", "b", "c", "d", "e"];
const plain = { shiftKey: false, ctrlKey: false };
const shift = { shiftKey: true, ctrlKey: false };
const ctrl = { shiftKey: false, ctrlKey: true };
const both = { shiftKey: true, ctrlKey: true };
const shown = ({ ids: selected }: Selection) => [...selected].sort().join("");

test("a range begins where the last plain or Ctrl click was, in both directions", () => {
  const first = afterClick(nothingSelected, ids, 2, plain);
  assert.equal(shown(afterClick(first, ids, 4, shift)), "cde");
  assert.equal(shown(afterClick(afterClick(first, ids, 4, shift), ids, 0, shift)), "abc");
  const other = afterClick(first, ids, 4, ctrl);
  assert.equal(shown(other), "ce");
  assert.equal(shown(afterClick(other, ids, 3, both)), "cde");
  assert.equal(shown(afterClick(other, ids, 4, ctrl)), "c");
  assert.equal(afterClick(first, ids, 9, plain), first);
});

test("keys move, extend, or leave the selection and move", () => {
  const first = afterMove(nothingSelected, ids, 1, plain);
  assert.equal(shown(first), "b");
  const long = afterMove(first, ids, 3, shift);
  assert.equal(shown(long), "bcd");
  const moved = afterMove(long, ids, 4, ctrl);
  assert.equal(shown(moved), "bcd");
  assert.equal(shown(afterSpace(moved, ids)), "bcde");
  assert.equal(shown(afterSpace(afterMove(moved, ids, 2, ctrl), ids)), "bd");
  assert.equal(shown(allSelected(moved, ids)), "abcde");
  assert.equal(afterSpace(nothingSelected, []), nothingSelected);
});

test("of a list that changed, only what is there stays selected", () => {
  const all = allSelected(afterMove(nothingSelected, ids, 4, plain), ids);
  const fewer = afterChange(all, ["b", "e"]);
  assert.equal(shown(fewer), "be");
  assert.deepEqual([fewer.active, fewer.anchor], [1, 1]);
  assert.deepEqual(afterChange(all, []), nothingSelected);
});

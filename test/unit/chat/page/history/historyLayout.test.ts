import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  headingHeight,
  historyLayoutOf,
  rowHeight,
} from "../../../../../src/chat/page/history/historyLayout.ts";

const folders = fc.array(fc.record({ title: fc.string(), count: fc.integer({ min: 1, max: 500 }) }), {
  minLength: 1,
  maxLength: 12,
});

test("the items between two heights are exactly the visible ones, each at its position", () => {
  fc.assert(
    fc.property(folders, fc.nat(100_000), fc.nat(2_000), (stretches, top, height) => {
      const total = stretches.reduce((sum, { count }) => sum + count, 0);
      const layout = historyLayoutOf(total, stretches);
      assert.equal(layout.heightPx, total * rowHeight + stretches.length * headingHeight);
      const all = layout.between(0, layout.heightPx);
      assert.equal(all.length, total + stretches.length);
      // One below the other, without gaps.
      let at = 0;
      for (const thing of all) {
        assert.equal(thing.top, at);
        if (thing.kind === "row") assert.equal(layout.topOf(thing.index), at);
        at += thing.kind === "row" ? rowHeight : headingHeight;
      }
      const heightOf = (kind: string) => (kind === "row" ? rowHeight : headingHeight);
      const visible = all.filter(
        (thing) => thing.top + heightOf(thing.kind) > top && thing.top < top + height,
      );
      assert.deepEqual(layout.between(top, top + height), visible);
    }),
  );
});

test("a list without headings consists of its rows", () => {
  assert.deepEqual(
    historyLayoutOf(3, [])
      .between(0, 1000)
      .map(({ top }) => top),
    [0, rowHeight, 2 * rowHeight],
  );
  assert.deepEqual(historyLayoutOf(0, []).between(0, 1000), []);
});

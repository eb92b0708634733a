import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { closest, visibleItems } from "../../../../src/chat/page/visibility.ts";

const placed = (top: number, bottom: number) => ({ getBoundingClientRect: () => ({ top, bottom }) });

test("the visible part of a column contains all partly visible items", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 200 });
  const view = fc.record({
    top: fc.integer({ min: -2000, max: 2000 }),
    height: fc.integer({ min: 1, max: 900 }),
  });
  fc.assert(
    fc.property(heights, fc.integer({ min: -50_000, max: 1000 }), view, (column, start, { top, height }) => {
      const rects = column.map((tall, index) => {
        const from = column.slice(0, index).reduce((sum, other) => sum + other, start);
        return { top: from, bottom: from + tall };
      });
      const items = rects.map((rect) => placed(rect.top, rect.bottom));
      const expected = items.filter((_, index) => {
        const rect = rects[index];
        return rect !== undefined && rect.bottom > top && rect.top < top + height;
      });
      assert.deepEqual(visibleItems(items, placed(top, top + height)), expected);
    }),
  );
});

test("a long column is searched in a few steps", () => {
  let looks = 0;
  const items = Array.from({ length: 5000 }, (_, index) => ({
    getBoundingClientRect() {
      looks += 1;
      return { top: index * 100, bottom: index * 100 + 100 };
    },
  }));
  assert.equal(visibleItems(items, placed(250_000, 250_300)).length, 3);
  assert.ok(looks < 20, `${looks} looks`);
});

test("the closest item is the one around the middle, above or below", () => {
  const items = [placed(0, 100), placed(700, 900), placed(-5000, 0)];
  assert.equal(closest(items, placed(0, 600)), items[0]);
  assert.equal(closest(items, placed(400, 1000)), items[1]);
  assert.equal(closest([], placed(0, 600)), undefined);
});

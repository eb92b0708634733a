import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { gridLayoutOf, visiblePictures } from "../../../../../src/images/page/gallery/pictureGallery.ts";
import { indexAfterKey } from "../../../../../src/webview/ui/listbox.ts";
import { offsetToShow } from "../../../../../src/webview/ui/virtualList.ts";

const sizes = fc.record({
  width: fc.integer({ min: 60, max: 3000 }),
  height: fc.integer({ min: 40, max: 3000 }),
  size: fc.integer({ min: 1, max: 5000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

test("cells fill the width, and the page contains little more than the visible ones", () => {
  fc.assert(
    fc.property(sizes, ({ width, height, size, share }) => {
      const layout = gridLayoutOf(width, size);
      const { columns, cellPx, rowPx, rows, heightPx } = layout;
      assert.ok(columns * cellPx + (columns - 1) * 8 <= width);
      assert.ok(rows * columns >= size && (rows - 1) * columns < size);
      const top = share * Math.max(0, heightPx - height);
      const { from, to, atPx } = visiblePictures(layout, size, top, top + height);
      const firstSeen = Math.floor(top / rowPx) * columns;
      const lastSeen = Math.min(size, Math.ceil((top + height) / rowPx) * columns);
      assert.ok(from <= firstSeen && to >= lastSeen, `${from}–${to} holds ${firstSeen}–${lastSeen}`);
      assert.equal(atPx, (from / columns) * rowPx);
      assert.ok(to - from <= (Math.ceil(height / rowPx) + 4) * columns);
    }),
  );
});

test("arrow keys reach existing images, and scrolling reveals each completely", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"];
  fc.assert(
    fc.property(
      sizes,
      fc.constantFrom(...keys),
      fc.nat(5000),
      ({ width, height, size, share }, key, start) => {
        const layout = gridLayoutOf(width, size);
        const { columns, cellPx } = layout;
        const target = indexAfterKey(key, start % size, { count: size, columns, rowsPerPage: 3 }) ?? -1;
        assert.ok(target >= 0 && target < size);
        const top = share * layout.heightPx;
        const tall = Math.max(height, cellPx);
        const place = Math.floor(target / columns) * layout.rowPx;
        const next = offsetToShow(place, place + cellPx, top, tall);
        assert.ok(place >= next - 1e-6 && place + cellPx <= next + tall + 1e-6);
      },
    ),
  );
  assert.equal(indexAfterKey("a", 0, { count: 10, columns: 3, rowsPerPage: 3 }), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createLineNumberer,
  type LogEntry,
  readLine,
  stampLine,
} from "../../../../../../src/chat/host/history/log/logEntry.ts";

const texts = fc.string({ unit: "binary" });
const entries: fc.Arbitrary<LogEntry> = fc.oneof(
  texts.map((text) => ({ e: "append", id: "m1", part: "text", at: 0, text }) as const),
  texts.map((title) => ({ e: "meta", meta: { title } }) as const),
  texts.map((text) => ({ e: "draft", draft: { text, revision: 1 } }) as const),
);

test("a line is read with its writer and number, also one of a version without checksums", () => {
  fc.assert(
    fc.property(entries, (entry) => {
      const expected = { ...entry, w: "writer", n: 1 };
      assert.deepEqual(readLine(stampLine(entry, createLineNumberer("writer"))), expected);
      assert.deepEqual(readLine(JSON.stringify(expected)), expected);
    }),
  );
});

test("a version without checksums reads the same members", () => {
  const entry = { e: "append", id: "m1", part: "text", at: 0, text: "Hello" } as const;
  const { crc, ...rest } = JSON.parse(stampLine(entry, createLineNumberer("writer")));
  assert.match(crc, /^[0-9a-f]{8}$/);
  assert.deepEqual(rest, { ...entry, w: "writer", n: 1 });
});

test("a line in which a byte has changed is damaged, although it may still be a valid line", () => {
  const entry = { e: "append", id: "m1", part: "text", at: 0, text: "pay 100" } as const;
  assert.equal(readLine(stampLine(entry, createLineNumberer("writer")).replace("100", "900")), "bad");
  fc.assert(
    fc.property(entries, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, where, change) => {
      const bytes = Buffer.from(stampLine(one, createLineNumberer("writer")));
      const at = where % (bytes.length - ',"crc":"00000000"}'.length);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      assert.equal(readLine(bytes.toString()), "bad");
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkedLine, withChecksum } from "../../../../../src/platform/files/durable/checkedLine.ts";
import { parseJson } from "../../../../../src/shared/text/json/parseJson.ts";

const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
const lists = fc.array(fc.jsonValue(), { minLength: 1 });
const lines = fc.oneof(objects, lists).map((value) => JSON.stringify(value));

test("a line comes back as it was written, and is JSON with its checksum, too", () => {
  fc.assert(
    fc.property(lines, (line) => {
      const text = withChecksum(line);
      assert.deepEqual(checkedLine(text), { line, isChecked: true });
      const [read, plain] = [JSON.parse(text), JSON.parse(line)];
      if (Array.isArray(plain)) assert.deepEqual(read.slice(0, -1), plain);
      else if (!Object.hasOwn(plain, "crc"))
        assert.deepEqual({ ...read, crc: undefined }, { ...plain, crc: undefined });
    }),
  );
});

test("a line of an older version has no checksum, and is itself", () => {
  for (const line of ['{"a":1}', '[2,"key",{}]', "{}", "[]", "null", "7", '{"a":"crc', ""])
    assert.deepEqual(checkedLine(line), { line, isChecked: false });
  for (const line of ["{}", "[]", "null", '"text"', ""]) assert.equal(withChecksum(line), line);
});

test("whatever byte of a line changes, its content is not believed", () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.integer({ min: 1, max: 255 }), (line, where, change) => {
      const bytes = Buffer.from(withChecksum(line));
      const contentBytes = Buffer.byteLength(line) - 1;
      bytes[where % contentBytes] = (bytes[where % contentBytes] ?? 0) ^ change;
      assert.equal(checkedLine(bytes.toString()), undefined);
    }),
  );
});

test("a line that was cut off is no checked one, and no JSON", () => {
  fc.assert(
    fc.property(lines, fc.nat(), (line, where) => {
      const text = withChecksum(line);
      const cut = text.slice(0, where % text.length);
      const checked = checkedLine(cut);
      assert.ok(checked === undefined || (!checked.isChecked && parseJson(checked.line) === undefined));
    }),
  );
});

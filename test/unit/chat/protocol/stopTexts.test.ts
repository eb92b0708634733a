import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { stopLines, stopsIn, tokenIdsIn } from "../../../../src/chat/protocol/stopTexts.ts";

test("any texts are the same after they were shown and read", () => {
  const character = fc.constantFrom(..."\\nrt,. \n\r\tab#");
  const stops = fc.array(
    fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: character, minLength: 1 })),
    { maxLength: 4 },
  );
  fc.assert(fc.property(stops, (texts) => assert.deepEqual(stopsIn(stopLines(texts)), texts)));
});

test("commas, blanks and line breaks are part of a text", () => {
  assert.deepEqual(stopsIn("END, or\n  \\n\\n\n\n###\r\nC:\\temp\\x"), [
    "END, or",
    "  \n\n",
    "###",
    "C:\temp\\x",
  ]);
});

test("token ids are whole numbers", () => {
  assert.deepEqual(tokenIdsIn("13, 198 50256"), [13, 198, 50256]);
  assert.deepEqual(tokenIdsIn(" "), []);
  for (const text of ["1.5", "-1", "a", "1e3", "9999999999"]) assert.equal(tokenIdsIn(text), undefined, text);
});

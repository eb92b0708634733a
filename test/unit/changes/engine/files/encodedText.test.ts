// An edit keeps the encoding of its file and the bytes of all other lines, and writes no question mark in place of a character.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type * as Encoded from "../../../../../src/changes/engine/files/encodedText.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { toBytes, toText } from "../../editorDocument.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const { encodedText } = await loadWithEditor<typeof Encoded>("src/changes/engine/files/encodedText.ts");
const never = new AbortController().signal;

function openFile(bytes: Uint8Array, encoding: string) {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  mkdirSync(root);
  editor.start(root);
  editor.encoding = encoding;
  writeFileSync(uriOf("a.txt").path, bytes);
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const edit = (oldText: string, newText: string) =>
    changes.writer.edit("a.txt", [{ oldText, newText }], never);
  return { changes, edit, read: () => readFileSync(uriOf("a.txt").path) };
}

const text = "é one\r\ntwo ü\nthree\n";

for (const encoding of ["windows1252", "utf16le"])
  for (const isOpen of [false, true])
    test(`a new character that ${encoding} lacks is refused by line and character, ${isOpen ? "open" : "closed"}`, async () => {
      const before = toBytes(text, encoding);
      const { changes, edit, read } = openFile(before, encoding);
      if (isOpen) editor.open(uriOf("a.txt"), encoding);
      if (encoding === "utf16le") {
        await edit("three", "あ 😀");
        assert.match(toText(read(), encoding), /two ü\r?\nあ 😀/);
      } else {
        const refusal =
          /a\.txt was not changed: the file is in windows1252, and its line 3 would have the character “あ” \(U\+3042\)/;
        await assert.rejects(edit("three", "3 あ"), refusal);
        await assert.rejects(edit("three", "😀"), /“😀” \(U\+1F600\)/);
        assert.deepEqual([read(), changes.files], [before, []]);
        await edit("three", "ÿ");
        assert.deepEqual(read().subarray(-2), Buffer.from([0xff, 0x0a]));
      }
      changes.dispose();
    });

test("what the user has typed and not saved may have such a character, which stays in the editor", async () => {
  const { changes, edit, read } = openFile(toBytes("one\ntwo\n", "windows1252"), "windows1252");
  const document = editor.open(uriOf("a.txt"), "windows1252");
  document.type(0, 0, "あ ");
  await edit("two", "2");
  assert.equal(document.getText(), "あ one\n2\n");
  await assert.rejects(edit("2", "い"), /line 2 would have the character “い”/);
  assert.deepEqual(read(), Buffer.from("one\ntwo\n"));
  changes.dispose();
});

test("a file whose bytes are no text in its encoding is refused, because an edit would lose them", async () => {
  const before = Buffer.from([0x82, 0xa0, 0x0a, 0x82, 0xff, 0x0a, 0x6f, 0x6e, 0x65, 0x0a]);
  const { changes, edit, read } = openFile(before, "shiftjis");
  await assert.rejects(edit("one", "two"), /its line 2 has bytes that are no text in this encoding/);
  assert.deepEqual(read(), before);
  changes.dispose();
});

test("UTF-16 without a byte order mark gets none in a closed file", async () => {
  const bytes = toBytes("one\ntwo\n", "utf16le");
  for (const before of [bytes, bytes.subarray(2)]) {
    const { changes, edit, read } = openFile(before, "utf16le");
    const made = await edit("two", "2");
    assert.equal(read().toString("latin1"), before.toString("latin1").replace("t\0w\0o\0", "2\0"));
    await changes.rewind([made], async () => assert.fail("asked"));
    assert.deepEqual(read(), before);
    changes.dispose();
  }
});

test("lines that stay keep their bytes, also where the encoding has others for the same text", async () => {
  const line = fc.constantFrom("", "a", "あい", "b c", "あ");
  const lines = fc.array(line, { maxLength: 5 }).map((all) => all.join("\n"));
  for (const encoding of ["shiftjis", "utf16le"])
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.boolean(), async (before, after, isMarked) => {
        const bytes = toBytes(before, encoding).subarray(encoding === "utf16le" && !isMarked ? 2 : 0);
        const content = { bytes, document: undefined, encoding, text: before };
        const mark = encoding === "utf16le" && isMarked ? "\ufeff" : "";
        const now = await encodedText(content, after);
        assert.equal(toText(now, encoding), mark + after);
        const whole = toBytes(after, encoding).subarray(encoding === "utf16le" && !isMarked ? 2 : 0);
        assert.deepEqual(Buffer.from(now), whole);
      }),
    );
  // Fullwidth ～ has two codes in this made-up text: the first line has one that the encoder does not write.
  const bytes = Buffer.from([0x81, 0x60, 0x0a, 0x6f, 0x6e, 0x65]);
  const content = { bytes, document: undefined, encoding: "shiftjis", text: toText(bytes, "shiftjis") };
  const now = await encodedText(content, content.text.replace("one", "two"));
  assert.deepEqual(Buffer.from(now), Buffer.from([0x81, 0x60, 0x0a, 0x74, 0x77, 0x6f]));
});

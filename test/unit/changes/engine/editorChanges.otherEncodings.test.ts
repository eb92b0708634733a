// Open files that are not in UTF-8 keep their encoding, and come back byte for byte.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { blobNameOf } from "../../../../src/platform/files/blobStore.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { moments, toBytes } from "../editorDocument.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;

for (const encoding of ["utf16le", "windows1252"]) {
  const openFile = () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const uri = uriOf("a.txt");
    const original = toBytes("é one\r\ntwo\r\nthree\r\n", encoding);
    writeFileSync(uri.path, original);
    const document = editor.open(uri);
    document.reopen(encoding);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const edit = (oldText: string, newText: string) =>
      changes.writer.edit("a.txt", [{ oldText, newText }], never);
    const isOriginal = () => {
      assert.deepEqual(readFileSync(uri.path), original);
      editor.settle();
      assert.deepEqual([document.getText(), document.isDirty], ["é one\r\ntwo\r\nthree\r\n", false]);
    };
    return { uri, original, document, changes, edit, isOriginal, storage };
  };

  test(`${encoding}: a rejected edit`, async () => {
    const { uri, changes, edit, isOriginal, original } = openFile();
    await edit("two", "TWO");
    assert.deepEqual(await changes.originalOf(uri), original);
    await changes.reject(uri);
    isOriginal();
    changes.dispose();
  });

  test(`${encoding}: a rejected edit beside what the user has typed, and with the original gone`, async () => {
    const { uri, document, changes, edit, storage } = openFile();
    await edit("two", "TWO");
    document.type(0, 0, "ü");
    await document.save();
    rmSync(`${storage}/blobs`, { recursive: true });
    await changes.reject(uri);
    assert.deepEqual(readFileSync(uri.path), toBytes("üé one\r\ntwo\r\nthree\r\n", encoding));
    changes.dispose();
  });

  test(`${encoding}: a rejected deletion after an edit`, async () => {
    const { uri, changes, edit, original, document } = openFile();
    await edit("two", "TWO");
    await changes.writer.remove("a.txt", never);
    editor.close(document);
    await changes.reject(uri);
    assert.deepEqual(readFileSync(uri.path), original);
    changes.dispose();
  });

  test(`${encoding}: a rewind, and its undo`, async () => {
    const { uri, changes, edit, isOriginal } = openFile();
    const made = [await edit("two", "TWO"), await edit("three", "THREE")];
    const written = readFileSync(uri.path);
    const done = await changes.rewind(made, async () => assert.fail("asked"));
    isOriginal();
    await changes.rewind(done?.changes ?? [], async () => assert.fail("asked"));
    assert.deepEqual(readFileSync(uri.path), written);
    changes.dispose();
  });

  test(`${encoding}: what an edit wrote is named by its bytes, though the user types right after it`, async () => {
    const { changes, document, edit } = openFile();
    moments.at = (moment) => {
      if (moment === "in the save") document.type(0, 0, "ü");
    };
    const made = await edit("two", "TWO");
    moments.at = () => {};
    assert.match(document.getText(), /^ü/);
    assert.equal(made.after, blobNameOf(toBytes("é one\r\nTWO\r\nthree\r\n", encoding), "file"));
    changes.dispose();
  });

  test(`${encoding}: a rewind to unsaved text that the user has saved since`, async () => {
    const { uri, changes, document, edit } = openFile();
    document.type(1, 0, "ü ");
    const made = await edit("three", "THREE");
    await document.save();
    await changes.rewind([made], async () => "overwrite");
    assert.deepEqual(readFileSync(uri.path), toBytes("é one\r\nü two\r\nthree\r\n", encoding));
    changes.dispose();
  });
}

test("utf16le: a deleted file that is written again comes back by a rejection, and by a rewind", async () => {
  for (const isRewound of [false, true]) {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const uri = uriOf("a.txt");
    const original = toBytes("é one\r\ntwo\r\n", "utf16le");
    writeFileSync(uri.path, original);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const made = [
      await changes.writer.remove("a.txt", never),
      await changes.writer.write("a.txt", "agent\n", never),
    ];
    assert.equal(readFileSync(uri.path, "utf8"), "agent\n");
    if (isRewound) await changes.rewind(made, async () => assert.fail("asked"));
    else await changes.reject(uri);
    assert.deepEqual(readFileSync(uri.path), original);
    assert.deepEqual(changes.files, []);
    changes.dispose();
  }
});

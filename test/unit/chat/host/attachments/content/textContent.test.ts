// An attached file is the text that its editor shows, or it is refused: never a text with replaced characters.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { folderText } from "../../../../../../src/chat/host/attachments/content/folderText.ts";
import { createAttachmentReader } from "../../../../../../src/chat/host/attachments/content/readAttachment.ts";
import { utf8Text } from "../../../../../../src/chat/host/attachments/content/textContent.ts";
import type { EditorSources } from "../../../../../../src/chat/host/attachments/sources/sources.ts";
import { createBlobStore } from "../../../../../../src/platform/files/blobStore.ts";
import { editor, loadWithEditor } from "../../../../changes/editorModel.ts";
import { uriOf } from "../../../../changes/seenFiles.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

const { createEditorSources } = await loadWithEditor<{ readonly createEditorSources: () => EditorSources }>(
  "src/chat/host/attachments/sources/editorSources.ts",
);
const never = new AbortController().signal;
const latin = Buffer.from("caf\xe9\n", "latin1");

test("a file of the editor in another encoding is attached as it is shown, open or closed, or refused", async () => {
  editor.start(temporaryFolder());
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(uriOf(name).path, latin);
  writeFileSync(uriOf("d.txt").path, Buffer.from("\ufeffcafé\n", "utf16le"));
  const find = async (name: string) => {
    const found = await createEditorSources().find({ kind: "uri", uri: uriOf(name).toString() }, never);
    return typeof found === "string" ? found : found.kind === "file" ? found.text : found.kind;
  };
  editor.open(uriOf("a.txt"), "windows1252");
  assert.equal(await find("a.txt"), "café\n");
  assert.match(await find("b.txt"), /b\.txt is no text in UTF-8\. Choose its encoding/);
  editor.encoding = "windows1252";
  assert.equal(await find("c.txt"), "café\n");
  editor.encoding = "utf8";
  assert.equal(await find("d.txt"), "café\n");
  editor.open(uriOf("a.txt")).type(0, 0, "typed ");
  assert.equal(await find("a.txt"), "typed café\n");
});

test("a folder lists files that are no UTF-8 without their content", async () => {
  const files = [
    { path: "a.txt", read: async () => Buffer.from("one\n") },
    { path: "b.txt", read: async () => latin },
  ];
  const { text, detail } = await folderText(files, never);
  assert.match(text, /^a\.txt\nb\.txt\n\na\.txt:\n/);
  assert.doesNotMatch(text, /caf/);
  assert.equal(detail, "2 files, 1 with content");
});

test("a dropped file that is no UTF-8 is refused, and one that is cut in a character is not", async () => {
  const reader = createAttachmentReader(createBlobStore(temporaryFolder()));
  const attach = (bytes: Uint8Array, size: number) =>
    reader.fromFile("1", { kind: "bytes", name: "a.txt", bytes, size });
  await assert.rejects(attach(latin, latin.length), /a\.txt can't be attached: it is no text in UTF-8/);
  const cut = Buffer.from("café").subarray(0, 4);
  assert.equal((await attach(cut, 5)).bytes, 3);
  await assert.rejects(attach(cut, 4), /UTF-8/);
});

test("the beginning of a text in UTF-8 is a beginning of its text, wherever it is cut", () =>
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text);
      const cut = at % (bytes.length + 1);
      const start = utf8Text(bytes.subarray(0, cut), bytes.length);
      assert.ok(start !== undefined && text.startsWith(start));
      assert.ok(Buffer.byteLength(start) > cut - 4);
      assert.equal(utf8Text(bytes), text);
    }),
  ));

// What tools read of a file is what its editor shows: unsaved text, other encodings, other names of the file.
import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { WorkspaceFiles } from "../../../../../src/tools/files/workspaceFiles.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";

const { editorFiles } = await loadWithEditor<{ readonly editorFiles: WorkspaceFiles }>(
  "src/tools/files/editorFiles.ts",
);
const { decodedAsShown } = await loadWithEditor<{
  readonly decodedAsShown: (uri: object, path: string, bytes: Uint8Array) => Promise<string>;
}>("src/changes/engine/files/editorText.ts");

function openFolder(files: Readonly<Record<string, string | Uint8Array>>): void {
  editor.start(temporaryFolder());
  for (const [name, content] of Object.entries(files)) writeFileSync(uriOf(name).path, content);
}

const read = (name: string) => editorFiles.readText(name, 1000);

test("the unsaved text is read, also of a file that is gone, under each of its names, and as bytes", async () => {
  openFolder({ "a.txt": "const limit = 10;\n", "gone.txt": "saved\n" });
  symlinkSync("a.txt", uriOf("link.txt").path);
  for (const name of ["a.txt", "gone.txt"]) editor.open(uriOf(name)).type(0, 0, "typed\n");
  rmSync(uriOf("gone.txt").path);
  assert.equal(await read("a.txt"), "typed\nconst limit = 10;\n");
  assert.equal(await read("link.txt"), "typed\nconst limit = 10;\n");
  assert.equal(await read("gone.txt"), "typed\nsaved\n");
  assert.equal(Buffer.from(await editorFiles.read("a.txt", 1000)).toString(), "typed\nconst limit = 10;\n");
});

test("without unsaved text, the file is read, which an open editor may show later", async () => {
  openFolder({ "a.txt": "one\n" });
  editor.open(uriOf("a.txt"));
  writeFileSync(uriOf("a.txt").path, "\ufefftwo\r\n");
  assert.equal(await read("a.txt"), "two\r\n");
});

test("a file in another encoding is read as its editor shows it, open or closed", async () => {
  openFolder({ "a.txt": Buffer.from("caf\xe9\n", "latin1"), "b.txt": Buffer.from("caf\xe9\n", "latin1") });
  editor.open(uriOf("a.txt"), "windows1252");
  assert.equal(await read("a.txt"), "café\n");
  editor.encoding = "windows1252";
  assert.equal(await read("b.txt"), "café\n");
  openFolder({ "marked.txt": Buffer.from("\ufeffcafé\n", "utf16le") });
  assert.equal(await read("marked.txt"), "café\n");
});

test("bytes that are UTF-8 by chance are read as the editor shows them, if it may take them for another encoding", async () => {
  for (const setting of ["files.encoding by language", "files.autoGuessEncoding"]) {
    openFolder({ "a.txt": Buffer.from("\xc3\xa9 one\n", "latin1"), "b.txt": "plain\n" });
    assert.equal(await read("a.txt"), "é one\n");
    editor.settings[setting] = ["plaintext"];
    editor.guessed = "windows1252";
    assert.equal(await read("a.txt"), "Ã© one\n");
    assert.equal(await read("b.txt"), "plain\n");
    assert.equal(editor.find(uriOf("b.txt")), undefined, "ASCII is the same in all");
  }
});

test("a file that is no text in its encoding is refused, with what helps, and so is a binary one", async () => {
  openFolder({ "a.txt": Buffer.from("caf\xe9\n", "latin1"), "b.bin": new Uint8Array([1, 0, 2]) });
  await assert.rejects(read("a.txt"), /a\.txt is no text in UTF-8\. Choose its encoding/);
  editor.open(uriOf("a.txt"));
  await assert.rejects(read("a.txt"), /a\.txt is no text in UTF-8/);
  await assert.rejects(read("b.bin"), /b\.bin is not a text file/);
  await assert.rejects(decodedAsShown(uriOf("b.bin"), "b.bin", new Uint8Array([1, 0, 2])), /not a text file/);
});

for (const isNotebook of [true, false])
  test(`a file with unsaved changes in ${isNotebook ? "a notebook" : "a custom editor"} is read with a note`, async () => {
    openFolder({ "a.ipynb": "{}\n" });
    const other = { isNotebook, uri: uriOf("a.ipynb"), isDirty: true };
    editor.others.push(other);
    assert.match(await read("a.ipynb"), /^\(a\.ipynb has unsaved changes in an editor .*\)\n\{\}\n$/);
    other.isDirty = false;
    assert.equal(await read("a.ipynb"), "{}\n");
  });

// A file is restored byte for byte, closed or open; where that fails, the file and the unsaved text are left as they were.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Content, readContent as Read } from "../../../../../src/changes/engine/files/contents.ts";
import type { restoreFile as Restore } from "../../../../../src/changes/engine/restore/restoreFile.ts";
import type { TemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { type Document, moments, Position, Range, toBytes } from "../../editorDocument.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";

const { restoreFile } = await loadWithEditor<{ readonly restoreFile: typeof Restore }>(
  "src/changes/engine/restore/restoreFile.ts",
);

const { readContent } = await loadWithEditor<{ readonly readContent: typeof Read }>(
  "src/changes/engine/files/contents.ts",
);

const isWindows = process.platform === "win32";
/** A file whose temporary file has the place of a folder that does not exist, as on a disk that fails. */
const failing = (path: string) => join(dirname(path), "missing", "a.tmp");

interface Options {
  readonly isUnsavedText?: boolean;
  readonly mode?: number;
  readonly content?: Content | undefined;
}

function openFolder(now: Uint8Array | undefined, beside = (path: string) => `${path}.tmp`) {
  editor.start(temporaryFolder());
  const uri = uriOf("a.txt");
  if (now) writeFileSync(uri.path, now);
  const temporary: TemporaryFiles = { beside, sweep: async () => {}, dispose() {} };
  return {
    uri,
    restore: (bytes: Uint8Array | undefined, options: Options = {}) =>
      restoreFile(uri, "a.txt", bytes, { temporary, ...options }),
    /** The only file of the folder. */
    disk: () => {
      assert.deepEqual(readdirSync(editor.root), existsSync(uri.path) ? ["a.txt"] : []);
      return existsSync(uri.path) ? readFileSync(uri.path) : undefined;
    },
  };
}

const now = Buffer.from("agent\nlines\n");

/** Contents that an editor would write otherwise. */
const contents: Readonly<Record<string, Uint8Array>> = {
  "a text": Buffer.from("one\ntwo\n"),
  "an empty file": Buffer.of(),
  "mixed line ends": Buffer.from("one\r\ntwo\nthree\rfour"),
  "a byte order mark": Buffer.from("\ufeffone\r\n"),
  "bytes that are no text": Buffer.from([0xff, 0xfe, 0xfd, 0, 1, 0x80]),
  "bytes of another encoding": Buffer.from("caf\xe9\n", "latin1"),
};

/** States of the editor in which a file is restored. */
const states: Readonly<Record<string, (document: Document) => void>> = {
  closed: (document) => editor.close(document),
  open: () => {},
  "open with unsaved text": (document) => document.type(0, 0, "typed "),
};

for (const [state, prepare] of Object.entries(states)) {
  for (const [content, bytes] of Object.entries(contents))
    test(`${state}: ${content} comes back byte for byte, and the editor shows it without unsaved text`, async () => {
      const { uri, restore, disk } = openFolder(now);
      const document = editor.open(uri);
      prepare(document);
      await restore(bytes);
      assert.deepEqual(disk(), Buffer.from(bytes));
      if (state === "closed") return;
      assert.equal(document.isDirty, false);
      editor.settle();
      const shown = document.getText();
      editor.close(document);
      assert.equal(shown, editor.open(uri).getText());
    });

  test(`${state}: a file that was not there is removed`, async () => {
    const { uri, restore, disk } = openFolder(now);
    prepare(editor.open(uri));
    await restore(undefined);
    assert.equal(disk(), undefined);
  });
}

test("a removed file comes back with its folder and its mode, and a present one gets the mode", {
  skip: isWindows && "files have no modes",
}, async () => {
  const { uri, restore, disk } = openFolder(undefined);
  await restore(now, { mode: 0o640 });
  assert.deepEqual(disk(), now);
  assert.equal(statSync(uri.path).mode & 0o777, 0o640);
  await restore(now, { mode: 0o755 });
  assert.equal(statSync(uri.path).mode & 0o777, 0o755);
  rmSync(editor.root, { recursive: true });
  await restore(now);
  assert.deepEqual(disk(), now);
});

test("without a file, nothing is removed", async () => {
  const { restore, disk } = openFolder(undefined);
  await restore(undefined);
  assert.equal(disk(), undefined);
});

test("a file that already has the content is not written again", async () => {
  const { uri, restore, disk } = openFolder(now, failing);
  await restore(now);
  editor.open(uri);
  await restore(now);
  assert.deepEqual(disk(), now);
});

for (const [state, prepare] of Object.entries(states))
  test(`${state}: a write that fails leaves the file whole, without a temporary file`, async () => {
    const { uri, restore, disk } = openFolder(now, failing);
    prepare(editor.open(uri));
    // The editor would write this content without its byte order mark, so a write by us follows.
    const marked = Buffer.from("\ufeffone\n");
    await assert.rejects(restore(marked), { message: /^a\.txt could not be written: .*Nothing of it was/ });
    assert.deepEqual(disk(), state === "closed" ? now : Buffer.from("one\n"));
  });

test("a read-only file comes back and stays read-only", {
  skip: isWindows && "files have no modes",
}, async () => {
  const { uri, restore, disk } = openFolder(now);
  chmodSync(uri.path, 0o444);
  await restore(Buffer.from("one\n"));
  assert.deepEqual([disk(), statSync(uri.path).mode & 0o777], [Buffer.from("one\n"), 0o444]);
});

test("a save that is refused, because the file is newer, leaves the unsaved text and the newer file", async () => {
  const { uri, restore, disk } = openFolder(now);
  const document = editor.open(uri);
  document.type(0, 0, "typed ");
  const newer = Buffer.from("by another program\n");
  writeFileSync(uri.path, newer);
  for (const bytes of [Buffer.from("one\n"), undefined])
    await assert.rejects(restore(bytes), {
      message: "a.txt could not be saved: its file is newer than the text in the editor.",
    });
  assert.deepEqual([disk(), document.getText(), document.isDirty], [newer, "typed agent\nlines\n", true]);
});

test("what the user types while the text is restored is kept, and so is the file", async () => {
  const { uri, restore, disk } = openFolder(now);
  const document = editor.open(uri);
  moments.at = (moment) => {
    if (moment === "before the change") document.type(0, 0, "typed ");
  };
  await assert.rejects(restore(Buffer.from("one\n")), { message: "a.txt was changed during the rewind." });
  moments.at = () => {};
  assert.deepEqual([disk(), document.getText(), document.isDirty], [now, "typed agent\nlines\n", true]);
});

test("unsaved text is not replaced by a content that is no text in the encoding of its editor", async () => {
  const { uri, restore, disk } = openFolder(now);
  const document = editor.open(uri, "windows1252");
  document.type(0, 0, "typed ");
  await assert.rejects(restore(Buffer.from([1, 0, 2])), {
    message: "a.txt has unsaved text, and its former content is no text in windows1252.",
  });
  assert.deepEqual([disk(), document.getText(), document.isDirty], [now, "typed agent\nlines\n", true]);
});

for (const encoding of ["windows1252", "utf16le"])
  for (const isUnsavedText of [true, false])
    for (const isDirty of [true, false])
      test(`${encoding}${isDirty ? ", with unsaved text" : ""}: ${isUnsavedText ? "former unsaved text, stored in UTF-8, is written in the encoding" : "bytes come back"}`, async () => {
        const { uri, restore, disk } = openFolder(toBytes("agent é\n", encoding));
        const document = editor.open(uri, encoding);
        if (isDirty) document.type(0, 0, "typed ");
        const bytes = toBytes("é one\ntwo\n", encoding);
        await restore(isUnsavedText ? Buffer.from("é one\ntwo\n") : bytes, { isUnsavedText });
        assert.deepEqual(disk(), bytes);
        assert.deepEqual([document.getText(), document.isDirty], ["é one\ntwo\n", false]);
      });

test("an editor of a removed file takes the text along, and saves it", async () => {
  const { uri, restore, disk } = openFolder(now);
  const document = editor.open(uri);
  document.type(0, 0, "typed ");
  rmSync(uri.path);
  await restore(Buffer.from("one\n"));
  assert.deepEqual([disk(), document.getText(), document.isDirty], [Buffer.from("one\n"), "one\n", false]);
});

test("a file that is gone, whose editor was closed since it was read, is written", async () => {
  const { uri, restore, disk } = openFolder(now);
  const document = editor.open(uri);
  document.type(0, 0, "typed ");
  rmSync(uri.path);
  const content = await readContent(uri, "a.txt");
  editor.close(document);
  await restore(Buffer.from("typed agent\nlines\n"), { content });
  assert.deepEqual(disk(), Buffer.from("typed agent\nlines\n"));
});

test("an editor that hears late of an earlier text of a restored file is left alone, and follows it", async () => {
  const bytes = Buffer.from("é one\r\ntwo\r\n", "utf16le");
  const { uri, restore, disk } = openFolder(bytes);
  const document = editor.open(uri, "utf16le");
  const content = await readContent(uri, "a.txt");
  assert.equal(content?.document, document);
  const start = new Position(0, 0);
  document.edit([{ range: new Range(start, start), text: "earlier " }], false);
  const seen: string[] = [];
  moments.at = (moment) => void seen.push(moment);
  await restore(bytes, { content });
  assert.deepEqual(seen, []);
  assert.equal(document.isDirty, false);
  assert.deepEqual(disk(), bytes);
});

// Hunks of a file in another encoding than UTF-8 stay pending while it is closed, and come back byte for byte.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { toBytes } from "../editorDocument.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;
const text = "あ one\r\ntwo\r\nい three\r\nfour\r\n";
const agents = "あ one\r\nう TWO\r\nい three\r\nFOUR\r\n";

for (const encoding of ["shiftjis", "windows1252", "utf16le", "utf16le without a mark"]) {
  const name = encoding.replace(" without a mark", "");
  const own = (value: string) => (name === "windows1252" ? value.replaceAll(/[あいう]/g, "é") : value);
  const markLength = encoding === name ? 0 : 2;
  const bytesOf = (value: string) => toBytes(own(value), name).subarray(markLength);
  const openFile = async () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const uri = uriOf("a.txt");
    const original = bytesOf(text);
    writeFileSync(uri.path, original);
    const document = editor.open(uri);
    document.reopen(name);
    const open = () => openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const changes = open();
    const made = [
      await changes.writer.edit("a.txt", [{ oldText: "two", newText: own("う TWO") }], never),
      await changes.writer.edit("a.txt", [{ oldText: "four", newText: "FOUR" }], never),
    ];
    assert.deepEqual(readFileSync(uri.path), bytesOf(agents));
    return { uri, document, changes, made, original, open, read: () => readFileSync(uri.path) };
  };
  const closings = {
    closed: async (opened: Awaited<ReturnType<typeof openFile>>) => {
      editor.close(opened.document);
      return opened.changes;
    },
    "closed and reloaded": async ({ changes, document, open }: Awaited<ReturnType<typeof openFile>>) => {
      editor.close(document);
      changes.dispose();
      const next = open();
      await next.accept(uriOf("none"));
      return next;
    },
    "reloaded while it was open": async ({
      changes,
      document,
      open,
    }: Awaited<ReturnType<typeof openFile>>) => {
      changes.dispose();
      editor.documents.splice(editor.documents.indexOf(document), 1);
      const next = open();
      await next.accept(uriOf("none"));
      return next;
    },
    "opened in UTF-8": async ({ changes, document, uri }: Awaited<ReturnType<typeof openFile>>) => {
      editor.close(document);
      editor.open(uri, "utf8");
      return changes;
    },
    "reopened in UTF-8": async ({ changes, document }: Awaited<ReturnType<typeof openFile>>) => {
      document.reopen("utf8");
      return changes;
    },
  };
  for (const [title, close] of Object.entries(closings))
    test(`${encoding}, ${title}: hunks are accepted, rejected, edited and rewound`, async () => {
      for (const way of ["reject", "one", "accept", "edit", "others", "rewind", "rewind one", "delete"]) {
        const opened = await openFile();
        const { uri, made, original, read } = opened;
        const changes = await close(opened);
        const ids = () => changes.fileOf(uri)?.hunks.map(({ id }) => id) ?? [];
        assert.equal(ids().length, 2, `${way}: pending`);
        assert.deepEqual(
          Buffer.from((await changes.originalOf(uri)) ?? []),
          Buffer.from(original),
          `${way}: original`,
        );
        if (way === "reject") await changes.reject(uri);
        if (way === "one") {
          await changes.reject(uri, ids()[0]);
          assert.deepEqual(read(), bytesOf(agents.replace("う TWO", "two")));
          await changes.reject(uri, ids()[0]);
        }
        if (way === "edit") {
          await changes.writer.edit("a.txt", [{ oldText: "FOUR", newText: own("い") }], never);
          assert.deepEqual(read(), bytesOf(agents.replace("FOUR", "い")));
          await changes.reject(uri);
        }
        if (way === "delete") {
          await changes.writer.remove("a.txt", never);
          await changes.reject(uri);
        }
        if (way === "rewind") {
          const done = await changes.rewind(made, async () => assert.fail("asked"));
          assert.deepEqual(read(), Buffer.from(original));
          editor.settle();
          const undone = await changes.rewind(done?.changes ?? [], async () => assert.fail("asked"));
          assert.equal(undone?.failure, undefined);
          assert.deepEqual(read(), bytesOf(agents));
          await changes.rewind(made, async () => assert.fail("asked"));
        }
        if (way === "rewind one") {
          await changes.rewind(made.slice(1), async () => assert.fail("asked"));
          assert.equal(ids().length, 1);
          await changes.reject(uri);
        }
        if (way === "others") {
          const touched = (value: string) => bytesOf(value.replace("あ one", "う one"));
          writeFileSync(uri.path, touched(agents));
          await changes.reject(uri);
          assert.deepEqual(read(), touched(text));
        } else if (way === "accept") {
          await changes.accept(uri);
          assert.deepEqual(read(), bytesOf(agents));
        } else assert.deepEqual(read(), Buffer.from(original), way);
        assert.deepEqual(changes.files, [], way);
        editor.settle();
        changes.dispose();
      }
    });
}

/** An open file in windows-1252. */
function openLatin() {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  const uri = uriOf("a.txt");
  writeFileSync(uri.path, "one\n\xe9\n", "latin1");
  const document = editor.open(uri, "windows1252");
  return { uri, document, changes: openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`) };
}

test("a character that the encoding lacks does not drop the hunk when the file is closed", async () => {
  const { uri, document, changes } = openLatin();
  await changes.writer.edit("a.txt", [{ oldText: "one", newText: "one, two" }], never);
  document.type(1, 1, " → typed");
  await document.save();
  assert.equal(readFileSync(uri.path, "latin1"), "one, two\n\xe9 ? typed\n");
  editor.close(document);
  await changes.reject(uri);
  assert.equal(readFileSync(uri.path, "latin1"), "one\n\xe9 ? typed\n");
  changes.dispose();
});

test("a file that the user saves in UTF-8 keeps its hunks and its new encoding", async () => {
  const { uri, document, changes } = openLatin();
  await changes.writer.edit("a.txt", [{ oldText: "one", newText: "ONE" }], never);
  document.encoding = "utf8";
  await document.save();
  editor.close(document);
  assert.equal(readFileSync(uri.path, "utf8"), "ONE\né\n");
  await changes.reject(uri);
  assert.equal(readFileSync(uri.path, "utf8"), "one\né\n");
  changes.dispose();
});

// A file that is written keeps its mode, and a read-only one is not written.
import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const isWindows = process.platform === "win32";

function openFile(mode: number) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  const { path } = uriOf("a.sh");
  writeFileSync(path, "former\n");
  chmodSync(path, mode);
  return { path, changes: openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`) };
}

test("an edited and rewound file keeps bits that the umask would take", { skip: isWindows }, async () => {
  const umask = process.umask(0o022);
  try {
    const { path, changes } = openFile(0o775);
    const made = await changes.writer.write("a.sh", "agent\n", never);
    assert.equal(statSync(path).mode & 0o777, 0o775);
    await changes.rewind([made], async () => assert.fail("asked"));
    assert.equal(readFileSync(path, "utf8"), "former\n");
    assert.equal(statSync(path).mode & 0o777, 0o775);
    changes.dispose();
  } finally {
    process.umask(umask);
  }
});

test("a read-only file is refused with nothing changed", async () => {
  const { path, changes } = openFile(0o444);
  await assert.rejects(changes.writer.write("a.sh", "agent\n", never), {
    message: "a.sh could not be written: the file is not writable. Nothing of it was changed.",
  });
  assert.equal(readFileSync(path, "utf8"), "former\n");
  assert.deepEqual([readdirSync(editor.root), changes.files], [["a.sh"], []]);
  changes.dispose();
});

test("a deleted and a moved file come back with their mode, by a rejection, a rewind and its undo", async () => {
  const deletions = [
    async ({ changes }: ReturnType<typeof openFile>) => [await changes.writer.remove("a.sh", never)],
    ({ changes }: ReturnType<typeof openFile>) => changes.writer.move("a.sh", "b.sh", never),
  ];
  for (const change of deletions) {
    const opened = openFile(0o750);
    const { path, changes } = opened;
    await change(opened);
    for (const { uri } of changes.files) await changes.reject(uri);
    assert.equal(statSync(path).mode & 0o777, 0o750);
    const edited = await changes.writer.write("a.sh", "agent\n", never);
    const gone = await change(opened);
    await changes.rewind([edited, ...gone], async () => assert.fail("asked"));
    assert.equal(statSync(path).mode & 0o777, 0o750);
    changes.dispose();
  }
  const { path, changes } = openFile(0o644);
  const made = await changes.writer.write("new/b.sh", "agent\n", never);
  const { path: created } = uriOf("new/b.sh");
  chmodSync(created, 0o755);
  const rewound = await changes.rewind([made], async () => assert.fail("asked"));
  assert.equal(statSync(created, { throwIfNoEntry: false }), undefined);
  await changes.rewind(rewound?.changes ?? [], async () => assert.fail("asked"));
  assert.equal(statSync(created).mode & 0o777, 0o755);
  assert.equal(statSync(path).mode & 0o777, 0o644);
  changes.dispose();
});

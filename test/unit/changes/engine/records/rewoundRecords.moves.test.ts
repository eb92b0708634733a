// A rewind moves files back as the agent has moved them: with their editors, and without telling other extensions.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { FileChange } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { events } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const refuseToAsk = async () => assert.fail("asked");

/** A file that another extension keeps up to date: it names the place of the moved one. */
function openFiles() {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  writeFileSync(uriOf("a.txt").path, "former\n");
  writeFileSync(uriOf("import.txt").path, "import a.txt\n");
  const other = events.renamed.event((event) => {
    const { files } = event as { files: readonly { oldUri: { path: string }; newUri: { path: string } }[] };
    for (const { oldUri, newUri } of files) {
      const document = editor.open(uriOf("import.txt"));
      const name = (path: string) => path.slice(editor.root.length + 1);
      document.put(document.getText().replace(name(oldUri.path), name(newUri.path)));
    }
  });
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const made: FileChange[] = [];
  const imported = () => editor.find(uriOf("import.txt"))?.getText();
  const text = (name: string) => readFileSync(uriOf(name).path, "utf8");
  const move = async (from: string, to: string) => made.push(...(await changes.writer.move(from, to, never)));
  const write = async (name: string, content: string) =>
    made.push(await changes.writer.write(name, content, never));
  const dispose = () => {
    other.dispose();
    changes.dispose();
  };
  return { changes, made, imported, text, move, write, dispose };
}

test("no other extension is told of a move, nor of its way back, so that none asks or changes anything", async () => {
  const { changes, made, imported, text, move, write, dispose } = openFiles();
  await write("a.txt", "agent\n");
  await move("a.txt", "b.txt");
  await write("b.txt", "more\n");
  await move("b.txt", "c.txt");
  assert.equal(imported(), undefined);
  const done = await changes.rewind(made, refuseToAsk);
  assert.deepEqual([done?.failure, done?.kept], [undefined, []]);
  assert.deepEqual([text("a.txt"), imported()], ["former\n", undefined]);
  assert.ok(!existsSync(uriOf("c.txt").path));
  const undone = await changes.rewind(done?.changes ?? [], refuseToAsk);
  assert.deepEqual([undone?.failure, undone?.kept], [undefined, []]);
  assert.deepEqual([text("c.txt"), imported()], ["more\n", undefined]);
  assert.equal(text("import.txt"), "import a.txt\n");
  assert.ok(!existsSync(uriOf("a.txt").path));
  dispose();
});

test("an extension that changed the moved file is asked about, never overwritten", async () => {
  for (const answer of ["keep", "overwrite"] as const) {
    const { changes, made, text, move, dispose } = openFiles();
    await move("a.txt", "b.txt");
    writeFileSync(uriOf("b.txt").path, "package b;\nformer\n");
    const asked: string[] = [];
    const done = await changes.rewind(made, async (paths) => {
      asked.push(...paths);
      return answer;
    });
    assert.deepEqual([asked, done?.failure], [["b.txt"], undefined]);
    assert.equal(text("a.txt"), "former\n");
    if (answer === "keep") assert.equal(text("b.txt"), "package b;\nformer\n");
    else assert.ok(!existsSync(uriOf("b.txt").path));
    dispose();
  }
});

test("a move that is rewound leaves hunks and moves of before pending", async () => {
  const { changes, made, text, move, write, dispose } = openFiles();
  await write("a.txt", "agent\n");
  await move("a.txt", "b.txt");
  await move("b.txt", "c.txt");
  await changes.rewind(made.slice(3), refuseToAsk);
  const [file] = changes.files;
  assert.deepEqual(
    [file?.path, file?.kind, file?.movedFrom, file?.hunks.length],
    ["b.txt", "moved", "a.txt", 1],
  );
  await changes.rewind(made.slice(1, 3), refuseToAsk);
  assert.deepEqual(
    changes.files.map(({ path, kind, movedFrom, hunks }) => [path, kind, movedFrom, hunks.length]),
    [["a.txt", "changed", undefined, 1]],
  );
  for (const { uri } of changes.files) await changes.reject(uri);
  assert.equal(text("a.txt"), "former\n");
  dispose();
});

test("an open editor follows its file back, and the mode stays", {
  skip: process.platform === "win32",
}, async () => {
  const { changes, made, move, dispose } = openFiles();
  chmodSync(uriOf("a.txt").path, 0o750);
  editor.open(uriOf("a.txt"));
  await move("a.txt", "b.txt");
  assert.ok(editor.find(uriOf("b.txt")));
  await changes.rewind(made, refuseToAsk);
  assert.ok(editor.find(uriOf("a.txt")));
  assert.equal(statSync(uriOf("a.txt").path).mode & 0o777, 0o750);
  dispose();
});

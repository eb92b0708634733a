// A process that is killed while it changes files leaves a record of each change that it has made, and no other trace.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { EditorChangesDeps } from "../../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../../src/changes/engine/pendingChanges.ts";
import { listedCases } from "../../../runner/cases.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../editorModel.ts";
import { disk } from "../modelDisk.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;
const killable = await loadWithEditor<{
  readonly createEditorChanges: (deps: EditorChangesDeps) => PendingChanges;
}>("src/changes/engine/editorChanges.ts", true);

type Files = Readonly<Record<string, string>>;

const before: Files = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "b\n".repeat(30),
  "c.txt": "c\n",
  "d/d.txt": "d\nd\n",
  "open.txt": "one\r\ntwo\r\n",
};

function filesIn(root: string): Files {
  const names = readdirSync(root, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root, name), "latin1")]));
}

/** Each kind of change, and each kind after another one. */
async function changeAll({ writer }: PendingChanges): Promise<void> {
  const edit = (path: string, oldText: string, newText: string) =>
    writer.edit(path, [{ oldText, newText }], never);
  const write = (path: string, text: string) => writer.write(path, text, never);
  await edit("a.txt", "one", "ONE");
  await edit("a.txt", "two\n", "TWO\n2\n");
  await Promise.all([write("b.txt", "other\n"), edit("c.txt", "c", "C"), write("e/new.txt", "new\n")]);
  await edit("open.txt", "two", "TWO");
  await write("e/new.txt", "new\nmore\n");
  await writer.move("a.txt", "moved.txt", never);
  await edit("moved.txt", "three", "THREE");
  await writer.remove("c.txt", never);
  await write("c.txt", "again\n");
  await writer.remove("d/d.txt", never);
  await writer.move("b.txt", "d/d.txt", never);
  await writer.remove("moved.txt", never);
  await writer.remove("e/new.txt", never);
}

/** Makes the changes in a new folder until the given access to the disk. Returns false if they need fewer. */
async function changeUntil(
  access: number,
): Promise<{ readonly isKilled: boolean; readonly storage: string }> {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  editor.start(root);
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(dirname(uriOf(name).path), { recursive: true });
    writeFileSync(uriOf(name).path, text);
  }
  editor.open(uriOf("open.txt"));
  const killed = Promise.withResolvers<true>();
  let left = access;
  const isAlive = () => {
    left -= 1;
    if (left < 0) killed.resolve(true);
    return left >= 0;
  };
  const changes = disk.process.run(isAlive, () =>
    killable.createEditorChanges({
      blobs: `${storage}/blobs`,
      stateFile: `${storage}/changes.jsonl`,
      report() {},
    }),
  );
  const made = disk.process.run(isAlive, () => changeAll(changes).then(() => false));
  const isKilled = await Promise.race([killed.promise, made]);
  do await new Promise((resolve) => setImmediate(resolve));
  while (disk.accesses > 0);
  // Its timers end with it; what it would write now is not written.
  try {
    disk.process.run(isKilled ? () => false : isAlive, () => changes.dispose());
  } catch (error) {
    assert.equal((error as Error).message, "killed");
  }
  editor.start(root);
  return { isKilled, storage };
}

test("killed before any access to the disk, the next window has a record of each change, and takes all back", async () => {
  let last = 0;
  for (let access = 0; ; access++) {
    const { isKilled, storage } = await changeUntil(access);
    const files = filesIn(editor.root);
    const left = Object.keys(files).filter((name) => name.endsWith(".tmp"));
    for (const name of left) rmSync(join(editor.root, name));
    const noted = left.length === 0 ? [] : Object.values(filesIn(join(storage, "temporary")));
    for (const name of left)
      assert.ok(noted.join("").includes(JSON.stringify(dirname(join(editor.root, name)))), name);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    await changes.accept(uriOf("none")); // waits until the records are read
    const where = `killed before access ${access}`;
    const listed = changes.files.map(({ path }) => path);
    for (const name of new Set([...Object.keys(before), ...Object.keys(files)])) {
      const isSame = files[name] === before[name] || name.endsWith(".tmp");
      const isListed = listed.includes(name) || changes.files.some(({ movedFrom }) => movedFrom === name);
      assert.ok(isSame || isListed, `${where}: ${name} has changed without a record`);
    }
    for (const { path, movedFrom } of changes.files)
      assert.ok(
        files[path] !== before[path] || movedFrom !== undefined,
        `${where}: ${path} has a record without a change`,
      );
    await changes.rejectTogether(changes.files.map(({ uri }) => uri).toReversed());
    assert.deepEqual(filesIn(editor.root), before, where);
    changes.dispose();
    if (!isKilled) break;
    last = access;
  }
  assert.ok(last > 100, `${last} accesses`);
});

test("kill -9 in replies of 32 calls: each changed file is pending and can be rejected, and no temporary file stays", async () => {
  const kills = Array.from({ length: 20 }, (_, index) => 3 + index * 5);
  for (const calls of listedCases(kills, 3)) {
    const [storage, root] = [temporaryFolder(), temporaryFolder()];
    const script = join(import.meta.dirname, "../killedWriter.ts");
    for (let index = 0; index < 32; index += 3) writeFileSync(join(root, `1-${index}.txt`), "before\n");
    mkdirSync(join(root, "a"));
    const former = filesIn(root);
    const child = spawn(process.execPath, ["--no-warnings", script, root, storage], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    let made = 0;
    for await (const some of child.stdout) {
      made += String(some).length;
      if (made >= calls && child.kill("SIGKILL")) break;
    }
    await ended;
    editor.start(root);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    await changes.accept(uriOf("none"));
    const files = filesIn(root);
    const listed = new Set(changes.files.map(({ path }) => path));
    const changed = Object.keys(files).filter(
      (name) => files[name] !== former[name] && !name.endsWith(".tmp"),
    );
    assert.deepEqual(
      changed.filter((name) => !listed.has(name)),
      [],
      "changed without a record",
    );
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assert.deepEqual(filesIn(root), former);
    changes.dispose();
  }
});

// What programs change becomes pending, and is rewound and rejected byte for byte.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { events } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const before: Readonly<Record<string, string>> = {
  ".gitignore": "ignored/\n",
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "\ufeffone\r\ntwo\r\n",
  "d/c.txt": "c\n",
  "d/binary.bin": "\0\u0001",
  ".env": "KEY=secret\n",
  "ignored/x.txt": "x\n",
};

let storage = "";
let changes: PendingChanges;
let made: FileChange[] = [];

function seen(): Readonly<Record<string, string>> {
  const names = readdirSync(editor.root, { recursive: true }).map(String).sort();
  const files = names.filter((name) => statSync(join(editor.root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(editor.root, name), "latin1")]));
}
const sh = (command: string) => execFileSync("/bin/sh", ["-c", command], { cwd: editor.root });

beforeEach(() => {
  storage = temporaryFolder();
  editor.start(temporaryFolder());
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(dirname(uriOf(name).path), { recursive: true });
    writeFileSync(uriOf(name).path, text);
  }
  made = [];
  changes = open();
});
afterEach(() => changes.dispose());

function open(): PendingChanges {
  return openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
}

async function run(command: string) {
  const program = await changes.programs.begin(never, (some) => made.push(...some));
  sh(command);
  return program.end();
}

const listed = () => changes.files.map(({ path, kind, added, removed }) => [path, kind, added, removed]);
const rewindAll = () =>
  changes.rewind(made, async (paths) => assert.fail(`asks about ${paths.join(", ")}`), "chat");

test("what a command changes, makes and deletes is pending, and a rewind restores every byte", async () => {
  const first = seen();
  const result = await run(
    "sed -i s/two/TWO/ a.txt b.txt; rm d/c.txt; printf 'new\\n' > d/new.txt; printf '\\0x' > d/binary.bin",
  );
  assert.deepEqual(
    result.files.map(({ path, kind, added, removed }) => [path, kind, added, removed]),
    [
      ["d/new.txt", "created", 1, 0],
      ...result.files
        .slice(1, 4)
        .map(({ path }) => [path, "changed", ...(path.endsWith("bin") ? [undefined, undefined] : [1, 1])]),
      ["d/c.txt", "deleted", 0, 1],
    ],
  );
  assert.deepEqual(result.kept, []);
  assert.deepEqual(listed().sort(), [
    ["a.txt", "changed", 1, 1],
    ["b.txt", "changed", 1, 1],
    ["d/c.txt", "deleted", 0, 0],
    ["d/new.txt", "created", 1, 0],
  ]);
  await rewindAll();
  assert.deepEqual(seen(), first);
  assert.deepEqual(listed(), []);
});

test("each pending change of a command can be rejected alone", async () => {
  const first = seen();
  await run("sed -i s/two/TWO/ a.txt b.txt; rm d/c.txt; mv d/binary.bin e.bin; mkdir e; echo e > e/e.txt");
  await changes.reject(uriOf("a.txt"));
  assert.equal(seen()["a.txt"], first["a.txt"]);
  assert.notEqual(seen()["b.txt"], first["b.txt"]);
  for (const { uri } of [...changes.files]) await changes.reject(uri);
  await rewindAll();
  assert.deepEqual(seen(), first);
});

test("ignored files are no changes, files of secrets are named and never stored", async () => {
  const result = await run("echo KEY=other > .env; echo y > ignored/x.txt; echo z > ignored/z.txt");
  assert.deepEqual(result.files, [{ path: ".env", kind: "changed" }]);
  assert.deepEqual(result.kept, [
    { path: ".env", reason: ".env can't be restored, because it looks like a file of keys or passwords." },
  ]);
  assert.deepEqual(made, []);
  const stored = readdirSync(storage, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const { parentPath, name } of stored)
    assert.ok(!readFileSync(join(parentPath, name), "latin1").includes("secret"), name);
});

test("a change of a mode is restored, and so is one with times that a program has set back", async () => {
  const first = statSync(uriOf("a.txt").path);
  await run(
    "chmod 700 a.txt; sed -i s/two/TWO/ d/c.txt; printf 'C\\n' > d/c.txt; touch -d 2001-01-01 d/c.txt",
  );
  assert.equal(seen()["d/c.txt"], "C\n");
  await rewindAll();
  assert.equal(statSync(uriOf("a.txt").path).mode, first.mode);
  assert.equal(seen()["d/c.txt"], "c\n");
});

test("files of a folder that a command moves behind a link, or replaces by a file, have their bytes after a rewind", async () => {
  const first = seen();
  for (const command of [
    "mv d e && ln -s e d",
    "mv d e && ln -s e d && rm e/c.txt",
    "rm -r d && echo x > d",
    "rm a.txt && mkdir a.txt && echo x > a.txt/in.txt",
  ]) {
    await run(command);
    await rewindAll();
    made = [];
    for (const name of ["a.txt", "b.txt", "d/c.txt", "d/binary.bin"])
      assert.equal(readFileSync(uriOf(name).path, "latin1"), first[name], `${name} after ${command}`);
    assert.ok(lstatSync(uriOf("d").path).isDirectory());
    sh("rm -rf e");
  }
});

test("edits of the agent and commands after each other are rewound together, and edits keep their hunks", async () => {
  const first = seen();
  made.push(await changes.writer.edit("a.txt", [{ oldText: "one", newText: "ONE" }], never));
  await run("sed -i s/three/THREE/ a.txt");
  made.push(await changes.writer.edit("a.txt", [{ oldText: "THREE", newText: "3" }], never));
  await run("sed -i s/two/TWO/ a.txt; rm d/c.txt");
  made.push(await changes.writer.write("d/c.txt", "again\n", never));
  assert.equal(seen()["a.txt"], "ONE\nTWO\n3\n");
  await changes.reject(uriOf("a.txt"));
  assert.equal(seen()["a.txt"], first["a.txt"]);
  await changes.reject(uriOf("d/c.txt"));
  assert.deepEqual(seen(), first);
});

test("an edit while a command runs counts once, and what the user saves is the user's", async () => {
  const first = seen();
  const program = await changes.programs.begin(never, (some) => made.push(...some));
  sh("sed -i s/one/ONE/ a.txt");
  made.push(await changes.writer.edit("a.txt", [{ oldText: "two", newText: "TWO" }], never));
  const document = editor.open(uriOf("b.txt"));
  document.type(0, 0, "typed ");
  await document.save();
  sh("sed -i s/three/THREE/ a.txt");
  const { files } = await program.end();
  assert.deepEqual(
    made.map(({ uri }) => uri.replace(/.*\//, "")),
    ["a.txt", "a.txt", "a.txt"],
  );
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt", "a.txt"],
  );
  const typed = seen()["b.txt"];
  await rewindAll();
  assert.deepEqual(seen(), { ...first, "b.txt": typed });
});

test("an editor that reads what a command has written does not make it the user's", async () => {
  const first = seen();
  made.push(await changes.writer.edit("a.txt", [{ oldText: "one", newText: "ONE" }], never));
  editor.open(uriOf("a.txt"));
  const program = await changes.programs.begin(never, (some) => made.push(...some));
  sh("sed -i s/two/TWO/ a.txt");
  editor.settle();
  await program.end();
  assert.equal(changes.files[0]?.removed, 2);
  await changes.reject(uriOf("a.txt"));
  assert.equal(seen()["a.txt"], first["a.txt"]);
});

test("the next window records what a command has changed whose window was killed", async () => {
  const first = seen();
  await changes.programs.begin(never, () => {});
  sh("sed -i s/two/TWO/ a.txt; rm d/c.txt; echo new > new.txt");
  changes.dispose();
  changes = open();
  await changes.accept(uriOf("none")); // waits until the records are read
  assert.deepEqual(changes.files.map(({ path }) => path).sort(), ["a.txt", "d/c.txt", "new.txt"]);
  await changes.rejectTogether(changes.files.map(({ uri }) => uri));
  assert.deepEqual(seen(), first);
});

test("after a look ahead, only what the system tells to have changed is looked at, and nothing is missed", async () => {
  const first = seen();
  mkdirSync(uriOf("empty").path);
  mkdirSync(uriOf("ignored/in").path);
  const commands = [
    "sed -i s/two/TWO/ a.txt; echo x > empty/x.txt; echo y > ignored/in/y.txt; chmod 700 d/c.txt",
    "mkdir -p new/deep; echo z > new/deep/z.txt; echo 2 >> new/deep/z.txt",
    "echo 3 >> new/deep/z.txt; rm -r d; printf 'ignored/\\nempty/\\n' > .gitignore; echo n > empty/n.txt",
    "mv new other; echo 'c' > ignored/x.txt",
  ];
  for (const command of commands) {
    changes.programs.warm();
    writeFileSync(uriOf("b.txt").path, `of the user before ${command}`);
    const { files } = await run(command);
    assert.ok(
      files.every(({ path }) => !path.startsWith("ignored/")),
      command,
    );
    assert.ok(!files.some(({ path, added }) => path === "b.txt" && added !== 0), command);
  }
  const users = seen()["b.txt"] ?? "";
  await rewindAll();
  assert.deepEqual(
    { ...seen(), "b.txt": "" },
    { ...first, "b.txt": "", "ignored/in/y.txt": "y\n", "ignored/x.txt": "c\n", "empty/n.txt": "n\n" },
  );
  assert.equal(seen()["b.txt"], users);
});

/** Runs work as some time after the files were made: nothing can set back when a file was changed last. */
async function later<Value>(work: () => Promise<Value>): Promise<Value> {
  const { now } = Date;
  const clock = mock.method(Date, "now", () => now() + 60_000);
  return work().finally(() => clock.mock.restore());
}

test("old files of a folder that a command moves are at their first places only after a rewind, and after a kill", async () => {
  const first = seen();
  const program = await later(() => changes.programs.begin(never, (some) => made.push(...some)));
  sh("mv d m");
  const { files } = await program.end();
  assert.deepEqual(files.map(({ path, kind }) => `${kind} ${path}`).sort(), [
    "created m/binary.bin",
    "created m/c.txt",
    "deleted d/binary.bin",
    "deleted d/c.txt",
  ]);
  await rewindAll();
  assert.deepEqual(seen(), first);
  await later(() => changes.programs.begin(never, () => {}));
  sh("mv d n; mkdir d; mv n/binary.bin d");
  const killed = changes;
  changes = open();
  await changes.accept(uriOf("none")); // waits until the records are read
  await changes.rejectTogether(changes.files.map(({ uri }) => uri).toReversed());
  assert.deepEqual(seen(), first);
  killed.dispose();
});

test("old files of a folder that the user moves while a command runs stay the user's, and so do those that were ignored", async () => {
  const program = await later(() => changes.programs.begin(never, (some) => made.push(...some)));
  sh("mv d m");
  events.renamed.fire({ files: [{ oldUri: uriOf("d"), newUri: uriOf("m") }] });
  sh("echo nothing > .gitignore");
  const { files } = await program.end();
  assert.deepEqual(
    files.map(({ path }) => path),
    [".gitignore"],
  );
  const moved = seen();
  await rewindAll();
  assert.deepEqual(seen(), { ...moved, ".gitignore": before[".gitignore"] });
});

test("read-only files that a command changes, or makes read-only, are rewound and rejected, open or not", async () => {
  const first = seen();
  chmodSync(uriOf("a.txt").path, 0o444);
  const modes = () => ["a.txt", "b.txt", "d/c.txt"].map((name) => statSync(uriOf(name).path).mode & 0o777);
  const modesBefore = modes();
  for (const isOpen of [false, true]) {
    if (isOpen) for (const name of ["a.txt", "b.txt"]) editor.open(uriOf(name));
    for (const isRejected of [false, true]) {
      made = [];
      await run("sed -i s/two/TWO/ a.txt b.txt; chmod 400 b.txt; echo more >> d/c.txt; chmod 444 d/c.txt");
      editor.settle();
      if (isRejected) await changes.rejectTogether(changes.files.map(({ uri }) => uri));
      else await rewindAll();
      editor.settle();
      assert.deepEqual([seen(), modes()], [first, modesBefore], `open ${isOpen}, rejected ${isRejected}`);
      assert.deepEqual(listed(), []);
    }
  }
});

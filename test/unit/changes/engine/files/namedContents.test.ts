// Contents that the records of any window name are not swept, whatever another window over the same storage does.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NamedContents } from "../../../../../src/changes/engine/files/namedContents.ts";
import type { LastRewind } from "../../../../../src/changes/engine/pendingChanges.ts";
import type { ChangeRecords } from "../../../../../src/changes/engine/records/changeRecord.ts";
import { hasEnded } from "../../../../../src/platform/files/durable/writerName.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

function openStorage() {
  const storage = temporaryFolder();
  const windows = join(storage, "windows");
  mkdirSync(windows); // to watch it from the start
  editor.start(temporaryFolder());
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(uriOf(name).path, `former ${name}\n`);
  const stateFile = join(storage, "changes.jsonl");
  const open = async () => {
    const changes = openChanges(join(storage, "blobs"), stateFile);
    // Waits until the records are read and the contents are swept.
    await changes.accept(uriOf("none"));
    return changes;
  };
  const deleted = join(storage, "deleted");
  const contentOf = (name: string) =>
    readdirSync(deleted).find((one) => readFileSync(join(deleted, one), "utf8") === `former ${name}\n`) ??
    assert.fail(name);
  const age = () => {
    const old = new Date(Date.now() - 9 * 86_400_000);
    for (const name of readdirSync(deleted)) utimesSync(join(deleted, name), old, old);
    return readdirSync(deleted).length;
  };
  const lists = () => readdirSync(windows).filter((name) => !name.endsWith(".tmp"));
  /** Waits until the lists are these, in any order. */
  const untilListed = async (...wanted: readonly (readonly string[])[]) => {
    const expected = wanted.map((names) => [...new Set(names)].sort().join("\n"));
    const listed = () => lists().map((name) => readFileSync(join(windows, name), "utf8"));
    const watcher = watch(windows);
    const signal = AbortSignal.timeout(120_000);
    try {
      while (listed().sort().join() !== expected.sort().join()) await once(watcher, "change", { signal });
    } finally {
      watcher.close();
    }
  };
  return { storage, stateFile, open, age, lists, contentOf, untilListed };
}

/** The contents that the undo of a rewind needs. */
function namesOf(rewind: LastRewind | undefined): readonly string[] {
  const made = rewind?.changes ?? assert.fail("nothing was rewound");
  return made.flatMap(({ before, savedBefore }) =>
    [before, savedBefore].filter((name) => typeof name === "string"),
  );
}

test("a record whose line another window has dropped keeps its content", async () => {
  const { stateFile, open, age, lists, contentOf, untilListed } = openStorage();
  const first = await open();
  await first.writer.remove("a.txt", never);
  // The second window has a record of its own, and loses the line of the first one.
  const second = await open();
  await second.writer.remove("b.txt", never);
  await second.accept(uriOf("a.txt"));
  assert.doesNotMatch(readFileSync(stateFile, "utf8").trimEnd().split("\n").at(-1) ?? "", /original/);
  await untilListed([contentOf("a.txt")], [contentOf("b.txt")]);
  assert.equal(lists().length, 2);
  assert.equal(age(), 2);
  second.dispose();
  const third = await open();
  await first.reject(uriOf("a.txt"));
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "former a.txt\n");
  await third.reject(uriOf("b.txt"));
  assert.equal(readFileSync(uriOf("b.txt").path, "utf8"), "former b.txt\n");
  first.dispose();
  third.dispose();
  assert.deepEqual(lists(), []);
});

test("the last rewind of each window can be undone, although the log has room for one", async () => {
  const { open, age, untilListed } = openStorage();
  const [first, second] = [await open(), await open()];
  const undone: string[] = [];
  for (const [changes, name] of [
    [first, "a.txt"],
    [second, "b.txt"],
  ] as const) {
    const made = await changes.writer.write(name, "agent\n", never);
    writeFileSync(uriOf(name).path, "by hand\n");
    await changes.rewind([made], async () => "overwrite", name);
    undone.push(changes.lastRewind?.of ?? "");
  }
  assert.deepEqual(undone, ["a.txt", "b.txt"]);
  await untilListed(...[first, second].map(({ lastRewind }) => namesOf(lastRewind)));
  age();
  const third = await open();
  await first.rewind(first.lastRewind?.changes ?? [], async () => assert.fail("asked"), "a.txt");
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "by hand\n");
  for (const one of [first, second, third]) one.dispose();
});

test("records of another version of the extension, and cut lines, keep their contents", async () => {
  const { stateFile, open, age, storage } = openStorage();
  const first = await open();
  for (const name of ["a.txt", "b.txt", "c.txt"]) await first.writer.remove(name, never);
  first.dispose();
  const lines = readFileSync(stateFile, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const of = (name: string) => lines.find((line) => line.includes(name)) ?? assert.fail(name);
  writeFileSync(
    stateFile,
    `${of("a.txt").replace("[2,", "[3,")}\n${of("c.txt")}\n${of("b.txt").slice(0, -2)}`,
  );
  age();
  const second = await open();
  assert.deepEqual(
    second.files.map(({ path }) => path),
    ["c.txt"],
  );
  assert.equal(readdirSync(join(storage, "deleted")).length, 3);
  second.dispose();
});

test("what a window that has ended named alone is swept, and its list is gone", async () => {
  const { storage, open, age, lists, contentOf, untilListed } = openStorage();
  const first = await open();
  await first.writer.remove("a.txt", never);
  await first.writer.remove("b.txt", never);
  await first.accept(uriOf("b.txt"));
  await untilListed([contentOf("a.txt")]);
  const [own = ""] = lists();
  const [machine, , rest] = own.split(".");
  const ended = `${machine}.${(2 ** 22 + 5).toString(36)}.${rest}`;
  assert.ok(hasEnded(ended));
  const names = readdirSync(join(storage, "deleted"));
  writeFileSync(join(storage, "windows", ended), names.join("\n"));
  age();
  const second = await open();
  assert.deepEqual(
    lists().filter((name) => name === ended),
    [],
  );
  assert.equal(readdirSync(join(storage, "deleted")).length, 1);
  // The list of a machine that can't be asked counts.
  writeFileSync(join(storage, "windows", `other.1.${rest}`), names.join("\n"));
  await first.accept(uriOf("a.txt"));
  await first.writer.remove("c.txt", never);
  age();
  const third = await open();
  assert.equal(readdirSync(join(storage, "deleted")).length, 2);
  for (const one of [first, second, third]) one.dispose();
});

test("a list that can't be written is reported once, until it was written again", async (t) => {
  const storage = temporaryFolder();
  const windows = join(storage, "windows");
  const reported: unknown[] = [];
  let contents = 0;
  const named = new NamedContents({
    apart: join(storage, "deleted"),
    blobs: join(storage, "blobs"),
    stateFile: join(storage, "changes.jsonl"),
    records: {
      files: [{ uri: uriOf("a.txt") }],
      get: () => ({ kind: "deleted", original: `${String(contents).padStart(64, "0")}.txt` }),
      onDidChange: () => ({ dispose() {} }),
    } as unknown as ChangeRecords,
    report: (error) => reported.push(error),
  });
  t.after(() => named.dispose());
  const write = async () => {
    contents += 1;
    await named.sweep();
    return reported.length;
  };
  writeFileSync(windows, "a file where the folder of the lists belongs");
  assert.deepEqual([await write(), await write()], [1, 1]);
  rmSync(windows);
  assert.equal(await write(), 1);
  assert.equal(readdirSync(windows).length, 1);
  rmSync(windows, { recursive: true });
  writeFileSync(windows, "");
  assert.equal(await write(), 2);
  rmSync(windows);
});

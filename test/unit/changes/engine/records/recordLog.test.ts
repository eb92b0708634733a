import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { RecordLog } from "../../../../../src/changes/engine/records/recordLog.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

function openLog(path: string, values: Map<string, unknown>) {
  return new RecordLog({
    path,
    read: (key) => values.get(key),
    report: (error) => assert.fail(String(error)),
  });
}

/** Writes the values of these keys, as at the end of a process. */
async function write(path: string, values: Map<string, unknown>, ...keys: readonly string[]): Promise<void> {
  const log = openLog(path, values);
  await log.read();
  for (const key of keys) log.changed(key);
  log.dispose();
}

const inFile = async (path: string) => Object.fromEntries(await openLog(path, new Map()).read());

test("reads back the last value of each key, whatever the keys", async () => {
  const path = join(temporaryFolder(), "state", "changes.jsonl");
  const values = new Map<string, unknown>([
    ["__proto__", { text: "one" }],
    ["constructor", { text: "two" }],
  ]);
  await write(path, values, ...values.keys());
  assert.deepEqual(await openLog(path, values).read(), [...values]);
  values.set("constructor", { text: "2" }).delete("__proto__");
  await write(path, values, "constructor", "__proto__");
  assert.deepEqual(await inFile(path), { constructor: { text: "2" } });
});

test("changing one value writes only that value", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  const long = "x".repeat(10_000);
  const values = new Map<string, unknown>(Array.from({ length: 200 }, (_, at) => [`file ${at}`, long]));
  await write(path, values, ...values.keys());
  const { size } = statSync(path);
  values.set("file 7", "short");
  await write(path, values, "file 7");
  assert.ok(statSync(path).size - size < 100);
  assert.equal((await inFile(path))["file 7"], "short");
});

test("the file is at most three times as long as its live records, or 1 MB", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  const values = new Map<string, unknown>();
  for (let round = 0; round < 300; round++) {
    values.set("one", `${round} ${"x".repeat(50_000)}`);
    await write(path, values, "one");
    assert.ok(statSync(path).size < 1024 * 1024 + 60_000);
  }
  assert.match(String((await inFile(path)).one), /^299 /);
  values.delete("one");
  await write(path, values, "one");
  assert.equal(readFileSync(path, "utf8").trim(), "");
});

test("skips lines that are cut off, damaged or of another version", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  const values = new Map<string, unknown>([["one", 1]]);
  await write(path, values, "one");
  appendFileSync(path, '[1,"old",1]\n{}\nnull\n[2,"torn",{"a":"');
  values.set("two", 2);
  await write(path, values, "two");
  assert.deepEqual(await inFile(path), { one: 1, two: 2 });
  writeFileSync(path, "\0\0\0");
  assert.deepEqual(await inFile(path), {});
});

test("a line in which a byte has changed is not believed: the value before it counts", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  await write(path, new Map([["one", "before"]]), "one");
  await write(path, new Map([["one", "after"]]), "one");
  assert.deepEqual(await inFile(path), { one: "after" });
  writeFileSync(path, readFileSync(path, "utf8").replace("after", "aftet"));
  assert.deepEqual(await inFile(path), { one: "before" });
});

test("lines of the version before checksums are read, and stay when another window writes the file anew", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  writeFileSync(path, '[2,"old",{"a":1}]\n[2,"gone",1]\n[2,"gone",null]\n');
  assert.deepEqual(await inFile(path), { old: { a: 1 } });
  await write(path, new Map([["new", 1]]), "new");
  assert.deepEqual(await inFile(path), { old: { a: 1 }, new: 1 });
});

test("a value that must not be lost is in the file at once, others some time later", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const path = join(temporaryFolder(), "state", "changes.jsonl");
  const log = openLog(path, new Map(Object.entries({ one: 1, two: 2 })));
  log.changed("two");
  assert.ok(!existsSync(path));
  log.write("one");
  assert.deepEqual(await inFile(path), { one: 1 });
  t.mock.timers.tick(1_000);
  assert.deepEqual(await inFile(path), { one: 1, two: 2 });
  log.dispose();
});

test("an older value is never written after the last one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const path = join(temporaryFolder(), "changes.jsonl");
  const values = new Map<string, unknown>([["one", "older"]]);
  const log = openLog(path, values);
  log.changed("one");
  t.mock.timers.tick(1_000);
  // A write that is under way would have begun.
  await Promise.resolve();
  values.set("one", "last");
  log.changed("one");
  log.dispose();
  t.mock.timers.reset();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.deepEqual(await inFile(path), { one: "last" });
});

test("what could not be written is told once, and written at the end", async () => {
  const folder = join(temporaryFolder(), "state");
  writeFileSync(folder, "a file");
  const errors: unknown[] = [];
  const path = join(folder, "changes.jsonl");
  const log = new RecordLog({ path, read: (key) => key, report: (error) => void errors.push(error) });
  assert.ok(log.write("one"));
  assert.ok(log.write("two"));
  assert.equal(errors.length, 1);
  rmSync(folder);
  log.dispose();
  assert.deepEqual(await inFile(path), { one: "one", two: "two" });
});

test("writing the file anew keeps what another window has written", async () => {
  const path = join(temporaryFolder(), "changes.jsonl");
  const mine = new Map<string, unknown>([["gone", 1]]);
  await write(path, mine, "gone");
  const log = openLog(path, mine);
  await log.read();
  const other = new Map<string, unknown>([["theirs", "kept"]]);
  await write(path, other, "theirs");
  mine.delete("gone");
  log.write("gone");
  const fill = () => {
    for (let round = 0; round < 40; round++) {
      mine.set("one", `${round} ${"x".repeat(50_000)}`);
      log.write("one");
    }
    assert.ok(statSync(path).size < 1.1 * 1024 * 1024, "it was written anew");
  };
  fill();
  fill();
  assert.deepEqual(Object.keys(await inFile(path)).sort(), ["one", "theirs"]);
  other.set("theirs", "changed").set("new", "kept");
  await write(path, other, "theirs", "new");
  fill();
  fill();
  assert.equal((await inFile(path)).theirs, "changed");
  mine.set("new", "mine");
  log.write("new");
  fill();
  fill();
  const { one, ...rest } = await inFile(path);
  assert.deepEqual([rest, String(one).slice(0, 3)], [{ theirs: "changed", new: "mine" }, "39 "]);
  log.dispose();
});

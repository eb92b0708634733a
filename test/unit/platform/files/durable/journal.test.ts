// The journal of the ledger: no line is lost by a crash, a full disk or a changed byte without a word.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { createJournal, type JournalOptions } from "../../../../../src/platform/files/durable/journal.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const line = (id: number | string) => JSON.stringify({ t: "spent", id, usd: "0.01", folder: "Überall" });
const idsOf = (lines: readonly string[]) => lines.map((text) => (JSON.parse(text) as { id: unknown }).id);

function open(path: string, options: JournalOptions = {}) {
  const said: string[] = [];
  const journal = createJournal(path, {
    onDamaged: (lines) => said.push(`damaged ${lines}`),
    onKept(error, written) {
      said.push(`kept ${(error as { code?: string }).code}`);
      void written.then(() => said.push("written"));
    },
    ...options,
  });
  return { ...{ said }, journal };
}

/** A disk with room for so many bytes; what fits of a text is written. */
function smallDisk(room: { bytes: number }) {
  return async (path: string, text: string) => {
    const bytes = Buffer.from(text);
    const fits = bytes.subarray(0, Math.max(0, room.bytes));
    room.bytes -= fits.length;
    await appendFile(path, fits);
    if (fits.length < bytes.length) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
  };
}

test("lines of two windows are read by both, old ones without a checksum too", async () => {
  const path = join(temporaryFolder(), "a.jsonl");
  writeFileSync(path, `${line("old")}\n`);
  const [one, two] = [open(path), open(path)];
  await one.journal.append([line(1), line(2)]);
  await two.journal.append([line(3)]);
  for (const { journal } of [one, two]) assert.deepEqual(idsOf(await journal.read()), ["old", 1, 2, 3]);
  await one.journal.keep([line(4)]);
  assert.deepEqual(await two.journal.read(), [line(4)]);
  assert.deepEqual([...one.said, ...two.said], []);
  // Older versions read JSON and ignore members that they don't know.
  const texts = readFileSync(path, "utf8").split("\n").filter(Boolean);
  assert.deepEqual(idsOf(texts), ["old", 1, 2, 3, 4]);
});

test("a process that is killed at any byte loses only the line that it was writing, and says so", async () => {
  const path = join(temporaryFolder(), "a.jsonl");
  await open(path).journal.append([line(1)]);
  await open(path).journal.append([line(2), line(3)]);
  const whole = readFileSync(path);
  for (let size = 0; size <= whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const { journal, said } = open(path);
    const before = idsOf(await journal.read());
    await journal.append([line("next")]);
    const found = [...before, ...idsOf(await journal.read())];
    const complete = [1, 2, 3].filter((id) => whole.subarray(0, size).includes(`"id":${id},`));
    const lost = complete.filter((id) => !found.includes(id));
    assert.equal(found.at(-1), "next", `${size}`);
    assert.ok(lost.length <= 1, `${size}`);
    assert.deepEqual(
      found,
      [1, 2, 3, "next"].filter((id) => found.includes(id)),
    );
    if (lost.length > 0) assert.deepEqual(said, ["damaged 1"], `${size}`);
  }
});

test("a changed byte changes no line: the line is left out, and that is said", async () => {
  const path = join(temporaryFolder(), "a.jsonl");
  const lines = [line(1), line(2), line(3)];
  await open(path).journal.append(lines);
  const whole = readFileSync(path);
  for (let offset = 0; offset < whole.length; offset++)
    for (const mask of [1, 2, 16, 128]) {
      const bytes = Buffer.from(whole);
      bytes[offset] = (whole[offset] ?? 0) ^ mask;
      writeFileSync(path, bytes);
      const { journal, said } = open(path);
      const first = await journal.read();
      await open(path).journal.append([line("next")]);
      const read = [...first, ...(await journal.read())];
      const expected = [...lines, line("next")];
      // A byte of the checksum's name makes the line one without a checksum, which still is what was written.
      const known = read.filter((text) => !/"id":\d/.test(text) || lines.includes(text));
      assert.ok(known.every((text) => expected.includes(text)));
      assert.equal(read.at(-1), line("next"), `${offset}`);
      const lost = expected.filter((text) => !read.includes(text)).length;
      if (lost > 0) assert.ok(said.length > 0 || read.length === expected.length, `${offset} ${mask}`);
    }
});

test("on a full disk lines are kept, counted at once, and written when there is room; it is said once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const path = join(temporaryFolder(), "a.jsonl");
  const room = { bytes: 50 };
  const { journal, said } = open(path, { appendText: smallDisk(room) });
  await journal.keep([line(1)]);
  await journal.keep([line(2)]);
  assert.deepEqual(idsOf(await journal.read()), [1, 2]);
  await assert.rejects(journal.append([line("hold")]), { code: "ENOSPC" });
  await journal.keep([line(3)]);
  assert.deepEqual(idsOf(await journal.read()), [3]);
  assert.deepEqual(said, ["kept ENOSPC"]);
  room.bytes = 1e6;
  t.mock.timers.tick(2_000);
  assert.deepEqual(await journal.read(), [], "they are counted once");
  assert.deepEqual(said, ["kept ENOSPC", "written"]);
  const other = open(path);
  assert.deepEqual(idsOf(await other.journal.read()), [1, 2, 3]);
  assert.deepEqual(other.said, [], "the beginning of a line that was written again is no loss");
  room.bytes = 0;
  await journal.keep([line(4)]);
  room.bytes = 1e6;
  await journal.append([line(5)]);
  assert.deepEqual(idsOf(await other.journal.read()), [4, 5], "the next line takes the kept ones along");
  assert.deepEqual(said, ["kept ENOSPC", "written", "kept ENOSPC", "written"]);
});

test("whatever a disk has room for, and when: nothing that is kept is lost or counted twice", async () => {
  const step = fc.record({
    kind: fc.constantFrom("keep", "append", "read"),
    room: fc.integer({ min: 0, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const path = join(temporaryFolder(), "a.jsonl");
      const room = { bytes: 0 };
      const { journal } = open(path, { appendText: smallDisk(room) });
      const kept: number[] = [];
      const refused: number[] = [];
      const read: unknown[] = [];
      for (const [id, { kind, room: bytes }] of steps.entries()) {
        room.bytes = bytes;
        if (kind === "read") read.push(...idsOf(await journal.read()));
        else if (kind === "keep") {
          await journal.keep([line(id)]);
          kept.push(id);
        } else
          await journal.append([line(id)]).then(
            () => kept.push(id),
            () => refused.push(id),
          );
      }
      room.bytes = 1e6;
      await journal.append([line("last")]);
      read.push(...idsOf(await journal.read()));
      const mine = read.filter((id) => !refused.includes(Number(id)));
      assert.deepEqual(new Set(mine), new Set([...kept, "last"]));
      assert.equal(new Set(mine).size, mine.length, "once");
      const others = new Set(idsOf(await open(path).journal.read()));
      for (const id of kept) assert.ok(others.has(id));
    }),
    { numRuns: randomCases(100) },
  );
});

test("a replaced or shortened file is read from its beginning, and kept lines are not added to it", async () => {
  const path = join(temporaryFolder(), "a.jsonl");
  const room = { bytes: 1e6 };
  const { journal } = open(path, { appendText: smallDisk(room) });
  await journal.append([line(1), line(2)]);
  await journal.read();
  room.bytes = 0;
  await journal.keep([line(3)]);
  await journal.replace([line("all")]);
  room.bytes = 1e6;
  await journal.append([line(4)]);
  assert.deepEqual(idsOf(await open(path).journal.read()), ["all", 4]);
  appendFileSync(path, "{}\n");
  assert.deepEqual((await open(path).journal.read()).length, 3);
});

test("a line that fitted on a full disk beside one that did not is not written again", async () => {
  const path = join(temporaryFolder(), "a.jsonl");
  const room = { bytes: 20 };
  const { journal } = open(path, { appendText: smallDisk(room) });
  await journal.keep([line(1)]);
  room.bytes = 100;
  await journal.keep([line(2)]);
  room.bytes = 1_000;
  await journal.keep([line(3)]);
  assert.deepEqual(idsOf(await createJournal(path).read()), [1, 2, 3]);
});

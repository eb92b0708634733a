// The log of requests: all windows, bounds of days and bytes, deletion, and a disk that can't be written.
import assert from "node:assert/strict";
import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { RequestLog, type RequestLogOptions } from "../../../../../src/requests/host/log/requestLog.ts";
import { pruneSegments } from "../../../../../src/requests/host/log/segments.ts";
import { dayMs } from "../../../../../src/shared/time/days.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { attemptOf, calledOf, headFor } from "../calledOf.ts";

const nowMs = Date.now();

function logIn(folder: string, options: Partial<RequestLogOptions> = {}): RequestLog {
  return new RequestLog(folder, {
    now: () => nowMs,
    keepDays: () => 7,
    onUnwritable: (error) => assert.fail(String(error)),
    ...options,
  });
}

async function add(log: RequestLog, id: string, queuedMs = nowMs, bytes = 10): Promise<void> {
  const body = { type: "text/plain", bytes, text: "x".repeat(bytes), isChanged: false };
  await log.add(
    headFor({ id, queuedMs }),
    calledOf({ id, queuedMs, attempts: [attemptOf({ response: body })] }),
  );
}

async function filesIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
}

test("the calls of all windows are listed, the newest first, and opened with all that was recorded", async () => {
  const folder = temporaryFolder();
  const [first, second] = [logIn(folder), logIn(folder)];
  await add(first, "a", nowMs - 3);
  await add(second, "b", nowMs - 2);
  await first.read();
  await add(second, "c", nowMs - 1);
  assert.deepEqual(
    (await first.read()).map(({ id }) => id),
    ["c", "b", "a"],
  );
  assert.deepEqual((await first.content("c"))?.attempts[0]?.response?.text, "xxxxxxxxxx");
  assert.equal(await first.content("unknown"), undefined);
});

test("calls of another connection are in a folder of their own, whatever the id", async () => {
  const folder = temporaryFolder();
  await logIn(folder).add(headFor({ connectionId: "../../x/y" }), calledOf());
  assert.deepEqual(await readdir(folder), ["______x_y"]);
});

test("the log stays below its limit of bytes, and loses the oldest calls first", async () => {
  const folder = temporaryFolder();
  let clock = nowMs;
  const maxBytes = 100_000;
  const log = logIn(folder, { maxBytes, now: () => ++clock });
  for (let call = 0; call < 200; call++) await add(log, `call-${call}`, clock, 2_000);
  await log.prune();
  const sizes = await Promise.all((await filesIn(folder)).map(async (path) => (await stat(path)).size));
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= maxBytes);
  const ids = (await log.read()).map(({ id }) => id);
  assert.equal(ids[0], "call-199");
  assert.ok(ids.length > 20 && ids.length < 60 && !ids.includes("call-0"), String(ids.length));
});

test("what is older than the setting says is not listed, and its files are deleted", async () => {
  const folder = temporaryFolder();
  const log = logIn(folder);
  await add(log, "old", nowMs - 8 * dayMs);
  await add(log, "new");
  assert.deepEqual(
    (await log.read()).map(({ id }) => id),
    ["new"],
  );
  const old = (nowMs - 8 * dayMs) / 1000;
  for (const path of await filesIn(folder)) await utimes(path, old, old);
  await pruneSegments(folder, nowMs, { keepDays: 7, maxBytes: 1e9 });
  assert.deepEqual(await filesIn(folder), []);
});

test("with 0 days nothing is recorded, and what is there is deleted", async () => {
  const folder = temporaryFolder();
  let keepDays = 7;
  const log = logIn(folder, { keepDays: () => keepDays });
  await add(log, "a");
  keepDays = 0;
  await log.prune();
  await add(log, "b");
  assert.deepEqual(await filesIn(folder), []);
  assert.deepEqual(await log.read(), []);
});

test("deleting all deletes the calls of all windows, and the next call is recorded again", async () => {
  const folder = temporaryFolder();
  const [mine, other] = [logIn(folder), logIn(folder)];
  await add(mine, "a");
  await add(other, "b");
  await mine.read();
  await mine.clear();
  assert.deepEqual(await filesIn(folder), []);
  await add(other, "c");
  await add(mine, "d");
  assert.deepEqual((await mine.read()).map(({ id }) => id).sort(), ["c", "d"]);
});

test("a disk that can't be written is told once, no call fails, and later calls are recorded", async () => {
  const folder = join(temporaryFolder(), "log");
  await writeFile(folder, "a file where the folder should be");
  const told: unknown[] = [];
  const log = logIn(folder, { onUnwritable: (error) => told.push(error) });
  await add(log, "a");
  await add(log, "b");
  assert.equal(told.length, 1);
  await log.clear();
  await add(log, "c");
  assert.deepEqual(
    (await log.read()).map(({ id }) => id),
    ["c"],
  );
});

test("a line that is damaged, or of a later version, hides no other call", async () => {
  const folder = temporaryFolder();
  const log = logIn(folder);
  await add(log, "a");
  const [heads = ""] = (await filesIn(folder)).filter((path) => path.endsWith(".heads.jsonl"));
  await writeFile(heads, '\n{"id":1}\n{"id":"cut', { flag: "a" });
  await add(log, "b", nowMs - 1);
  assert.deepEqual(
    (await logIn(folder).read()).map(({ id }) => id),
    ["a", "b"],
  );
});

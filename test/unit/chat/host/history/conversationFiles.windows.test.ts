import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { conversationFiles } from "../../../../../src/chat/host/history/conversationFiles.ts";
import { compactLog } from "../../../../../src/chat/host/history/log/compactLog.ts";
import { parseLog } from "../../../../../src/chat/host/history/log/parseLog.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { answer, append, createLog, openLog, question } from "./logFolder.ts";

function stream(t: TestContext, folder: string, name: string, count: number): ChildProcess {
  const script = join(import.meta.dirname, "streamer.ts");
  const child = spawn(process.execPath, [script, folder, "c", name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

const words = (name: string, count: number) =>
  Array.from({ length: count }, (_, piece) => `${name}${piece} `).join("");

/** Milliseconds of text that a killed process may lose. */
const boundMs = 200;

test("a killed process loses at most the last 200 ms of its text", async (t) => {
  const folder = temporaryFolder();
  const child = stream(t, folder, "a", 1_000_000);
  const said: (readonly [ms: number, length: number])[] = [];
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) {
    const [ms = 0, length = 0] = line.split(" ").map(Number);
    said.push([ms, length]);
    if (said.length === 700) child.kill("SIGKILL");
  }
  const lastMs = said.at(-1)?.[0] ?? 0;
  const [, mustBeThere = 0] = said.findLast(([ms]) => ms <= lastMs - boundMs) ?? [];
  assert.ok(mustBeThere > 0);
  const { state } = parseLog(readFileSync(conversationFiles(folder, "c").log), "c");
  const text = String(state.nodes.get("a")?.text);
  assert.ok(text.length >= mustBeThere, `${text.length} characters are there, ${mustBeThere} should be`);
  assert.equal(text, words("a", 700_000).slice(0, text.length));
});

test("what another window writes while this one opens the conversation is not missed", async (t) => {
  const folder = temporaryFolder();
  const other = createLog(t, folder);
  other.append([question("q", null, "first"), answer("a", "q", "One ")]);
  other.flush();
  const { readFile } = files;
  t.after(() => {
    files.readFile = readFile;
    syncBuiltinESMExports();
  });
  // No watcher tells of it: the file is read, but the log is not yet the open one.
  files.readFile = (async (path: string) => {
    const bytes = await readFile(path);
    other.append([append("a", 4, "two")]);
    other.flush();
    return bytes;
  }) as typeof readFile;
  syncBuiltinESMExports();
  const { log } = await openLog(t, folder, "c", () => assert.fail("nobody shows this conversation yet"));
  assert.equal(log.state.nodes.get("a")?.text, "One two");
});

test("concurrent windows keep all that each of them writes to one conversation, and see it", async (t) => {
  const folder = temporaryFolder();
  let news = 0;
  createLog(t, folder).append([question("q", null, "first")]);
  const mine = createLog(t, folder, "other");
  mine.append([question("x", null, "not in this one")]);
  const { log } = await openLogOnceThere(t, folder, () => {
    news += 1;
  });
  const children = ["a", "b"].map((name) => stream(t, folder, name, 300));
  let length = 0;
  log.append([answer("here", null)]);
  const running = Promise.all(children.map((child) => once(child, "exit")));
  for await (const _ of createInterface({ input: children[0]?.stdout ?? process.stdin })) {
    log.append([append("here", length, "word ")]);
    length += 5;
  }
  await running;
  log.readForeign();
  assert.ok(news > 0);
  assert.equal(log.state.nodes.get("a")?.text, words("a", 300));
  assert.equal(log.state.nodes.get("b")?.text, words("b", 300));
  log.flush();
  const { state, bad } = parseLog(readFileSync(conversationFiles(folder, "c").log), "c");
  assert.equal(bad.length, 0);
  assert.equal(state.nodes.get("here")?.text, "word ".repeat(length / 5));
  assert.deepEqual([...state.nodes.keys()].sort(), ["a", "b", "here", "q"]);
});

test("compacting a log while other windows write to it loses nothing", async (t) => {
  const folder = temporaryFolder();
  const { log: path } = conversationFiles(folder, "c");
  const first = createLog(t, folder);
  first.append([answer("old", null)]);
  // A log full of old messages.
  for (let i = 0; i < 400; i++) {
    first.append([{ e: "patch", id: "old", patch: { text: "x".repeat(2000) } }]);
  }
  first.flush();
  const child = stream(t, folder, "a", 400);
  let rewritten = 0;
  let length = 0;
  first.append([answer("here", null)]);
  for await (const _ of createInterface({ input: child.stdout ?? process.stdin })) {
    first.append([append("here", length, "word ")]);
    length += 5;
    if (length % 100 === 0) {
      first.append(
        Array.from({ length: 200 }, () => ({
          e: "patch" as const,
          id: "old",
          patch: { text: "y".repeat(2000) },
        })),
      );
      first.flush();
      if (compactLog(path, "c")) rewritten += 1;
    }
  }
  first.readForeign();
  assert.ok(rewritten > 5, `rewritten ${rewritten} times`);
  for (const { state } of [first, parseLog(readFileSync(path), "c")]) {
    assert.equal(state.nodes.get("a")?.text, words("a", 400));
    assert.equal(state.nodes.get("here")?.text, "word ".repeat(length / 5));
  }
  first.flush();
  const { mtimeMs } = statSync(path);
  compactLog(path, "c");
  assert.ok(statSync(path).size < 1_000_000);
  assert.ok(Math.abs(statSync(path).mtimeMs - mtimeMs) < 2, "the time is that of the last line");
  assert.deepEqual(readdirSync(folder), ["c.jsonl"]);
});

test("a conversation that another window deleted is restored when it is written to", async (t) => {
  const folder = temporaryFolder();
  const { log: path } = conversationFiles(folder, "c");
  const log = createLog(t, folder);
  log.append([question("q", null, "still wanted")]);
  log.flush();
  rmSync(path);
  log.append([question("r", "q", "and more")]);
  log.flush();
  const { state } = parseLog(readFileSync(path), "c");
  assert.deepEqual([...state.nodes.keys()], ["q", "r"]);
});

async function openLogOnceThere(t: TestContext, folder: string, onForeign: () => void) {
  const first = createLog(t, folder);
  first.append([question("q", null, "first")]);
  first.close();
  return openLog(t, folder, "c", onForeign);
}

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { conversationFiles } from "../../../../../src/chat/host/history/conversationFiles.ts";
import { dateFolders } from "../../../../../src/chat/host/history/historyController.ts";
import { createLibrary, type Library } from "../../../../../src/chat/host/history/library.ts";
import { toTitle } from "../../../../../src/chat/host/history/summary.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { answer, createLog, openLog, question } from "./logFolder.ts";

interface TestLibrary extends Library {
  /** Resolves once the predicate is true. */
  until(isSo: () => boolean): Promise<void>;
}

function openLibrary(t: TestContext, folder: string): TestLibrary {
  const waiting = new Set<() => void>();
  const library = createLibrary({
    directory: folder,
    onChange: () => {
      for (const look of waiting) look();
    },
    report: (error) => {
      throw error;
    },
  });
  t.after(() => library.dispose());
  return Object.assign(library, {
    until: (isSo: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isSo()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  });
}

/** `afterMs`: a log is created now, and none of its messages is older. */
function write(t: TestContext, folder: string, id: string, asked: string, answered: string, afterMs = 1_000) {
  const log = createLog(t, folder, id);
  const atMs = Date.now() + afterMs;
  log.append([
    { ...question("q", null, asked), t: atMs } as never,
    { e: "node", t: atMs, node: { ...answerNode("a", "q", answered), model: "m1" } },
  ]);
  log.close();
}

function answerNode(id: string, parentId: string, text: string) {
  const entry = answer(id, parentId, text);
  if (entry.e !== "node") throw new Error("no node");
  return entry.node;
}

const titles = (library: Library) => library.list().map(({ title }) => title);

test("conversations are listed newest first, with the title of their first question", async (t) => {
  const folder = temporaryFolder();
  write(t, folder, "one", "# How do I *sort*?\nMore.", "Like this.", 1_000);
  write(t, folder, "two", "And how do I search?", "Like that.", 2_000);
  const library = openLibrary(t, folder);
  await library.complete;
  assert.deepEqual(titles(library), ["And how do I search?", "How do I *sort*?"]);
  const [first] = library.list();
  assert.deepEqual([first?.messageCount, first?.model, first?.pinned], [2, "m1", false]);
  assert.deepEqual(
    library.find("sor").map(({ id }) => id),
    ["one"],
  );
  // A title takes precedence over a text.
  write(t, folder, "three", "Something else", "how to search things", 9_000);
  await library.until(() => library.list().length === 3);
  assert.deepEqual(
    library.find("how search").map(({ id }) => id),
    ["two", "three"],
  );
  const snippet = await library.snippet("three", "search");
  assert.deepEqual(snippet, { text: "how to search things", marks: [[7, 13]] });
});

test("pinning, renaming and deleting apply to all windows and survive them", async (t) => {
  const folder = temporaryFolder();
  write(t, folder, "one", "First", "1", 1_000);
  write(t, folder, "two", "Second", "2", 2_000);
  const library = openLibrary(t, folder);
  await library.complete;
  const { log } = await openLog(t, folder, "one");
  library.pin("one", true);
  library.rename("one", "A better name");
  assert.deepEqual(titles(library), ["A better name", "Second"]);
  log.readForeign();
  assert.equal(log.state.meta.title, "A better name");
  await library.remove("two");
  assert.deepEqual(titles(library), ["A better name"]);
  assert.deepEqual(library.find("second"), []);
  const other = openLibrary(t, folder);
  await other.complete;
  assert.deepEqual(titles(other), ["A better name"]);
  assert.deepEqual(
    other.find("better").map(({ id }) => id),
    ["one"],
  );
  await other.restore("two");
  assert.deepEqual(titles(other), ["A better name", "Second"]);
  await library.until(() => library.list().length === 2);
  library.rename("one", "");
  await library.until(() => titles(library)[0] === "First");
  await assert.rejects(library.remove("no-such"), /no conversation/);
  assert.throws(() => library.pin("no-such", true), /no conversation/);
});

test("facts about logs are cached, and recomputed if lost or damaged", async (t) => {
  const folder = temporaryFolder();
  for (let i = 0; i < 70; i++) write(t, folder, `c${i}`, `Question ${i}`, `answer number${i}`, 1_000 + i);
  const first = openLibrary(t, folder);
  await first.complete;
  first.dispose();
  const cache = join(folder, "cache");
  assert.equal(readdirSync(cache).filter((name) => name.endsWith(".terms")).length, 1);
  const found = (library: Library) => library.find("number42").map(({ id }) => id);
  const second = openLibrary(t, folder);
  await second.listed;
  assert.deepEqual([second.list().length, found(second)], [70, ["c42"]]);
  await second.complete;
  second.dispose();
  for (const name of readdirSync(cache)) writeFileSync(join(cache, name), "{");
  const third = openLibrary(t, folder);
  await third.complete;
  assert.deepEqual([third.list().length, found(third)], [70, ["c42"]]);
  third.dispose();
  rmSync(cache, { recursive: true });
  write(t, folder, "c42", "Asked again", "anew");
  const fourth = openLibrary(t, folder);
  await fourth.complete;
  assert.deepEqual([fourth.list().length, found(fourth)], [70, []]);
});

test("a file that is no conversation is neither listed nor touched", async (t) => {
  const folder = temporaryFolder();
  write(t, folder, "one", "First", "1");
  writeFileSync(join(folder, "odd.jsonl"), "not a log\nat all");
  writeFileSync(join(folder, "notes.txt"), "not ours");
  const library = openLibrary(t, folder);
  await library.complete;
  assert.deepEqual(titles(library), ["First"]);
  assert.ok(existsSync(join(folder, "odd.jsonl")) && existsSync(join(folder, "notes.txt")));
});

test("deleted conversations are purged after 30 days, not before", async (t) => {
  const folder = temporaryFolder();
  const trash = join(folder, "trash");
  mkdirSync(trash);
  for (const [name, days] of [
    ["old", 31],
    ["young", 29],
  ] as const) {
    const path = conversationFiles(folder, name).trashed;
    writeFileSync(path, "");
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(path, at, at);
  }
  await openLibrary(t, folder).complete;
  assert.deepEqual(readdirSync(trash), ["young.jsonl"]);
});

test("titles are short and cut between words", () => {
  assert.equal(toTitle("\n\n> ## Why?\nBecause."), "Why?");
  assert.equal(toTitle(""), "New chat");
  const long = toTitle("word ".repeat(40));
  assert.ok(long.length <= 81 && long.endsWith("word…"));
});

test("headings follow the day of the last message", () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();
  const at = (month: number, day: number, pinned = false) => ({
    pinned,
    updatedAtMs: new Date(2026, month - 1, day, 10).getTime(),
  });
  const list = [
    at(2, 1, true),
    at(11, 21),
    at(11, 21),
    at(11, 20),
    at(11, 16),
    at(11, 1),
    at(9, 9),
    at(9, 1),
    at(1, 1),
  ];
  assert.deepEqual(
    dateFolders(list, now).map(({ title, count }) => `${title} ${count}`),
    [
      "Pinned 1",
      "Today 2",
      "Yesterday 1",
      "Last 7 Days 1",
      "Last 30 Days 1",
      "September 2026 2",
      "January 2026 1",
    ],
  );
});

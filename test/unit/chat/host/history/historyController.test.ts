import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { conversationFiles } from "../../../../../src/chat/host/history/conversationFiles.ts";
import {
  createHistoryController,
  type HistoryControllerDeps,
} from "../../../../../src/chat/host/history/historyController.ts";
import type { LogState } from "../../../../../src/chat/host/history/log/logState.ts";
import type { HistoryNews } from "../../../../../src/chat/protocol/chatHistory.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { answer, createLog, question } from "./logFolder.ts";

function openController(t: TestContext, directory: string, deps: Partial<HistoryControllerDeps> = {}) {
  const none = async () => {};
  const controller = createHistoryController({
    directory,
    current: () => undefined,
    open: none,
    newChat: none,
    exportChat: none,
    importChat: none,
    report: (error) => {
      throw error;
    },
    ...deps,
  });
  t.after(() => controller.dispose());
  return controller;
}

/** A view that stores its messages, and can wait for the next ones. */
function listen() {
  const reported: HistoryNews[] = [];
  let wake = () => {};
  return {
    told: reported,
    post(news: HistoryNews) {
      reported.push(news);
      wake();
    },
    async next(say: HistoryNews["say"]) {
      while (!reported.some((news) => news.say === say))
        await new Promise<void>((resolve) => (wake = resolve));
      return reported.splice(0).find((news) => news.say === say);
    },
  };
}

function write(t: TestContext, folder: string, id: string, asked: string) {
  const log = createLog(t, folder, id);
  log.append([question("q", null, asked), answer("a", "q", `About ${asked}`)]);
  log.close();
}

const page = { ask: "page", query: "", from: 0, count: 10 } as const;

test("a page has its total and headings, and is refreshed after a change", async (t) => {
  const folder = temporaryFolder();
  for (const id of ["a", "b", "c"]) write(t, folder, id, `Question ${id}`);
  const controller = openController(t, folder);
  const view = listen();
  const ask = async () => {
    await controller.answer({ ...page, from: 1, count: 1 }, view.post);
    const news = await view.next("page");
    assert.ok(news?.say === "page");
    return news;
  };
  let news = await ask();
  // Each read file is a change; the last change is the end of reading.
  while (!news.isComplete) {
    await view.next("changed");
    news = await ask();
  }
  assert.deepEqual([news.from, news.rows.length, news.total], [1, 1, 3]);
  assert.deepEqual(
    news.folders.map(({ count }) => count),
    [3],
  );
  await controller.answer({ ask: "pin", id: "c", pinned: true }, view.post);
  await view.next("changed");
  await controller.answer(page, view.post);
  const again = await view.next("page");
  assert.ok(again?.say === "page");
  assert.deepEqual([again.rows[0]?.id, again.folders[0]?.title], ["c", "Pinned"]);
});

test("a match has its position", async (t) => {
  const folder = temporaryFolder();
  write(t, folder, "a", "whales");
  write(t, folder, "b", "boats");
  const controller = openController(t, folder);
  const view = listen();
  // The files are read in the background, and found afterwards.
  const find = async () => {
    await controller.answer({ ...page, query: "about whal" }, view.post);
    const news = await view.next("page");
    assert.ok(news?.say === "page");
    return news;
  };
  let news = await find();
  while (news.rows.length === 0) {
    await setImmediate();
    news = await find();
  }
  assert.deepEqual(
    news.rows.map(({ id, snippet, titleMarks }) => [id, snippet, titleMarks]),
    [
      [
        "a",
        {
          text: "About whales",
          marks: [
            [0, 5],
            [6, 10],
          ],
        },
        [[0, 4]],
      ],
    ],
  );
  assert.deepEqual(news.folders, []);
});

test("the open conversation is listed in its current state, and closed before it is deleted", async (t) => {
  const folder = temporaryFolder();
  const log = createLog(t, folder, "open");
  log.append([question("q", null, "not on the disk yet")]);
  let state: LogState | undefined = log.state;
  const controller = openController(t, folder, {
    current: () => state,
    newChat: async () => {
      log.close();
      state = undefined;
    },
  });
  const view = listen();
  await controller.answer(page, view.post);
  const news = await view.next("page");
  assert.ok(news?.say === "page");
  assert.deepEqual(
    news.rows.map(({ title, isOpen }) => [title, isOpen]),
    [["not on the disk yet", true]],
  );
  await controller.answer({ ask: "remove", id: "open" }, view.post);
  const { log: path, trashed } = conversationFiles(folder, "open");
  assert.deepEqual([existsSync(path), existsSync(trashed)], [false, true]);
});

test("the list is revealed in an existing view, or as soon as one exists", (t) => {
  const controller = openController(t, temporaryFolder());
  const one = listen();
  const other = listen();
  controller.show();
  controller.enter(one.post);
  controller.enter(other.post);
  assert.deepEqual([one.told, other.told], [[{ say: "show" }], []]);
  controller.leave(one.post);
  controller.show();
  assert.deepEqual([one.told.length, other.told], [1, [{ say: "show" }]]);
});

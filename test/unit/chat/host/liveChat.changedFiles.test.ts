// The list of changed files while a task changes many: what is sent to the views is counted, not timed.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChangedFile } from "../../../../src/changes/engine/pendingChanges.ts";
import { createLiveChat } from "../../../../src/chat/host/liveChat.ts";
import { silent } from "../answerMessage.ts";
import { loadedChanges, openControls } from "./agent/openControls.ts";

/** Changes `count` files, one after the other. Returns the rows that were sent, and the chat. */
async function changeFiles(t: TestContext, count: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const files: ChangedFile[] = [];
  let change = () => {};
  const changes = loadedChanges({
    files,
    onDidChange(listener) {
      change = listener;
      return { dispose() {} };
    },
  });
  const chat = createLiveChat(silent);
  let rows = 0;
  const set = chat.set.bind(chat);
  chat.set = (patch) => {
    rows += patch.changedFiles?.length ?? 0;
    set(patch);
  };
  const controls = openControls({ chat, changes });
  await nextTurn();
  for (let at = 0; at < count; at++) {
    const uri = { toString: () => `file:///w/${at}.ts` } as ChangedFile["uri"];
    files.push({ uri, path: `${at}.ts`, kind: "created", added: 1, removed: 0, hunks: [] });
    change();
  }
  t.mock.timers.tick(1_000);
  controls.dispose();
  t.mock.timers.reset();
  return { rows, chat };
}

for (const count of [50, 100, 200])
  test(`${count} files that change together are sent as one list`, async (t) => {
    const { rows, chat } = await changeFiles(t, count);
    assert.equal(rows, count);
    assert.deepEqual([chat.state.changedFiles.length, chat.state.changedFileCount], [count, count]);
  });

test("a longer list is cut, and counted in full", async (t) => {
  const { rows, chat } = await changeFiles(t, 300);
  assert.equal(rows, 200);
  assert.deepEqual([chat.state.changedFiles.length, chat.state.changedFileCount], [200, 300]);
});

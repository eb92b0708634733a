// The list of changed files while a task changes many: what is sent to the views is counted, not timed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChangedFile } from "../../../../../src/changes/engine/changedFile.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import { silent } from "../../answerMessage.ts";
import { loadedChanges, openControls } from "../agent/openControls.ts";

/** Changes `count` files, one after the other. Returns the rows that were sent, and the chat. */
async function changeFiles(count: number) {
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
  const sent = Promise.withResolvers<void>();
  let rows = 0;
  const set = chat.set.bind(chat);
  chat.set = (patch) => {
    const length = patch.changedFiles?.length ?? 0;
    rows += length;
    set(patch);
    if (length > 0) sent.resolve();
  };
  const controls = openControls({ chat, changes });
  await nextTurn();
  for (let at = 0; at < count; at++) {
    const uri = { toString: () => `file:///w/${at}.ts` } as ChangedFile["uri"];
    files.push({ uri, path: `${at}.ts`, kind: "created", added: 1, removed: 0, hunks: [] });
    change();
  }
  await sent.promise;
  await nextTurn(); // for a second list
  controls.dispose();
  return { rows, chat };
}

for (const count of [50, 100, 200])
  test(`${count} files that change together are sent as one list`, async () => {
    const { rows, chat } = await changeFiles(count);
    assert.equal(rows, count);
    assert.deepEqual([chat.state.changedFiles.length, chat.state.changedFileCount], [count, count]);
  });

test("a longer list is cut, and counted in full", async () => {
  const { rows, chat } = await changeFiles(300);
  assert.equal(rows, 200);
  assert.deepEqual([chat.state.changedFiles.length, chat.state.changedFileCount], [200, 300]);
});

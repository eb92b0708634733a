// A rewind can still be undone in the chat after the window was loaded anew, and only in the chat that it was of.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createLazyChanges } from "../../../../../src/changes/engine/lazyChanges.ts";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import { emptyLogState } from "../../../../../src/chat/host/history/log/logState.ts";
import { openControls } from "../../../chat/host/agent/openControls.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const { signal } = new AbortController();

/** A folder whose windows share what the editor remembers of it. */
function openFolder() {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  const remembered = new Map<string, unknown>();
  const state = {
    get: (key: string, fallback?: unknown) => remembered.get(key) ?? fallback,
    update: async (key: string, value: unknown) => void remembered.set(key, value),
  } as Parameters<typeof createLazyChanges>[0];
  return {
    file: (name: string) => join(root, name),
    /** A window with this chat. It loads the changes if some were pending, as the review does. */
    async open(conversationId: string) {
      editor.start(root);
      const changes = createLazyChanges(state, async () =>
        openChanges(`${root}.state/blobs`, `${root}.state/changes.jsonl`),
      );
      const shown = Promise.withResolvers<void>();
      const chat = createLiveChat({
        record: () => {},
        onChange: () => {
          if (chat.state.undoableRewind) shown.resolve();
        },
        onBusy: () => {},
        interrupted: () => undefined,
        isOrphaned: () => false,
      });
      chat.open(emptyLogState(conversationId, 0));
      const askAboutOthers = async (paths: readonly string[]) => assert.fail(`asked about ${paths}`);
      const controls = openControls({ chat, changes, askAboutOthers });
      const { wasPending } = changes;
      const pending: PendingChanges | undefined = wasPending ? await changes.load() : undefined;
      return {
        chat,
        controls,
        changes,
        wasPending,
        pending,
        /** Resolves once the button is shown. */
        shown: shown.promise,
        close() {
          controls.dispose();
          changes.dispose();
        },
      };
    },
  };
}

test("the button is there after a reload, undoes the rewind byte for byte, and then redoes it", async () => {
  const folder = openFolder();
  writeFileSync(folder.file("kept.txt"), "\ufeffone\r\ntwo\r\n");
  const before = await folder.open("mine");
  assert.equal(before.wasPending, false);
  const { writer, rewind } = await bound(before.changes.load());
  const made = [
    await writer.edit("kept.txt", [{ oldText: "two", newText: "TWO" }], signal),
    await writer.write("new.txt", "new\n", signal),
  ];
  await rewind(made, async () => undefined, "mine");
  assert.deepEqual(
    [readFileSync(folder.file("kept.txt"), "utf8"), existsSync(folder.file("new.txt"))],
    ["\ufeffone\r\ntwo\r\n", false],
  );
  await before.shown;
  before.close();

  const after = await folder.open("mine");
  assert.equal(after.wasPending, true, "the changes are loaded without a new task");
  await after.shown;
  await after.controls.undoRewind();
  assert.equal(after.chat.state.notice?.text, "The rewind was undone: 2 files were restored.");
  assert.equal(readFileSync(folder.file("kept.txt"), "utf8"), "\ufeffone\r\nTWO\r\n");
  assert.equal(readFileSync(folder.file("new.txt"), "utf8"), "new\n");
  after.close();

  const again = await folder.open("mine");
  await again.shown;
  assert.equal(again.chat.state.undoableRewind, "undo");
  await again.controls.undoRewind();
  assert.equal(again.chat.state.notice?.text, "2 files were rewound.");
  assert.equal(again.chat.state.undoableRewind, "rewind");
  assert.equal(existsSync(folder.file("new.txt")), false, "the undo can be undone, after a reload, too");
  again.close();
});

test("another chat has no such button, and can't undo the rewind", async () => {
  const folder = openFolder();
  const before = await folder.open("mine");
  const { writer, rewind } = await bound(before.changes.load());
  await rewind([await writer.write("new.txt", "new\n", signal)], async () => undefined, "mine");
  before.close();

  const other = await folder.open("other");
  // Waits until the records are read.
  await other.pending?.accept({ toString: () => "file:///none", path: "/none" } as never);
  await other.controls.undoRewind();
  assert.deepEqual([other.chat.state.undoableRewind, existsSync(folder.file("new.txt"))], [null, false]);
  other.chat.open(emptyLogState("mine", 0));
  other.controls.update();
  await other.shown;
  other.close();
});

async function bound(loading: Promise<PendingChanges>) {
  const changes = await loading;
  return { writer: changes.writer, rewind: changes.rewind.bind(changes) };
}

// Each access to a file takes a message from the extension to the window, so a rewind makes few of them.
for (const what of ["new", "changed"] as const)
  test(`the rewind of a ${what} file accesses it at most six times`, async () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const names = ["a.txt", "b.txt", "c.txt"];
    if (what === "changed") for (const name of names) writeFileSync(uriOf(name).path, "former\n");
    const made: FileChange[] = [];
    for (const name of names) made.push(await changes.writer.write(name, "agent\n", signal));
    let count = 0;
    editor.failure = () => {
      count++;
      return undefined;
    };
    await changes.rewind(made, async () => assert.fail("asked"));
    editor.failure = () => undefined;
    for (const name of names)
      if (what === "new") assert.ok(!existsSync(uriOf(name).path));
      else assert.equal(readFileSync(uriOf(name).path, "utf8"), "former\n");
    assert.ok(count <= 6 * names.length, `${count} accesses to ${names.length} files`);
    changes.dispose();
  });

// Conversations: their logs, the list of all, the trash, contents of attachments.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conversationFiles } from "../../../../src/chat/host/history/conversationFiles.ts";
import { createConversationStore } from "../../../../src/chat/host/history/conversationStore.ts";
import { createLibrary } from "../../../../src/chat/host/history/library.ts";
import { compactIfWasteful } from "../../../../src/chat/host/history/log/compactLog.ts";
import { createBlobStore } from "../../../../src/platform/files/blobStore.ts";
import { answer, append, question } from "../../chat/host/history/logFolder.ts";
import type { Folders, Teller, Workload } from "../workload.ts";

const directoryOf = ({ storage }: Folders) => join(storage, "chats");
const blobsOf = (folders: Folders) => createBlobStore(join(directoryOf(folders), "blobs"));
const pieces = ["The ", "answer ", "in ", "pieces."];
const former = JSON.stringify({
  ...{ v: 1, id: "former", createdAtMs: 1, updatedAtMs: 1, leafId: "q", draft: { text: "", revision: 0 } },
  nodes: [{ id: "q", parentId: null, role: "user", text: "Long ago" }],
});
const long = "x".repeat(120_000);

function openStore(folders: Folders, report: () => void, current: string | undefined = undefined) {
  let id = current;
  return createConversationStore({
    directory: directoryOf(folders),
    workspace: "the workspace",
    current: {
      get: () => id,
      async set(next) {
        id = next;
      },
    },
    onForeign() {},
    report,
  });
}

async function talk(folders: Folders, told: Teller): Promise<void> {
  let isReported = false;
  const store = openStore(folders, () => {
    isReported = true;
    told.said("the chat");
  });
  const flush = (what: string) => {
    isReported = false;
    told.begun(what);
    store.flush();
    if (!isReported) told.kept(what);
  };
  const { id } = store.create().conversation;
  told.kept(`id ${id}`);
  store.append([question("q", null, "Why?"), answer("a", "q")]);
  flush("question");
  let text = "";
  for (const piece of pieces) {
    store.append([append("a", text.length, piece)]);
    text += piece;
    flush(`text ${text}`);
  }
  // Drafts that replace each other make a log that is worth compacting.
  for (let revision = 1; revision <= 4; revision++) {
    store.append([{ e: "draft", draft: { text: `${long}${revision}`, revision } }]);
    flush(`draft ${revision}`);
  }
  compactIfWasteful(conversationFiles(directoryOf(folders), id).log, id);
  await told.space();
  store.append([{ e: "meta", meta: { title: "Named" } }]);
  flush("title Named");
  store.dispose();
}

/** Opens a conversation of version 1, which is written anew as a log. */
async function migrate(folders: Folders, told: Teller): Promise<void> {
  const store = openStore(folders, () => told.said("a former chat"), "former");
  await told.step("former", () => store.open("former"));
  store.dispose();
}

async function keepHouse(folders: Folders, told: Teller): Promise<void> {
  const directory = directoryOf(folders);
  const blobs = blobsOf(folders);
  await told.step("blob of a picture", () => blobs.put("a picture", "png"));
  // Long unused and named by no conversation.
  const old = new Date(Date.now() - 90 * 86_400_000);
  await told.step("old blob", async () => {
    const name = await blobs.put("unused", "txt");
    utimesSync(join(directory, "blobs", name), old, old);
  });
  const store = openStore(folders, () => told.said("another chat"));
  const { id } = store.create().conversation;
  store.append([question("q", null, "Second")]);
  store.dispose();
  const library = createLibrary({ directory, onChange() {}, report: () => told.said("the library") });
  await library.complete.catch(() => {});
  await told.step(`renamed ${id}`, async () => library.rename(id, "Other"));
  await told.step(`removed ${id}`, () => library.remove(id));
  await told.step(`restored ${id}`, () => library.restore(id));
  library.dispose();
}

export const workload: Workload = {
  writers: [
    "src/chat/host/history/log/conversationLog.ts",
    "src/chat/host/history/log/compactLog.ts",
    "src/chat/host/history/conversationFiles.ts",
    "src/chat/host/history/conversationFolder.ts",
    "src/chat/host/history/conversationStore.ts",
    "src/chat/host/history/library.ts",
    "src/chat/host/history/libraryCache.ts",
    "src/chat/host/history/sweepBlobs.ts",
    "src/chat/host/history/watchFolder.ts",
    "src/platform/files/blobStore.ts",
  ],
  prepare(folders) {
    const directory = directoryOf(folders);
    mkdirSync(join(directory, "blobs"), { recursive: true });
    writeFileSync(conversationFiles(directory, "former").old, former);
  },
  async run(folders, told) {
    await migrate(folders, told);
    await keepHouse(folders, told);
    await talk(folders, told);
  },
  async check(folders, told) {
    const idOf = (word: string) =>
      told.kept.flatMap((what) => (what.startsWith(word) ? [what.slice(word.length)] : [])).at(-1);
    const id = idOf("id ");
    const directory = directoryOf(folders);
    if (id !== undefined && told.kept.includes("question")) {
      const store = openStore(folders, () => assert.fail("it can be opened"), id);
      const { conversation, notice } = await store.openLast();
      assert.equal(notice, undefined);
      assert.equal(conversation.id, id);
      assert.equal(conversation.nodes.get("q")?.text, "Why?");
      const whole = pieces.join("");
      const text = String(conversation.nodes.get("a")?.text ?? "");
      assert.ok(whole.startsWith(text), text);
      assert.ok(text.startsWith(idOf("text ") ?? ""), text);
      assert.ok(conversation.draft.revision >= Number(idOf("draft ") ?? 0));
      assert.deepEqual(conversation.meta.workspace, "the workspace");
      if (told.kept.includes("title Named")) assert.equal(conversation.meta.title, "Named");
      store.dispose();
    }
    const old = openStore(folders, () => assert.fail("the former chat can be opened"), "former");
    assert.equal((await old.open("former")).conversation.nodes.get("q")?.text, "Long ago");
    old.dispose();
    if (told.kept.includes("blob of a picture")) {
      const name = readdirSync(join(directory, "blobs")).find((one) => one.endsWith(".png")) ?? "";
      assert.equal(Buffer.from((await blobsOf(folders).read(name)) ?? []).toString(), "a picture");
    }
    const renamed = idOf("renamed ");
    if (renamed !== undefined) {
      const { log, trashed } = conversationFiles(directory, renamed);
      assert.equal(
        Number(existsSync(log)) + Number(existsSync(trashed)),
        1,
        "it is in the list or in the trash",
      );
    }
    if (told.isFull) assert.ok(told.said.filter((what) => what === "the chat").length <= 1, "said once");
  },
};

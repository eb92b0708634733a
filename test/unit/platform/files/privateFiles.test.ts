// Stored files exclude other users: runs each store and checks the mode of every file and folder it creates.
import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { after, before, suite, test } from "node:test";
import { newStringTables, toColumns } from "../../../../src/account/host/usage/days/dayColumns.ts";
import { createDayFiles } from "../../../../src/account/host/usage/days/dayFiles.ts";
import { createConversationStore } from "../../../../src/chat/host/history/conversationStore.ts";
import { createLibrary } from "../../../../src/chat/host/history/library.ts";
import { createLibraryCache } from "../../../../src/chat/host/history/libraryCache.ts";
import { compactLog } from "../../../../src/chat/host/history/log/compactLog.ts";
import { sweepBlobs } from "../../../../src/chat/host/history/sweepBlobs.ts";
import { Thumbs } from "../../../../src/images/host/gallery/thumbs.ts";
import { createLayerStore } from "../../../../src/images/host/studio/layers/layerStore.ts";
import { createBlobStore } from "../../../../src/platform/files/blobStore.ts";
import { createJournal } from "../../../../src/platform/files/durable/journal.ts";
import { createTemporaryFiles } from "../../../../src/platform/files/durable/temporaryFiles.ts";
import { tightenFolder } from "../../../../src/platform/files/privateFiles.ts";
import { HistoryFiles } from "../../../../src/rpc/editor/run/history.ts";
import { createReadingStore, newReadingId } from "../../../../src/speech/host/sound/readingStore.ts";
import { SoundStore } from "../../../../src/speech/host/sound/soundStore.ts";
import { openParseManifest } from "../../../../src/web/parse/parseManifest.ts";
import { withParsed } from "../../../../src/web/parse/tempFiles.ts";
import { writeParsed, writeParsedPrivately } from "../../../../src/web/parse/writeParsed.ts";
import { ResultStore } from "../../../../src/web/results/resultStore.ts";
import { append, question } from "../../chat/host/history/logFolder.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const fail = (error: unknown) => {
  throw error;
};

/** Everything below a folder whose mode lets others in, and the number of checked entries. */
function readableByOthers(folder: string): { readonly loose: readonly string[]; readonly count: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const loose = paths.filter((path) => {
    const found = lstatSync(path);
    return !found.isSymbolicLink() && (found.mode & 0o777) !== (found.isDirectory() ? 0o700 : 0o600);
  });
  return { loose: loose.map((path) => relative(folder, path)), count: paths.length };
}

const chats = {
  async conversations(folder: string) {
    const store = createConversationStore({
      directory: folder,
      current: { get: () => undefined, set: async () => {} },
      onForeign: () => {},
      report: fail,
    });
    const { conversation } = store.create();
    store.append([question("q", null, "?")]);
    store.flush();
    const log = join(folder, `${conversation.id}.jsonl`);
    // An unreadable line is copied to a separate file, and a long log is rewritten.
    writeFileSync(log, `${readFileSync(log, "utf8")}\n{"e":"node","no`);
    await store.open(conversation.id);
    const pieces = Array.from({ length: 3000 }, (_, index) => ({
      e: "draft" as const,
      draft: { text: "x".repeat(200), revision: index },
    }));
    for (const piece of pieces) {
      store.append([piece]);
      store.flush();
    }
    store.append([append("q", 1, "more")]);
    writeFileSync(log, readFileSync(log, "utf8").replace('\n{"e":"node","no', ""));
    store.flush();
    assert.ok(compactLog(log, conversation.id));
    store.dispose();
  },
  async library(folder: string) {
    await chats.conversations(folder);
    const library = createLibrary({ directory: folder, onChange: () => {}, report: fail });
    await library.complete;
    const [first] = library.list();
    assert.ok(first);
    library.rename(first.id, "Another title");
    library.dispose();
    await createLibraryCache(join(folder, "cache")).saveSummaries([]);
    await library.remove(first.id);
  },
  async attachments(folder: string) {
    const blobs = createBlobStore(join(folder, "blobs"));
    const name = await blobs.put("attached", "txt");
    const old = new Date(0);
    utimesSync(join(folder, "blobs", name), old, old);
    await blobs.put("attached too", "txt");
    assert.equal(await sweepBlobs(folder, Date.now()), 1);
  },
};

const results = {
  async found(folder: string) {
    const store = new ResultStore({ folder: join(folder, "results"), now: () => 1 });
    await store.list();
    await store.add({ kind: "page", url: "https://a.test/", title: "A" }, "text");
    const arriving = join(folder, "results", "arriving");
    const parse = async (_: unknown, { onText }: { onText: (piece: Uint8Array) => Promise<void> }) => {
      await onText(Buffer.from("text"));
      return { tokens: 1 };
    };
    const into = {
      folder: arriving,
      client: { api: { augment: { parse } } } as never,
      format: "json" as const,
      signal: new AbortController().signal,
    };
    await withParsed(into, {} as never, async (parsed) => {
      await writeParsedPrivately(parsed, `${parsed.path}.whole`, "a.pdf");
      await writeParsedPrivately({ path: parsed.path }, `${parsed.path}.bare`, "a.pdf");
      await store.add({ kind: "document", name: "a", uri: "file:///a" }, parsed);
    });
    assert.equal((await store.list()).length, 2);
  },
  async "folders that were read"(folder: string) {
    const ledger = await openParseManifest(join(folder, "parsed-folders"), "file:///docs");
    await ledger.add({ path: "a.pdf", changedMs: 1, size: 1 });
  },
  async "runs of cells"(folder: string) {
    const files = new HistoryFiles(join(folder, "rpc"), fail);
    files.write("a.rpc.md", {});
    assert.deepEqual(await files.read("a.rpc.md"), {});
    writeFileSync(join(folder, "rpc", readdirSync(join(folder, "rpc"))[0] ?? ""), "damaged");
    await files.read("a.rpc.md");
  },
  async speech(folder: string) {
    const key = "a".repeat(40);
    const sounds = new SoundStore({ folder: join(folder, "sounds") });
    await sounds.put(key, { format: "mp3", bytes: new Uint8Array(4) });
    assert.ok(await sounds.get(key));
    const readings = createReadingStore(join(folder, "readings"));
    await readings.list();
    const choice = { modelId: "m", voice: "v", format: "mp3", speed: 1 };
    const id = newReadingId(1);
    const empty = { v: 1, id, atMs: 1, title: "", sentences: [], passages: [], choice, index: 0 };
    await readings.put(empty as never);
  },
  async images(folder: string) {
    await new Thumbs(join(folder, "thumbnails")).write("a.png", "1", new Uint8Array(4));
    const layer = { id: crypto.randomUUID(), name: "a.png", isMask: false, data: new Uint8Array(4) };
    await createLayerStore(join(folder, "studio")).save([layer]);
  },
};

const spending = {
  async journal(folder: string) {
    await createJournal(join(folder, "spend", "connection", "2026-11.jsonl")).append(["{}"]);
  },
  async "days of the bill"(folder: string) {
    const words = newStringTables();
    await createDayFiles(join(folder, "usage")).write(toColumns(20_000, [], words), words);
  },
};

suite("stored files are private", () => {
  let umask = 0;
  before(() => {
    // The umask excludes nobody, so only the store's own modes do.
    umask = process.umask(0);
  });
  after(() => process.umask(umask));

  for (const [name, run] of Object.entries({ ...chats, ...results, ...spending }))
    test(name, async () => {
      const folder = join(temporaryFolder(), "kept");
      mkdirSync(folder, { mode: 0o700 });
      await run(folder);
      const { loose, count } = readableByOthers(folder);
      assert.ok(count > 1);
      assert.deepEqual(loose, []);
    });

  test("a text next to the user's document has the usual mode", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "spooled"), "text", { mode: 0o600 });
    const usual = join(folder, "usual");
    writeFileSync(usual, "");
    for (const [name, tokens] of Object.entries({ bare: undefined, told: 7 })) {
      const target = join(folder, name);
      await writeParsed(
        { path: join(folder, "spooled"), ...(tokens === undefined ? {} : { tokens }) },
        target,
        "a.pdf",
        createTemporaryFiles(undefined),
      );
      assert.match(readFileSync(target, "utf8"), /text\n?$/);
      assert.equal(lstatSync(target).mode, lstatSync(usual).mode, name);
    }
  });

  test("files of an older version become private; links and their targets are left alone", async () => {
    const folder = join(temporaryFolder(), "kept");
    const elsewhere = temporaryFolder();
    mkdirSync(join(folder, "chats", "blobs"), { recursive: true });
    for (let index = 0; index < 100; index++) writeFileSync(join(folder, "chats", `${index}.jsonl`), "");
    writeFileSync(join(folder, "chats", "blobs", "a.txt"), "");
    const foreign = join(temporaryFolder(), "theirs");
    writeFileSync(foreign, "");
    chmodSync(elsewhere, 0o755);
    symlinkSync(foreign, join(folder, "link"));
    symlinkSync(elsewhere, join(folder, "chats", "link"));
    assert.equal(readableByOthers(folder).loose.length, 104);
    await tightenFolder(folder, fail);
    assert.deepEqual(readableByOthers(folder).loose, []);
    assert.deepEqual(
      [foreign, elsewhere].map((path) => lstatSync(path).mode & 0o777),
      [0o666, 0o755],
    );
    await tightenFolder(join(folder, "none"), fail);
  });
});

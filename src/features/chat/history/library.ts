import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { appendPrivatelyNow, makeFolder } from "../../../platform/privateFiles.ts";
import { conversationFiles } from "./conversationLog.ts";
import { createLibraryCache } from "./libraryCache.ts";
import { createLineNumberer, stampLine } from "./logAppender.ts";
import type { LogEntry } from "./logEntry.ts";
import type { LogState } from "./logState.ts";
import { readOldConversation } from "./oldConversation.ts";
import { parseLog } from "./parseLog.ts";
import { createSearchIndex, type SearchIndex } from "./searchIndex.ts";
import { type Snippet, snippetOf } from "./snippet.ts";
import { type Summary, searchedText, toSummary } from "./summary.ts";
import { sweepBlobs } from "./sweepBlobs.ts";
import { watchFolder } from "./watchFolder.ts";

/** All conversations: list, search, rename, pin, delete. The logs are the source of truth; the rest is a cache. */
export interface Library {
  /** Resolves when the list is loaded; further work continues in the background. */
  readonly listed: Promise<void>;
  /** Resolves when every conversation was checked. */
  readonly complete: Promise<void>;
  /** Pinned ones first, then the newest. */
  list(): readonly Summary[];
  /** Conversations with a word for every prefix of the query; matches in the title come first. */
  find(query: string): Summary[];
  snippet(id: string, query: string): Promise<Snippet | undefined>;
  read(id: string): Promise<LogState | undefined>;
  /** An empty title restores the default, which is the first question. */
  rename(id: string, title: string): void;
  pin(id: string, pinned: boolean): void;
  /** Moves it to the trash; `restore` undoes that for 30 days. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Updates the entry of the conversation open here without reading its file. */
  touch(state: LogState): void;
  dispose(): void;
}

export interface LibraryDeps {
  readonly directory: string;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

interface Known {
  readonly stamp: string;
  readonly summary: Summary;
}

const dayMs = 86_400_000;
const trashLastsMs = 30 * dayMs;
/** Maximum work in milliseconds before the event loop gets a turn. */
const sliceMs = 12;
/** Debounce in milliseconds before a changed file is read. */
const settleMs = 1500;
/** Conversations per closed segment of the search index. */
const segmentLength = 256;
/** Files that are read concurrently. */
const sideBySide = 64;

export function createLibrary({ directory, onChange, report, now = Date.now }: LibraryDeps): Library {
  const signer = createLineNumberer(randomUUID().slice(0, 8));
  const cache = createLibraryCache(join(directory, "cache"));
  const known = new Map<string, Known>();
  let sorted: Summary[] | undefined;
  let index: SearchIndex = createSearchIndex([]);
  let closed = false;
  /** True if the cache is outdated. */
  let isNews = false;
  const settling = new Map<string, NodeJS.Timeout>();

  const changed = () => {
    isNews = true;
    sorted = undefined;
    if (!closed) onChange();
  };
  const forget = (id: string) => {
    index.remove(id);
    if (known.delete(id)) changed();
  };
  const learn = (state: LogState, stamp: string) => {
    const summary = toSummary(state);
    known.set(state.id, { stamp, summary });
    const texts = [...state.nodes.values()].map((node) => searchedText(node, "text"));
    index.add({ id: state.id, stamp, title: summary.title, texts });
    const segment = index.close(segmentLength);
    if (segment) cache.saveSegment(segment).catch(report);
  };
  /** Reads a conversation if its file has changed. */
  const look = async (id: string): Promise<boolean> => {
    const found = await fileOf(directory, id);
    if (!found) {
      forget(id);
      return false;
    }
    if (known.get(id)?.stamp === found.stamp && index.stampOf(id) === found.stamp) return false;
    const state = await readState(found.path, id);
    if (state) learn(state, found.stamp);
    return state !== undefined;
  };
  const scanAll = async () => {
    const ids = await idsIn(directory);
    const there = new Set(ids);
    for (const id of known.keys()) if (!there.has(id)) forget(id);
    let sliceStartMs = performance.now();
    let news = 0;
    for (let at = 0; at < ids.length && !closed; at += sideBySide) {
      const stamps = await Promise.all(ids.slice(at, at + sideBySide).map((id) => stampIfNews(id)));
      for (const id of stamps) {
        if (id === undefined || closed) continue;
        if (await look(id)) news += 1;
        if (performance.now() - sliceStartMs < sliceMs) continue;
        await setImmediate();
        sliceStartMs = performance.now();
      }
      if (news > 0) changed();
    }
    if (closed) return;
    const rest = index.close(segmentLength / 4);
    if (rest) await cache.saveSegment(rest);
    if (news > 0) await save();
    await emptyTrash(directory, now() - trashLastsMs);
    await sweepBlobs(directory, now());
  };
  const stampIfNews = async (id: string) => {
    const found = await fileOf(directory, id);
    const isKnown = found && known.get(id)?.stamp === found.stamp && index.stampOf(id) === found.stamp;
    return isKnown ? undefined : id;
  };
  const save = () => {
    isNews = false;
    return cache.saveSummaries([...known.values()]);
  };
  const listed = cache.load().then(({ summaries, segments }) => {
    for (const { stamp, summary } of summaries) known.set(summary.id, { stamp, summary });
    index = createSearchIndex(segments);
    changed();
    isNews = false;
  });
  const complete = listed.then(scanAll);
  complete.catch(report);
  const watcher = watchFolder(directory, (name) => {
    const id = name === undefined ? undefined : idOf(name);
    if (id === undefined || closed) return;
    clearTimeout(settling.get(id));
    settling.set(
      id,
      setTimeout(() => {
        settling.delete(id);
        look(id).then((news) => news && changed(), report);
      }, settleMs),
    );
  });
  const notify = (id: string, entry: LogEntry) => {
    const { log } = conversationFiles(directory, id);
    // Only an existing log may be appended to: a new file would lack its head.
    if (!statSync(log, { throwIfNoEntry: false })) throw new Error(`there is no conversation ${id}`);
    appendPrivatelyNow(log, `\n${stampLine(entry, signer)}`);
  };
  const change = (id: string, entry: LogEntry, summary: Partial<Summary>) => {
    notify(id, entry);
    const before = known.get(id);
    if (before) known.set(id, { stamp: "", summary: { ...before.summary, ...summary } });
    changed();
    look(id).then((news) => news && changed(), report);
  };
  const list = () => {
    sorted ??= [...known.values()]
      .map(({ summary }) => summary)
      .filter(({ messageCount }) => messageCount > 0)
      .sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.updatedAtMs - one.updatedAtMs);
    return sorted;
  };
  return {
    listed,
    complete,
    list,
    find(query) {
      const hits = new Map(index.find(query).map(({ id, isTitle }) => [id, isTitle]));
      const found = list().filter(({ id }) => hits.has(id));
      return [...found.filter(({ id }) => hits.get(id)), ...found.filter(({ id }) => !hits.get(id))];
    },
    async snippet(id, query) {
      const state = await this.read(id);
      return (
        state &&
        snippetOf(
          [...state.nodes.values()].map((node) => searchedText(node, "text")),
          query,
        )
      );
    },
    async read(id) {
      const found = await fileOf(directory, id);
      return found && readState(found.path, id);
    },
    rename: (id, title) => change(id, { e: "meta", meta: { title } }, title.trim() === "" ? {} : { title }),
    pin: (id, pinned) => change(id, { e: "meta", meta: { pinned } }, { pinned }),
    async remove(id) {
      await move(directory, id, "away");
      forget(id);
    },
    async restore(id) {
      await move(directory, id, "back");
      if (await look(id)) changed();
    },
    touch(state) {
      const before = known.get(state.id);
      // Search uses the old text until the file is read again.
      known.set(state.id, { stamp: before?.stamp ?? "", summary: toSummary(state) });
      changed();
    },
    dispose() {
      closed = true;
      watcher.close();
      for (const timer of settling.values()) clearTimeout(timer);
      if (isNews && existsSync(directory)) save().catch(report);
    },
  };
}

const logName = /^([\w-]{1,100})\.jsonl$/;
const oldName = /^([\w-]{1,100})\.json$/;

function idOf(name: string): string | undefined {
  return (logName.exec(name) ?? oldName.exec(name))?.[1];
}

async function idsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return [...new Set(names.flatMap((name) => idOf(name) ?? []))];
}

/** The path of a conversation's file and a stamp that changes with it; undefined if there is no file. */
async function fileOf(directory: string, id: string) {
  const { log, old } = conversationFiles(directory, id);
  for (const path of [log, old]) {
    const found = await stat(path).catch(() => undefined);
    if (found) return { path, stamp: `${found.size}:${found.mtimeMs}` };
  }
  return undefined;
}

/** Undefined if the file was deleted meanwhile, or contains no conversation. */
async function readState(path: string, id: string): Promise<LogState | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return undefined;
  if (oldName.test(basename(path))) return readOldConversation(bytes.toString("utf8"));
  const { state, understood, isNewer } = parseLog(bytes, id);
  return understood > 0 && !isNewer ? state : undefined;
}

/** Throws if the conversation does not exist. */
async function move(directory: string, id: string, where: "away" | "back"): Promise<void> {
  const { log, old, bad, trashed } = conversationFiles(directory, id);
  const trash = join(trashed, "..");
  await makeFolder(trash);
  let moved = 0;
  for (const path of [log, old, bad]) {
    const inTrash = join(trash, basename(path));
    const [from, to] = where === "away" ? [path, inTrash] : [inTrash, path];
    if (!(await stat(from).catch(() => undefined))) continue;
    await rename(from, to);
    // The time in the trash starts now.
    if (where === "away") await utimes(to, new Date(), new Date());
    moved += 1;
  }
  if (moved === 0) throw new Error(`there is no conversation ${id} to move ${where}`);
}

async function emptyTrash(directory: string, beforeMs: number): Promise<void> {
  const trash = join(directory, "trash");
  for (const name of await readdir(trash).catch(() => [])) {
    const path = join(trash, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}

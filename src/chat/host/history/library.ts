import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { appendPrivatelyNow } from "../../../platform/files/privateFiles.ts";
import { conversationFiles } from "./conversationFiles.ts";
import {
  conversationFileOf,
  conversationIdOf,
  conversationIdsIn,
  emptyTrash,
  moveConversation,
  readConversation,
} from "./conversationFolder.ts";
import { type CachedSummary, createLibraryCache, type LibraryCache } from "./libraryCache.ts";
import { createLineNumberer, type LogEntry, stampLine } from "./log/logEntry.ts";
import type { LogState } from "./log/logState.ts";
import { createSearchIndex, type SearchIndex } from "./search/searchIndex.ts";
import { type Snippet, snippetOf } from "./search/snippet.ts";
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

const dayMs = 86_400_000;
const trashLastsMs = 30 * dayMs;
/** Maximum work in milliseconds before the event loop gets a turn. */
const sliceMs = 12;
/** Debounce in milliseconds before a changed file is read. */
const debounceMs = 1500;
/** Conversations per closed segment of the search index. */
const segmentLength = 256;
/** Files that are read concurrently. */
const concurrentReads = 64;

export function createLibrary(deps: LibraryDeps): Library {
  return new ConversationLibrary(deps);
}

class ConversationLibrary implements Library {
  readonly listed: Promise<void>;
  readonly complete: Promise<void>;
  readonly #directory: string;
  readonly #deps: LibraryDeps;
  readonly #numberer = createLineNumberer(randomUUID().slice(0, 8));
  readonly #cache: LibraryCache;
  readonly #summaries = new Map<string, CachedSummary>();
  #sorted: Summary[] | undefined;
  #index: SearchIndex = createSearchIndex([]);
  readonly #watcher: ReturnType<typeof watchFolder>;
  /** Changed files that are read after the debounce, by id. */
  readonly #debounced = new Map<string, NodeJS.Timeout>();
  #isCacheOutdated = false;
  #isDisposed = false;

  constructor(deps: LibraryDeps) {
    this.#deps = deps;
    this.#directory = deps.directory;
    this.#cache = createLibraryCache(join(deps.directory, "cache"));
    this.listed = this.#loadCache();
    this.complete = this.listed.then(() => this.#scanAll());
    this.complete.catch(deps.report);
    this.#watcher = watchFolder(deps.directory, (name) => {
      const id = name === undefined ? undefined : conversationIdOf(name);
      if (id !== undefined && !this.#isDisposed) this.#refreshLater(id);
    });
  }

  list(): readonly Summary[] {
    this.#sorted ??= [...this.#summaries.values()]
      .map(({ summary }) => summary)
      .filter(({ messageCount }) => messageCount > 0)
      .sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.updatedAtMs - one.updatedAtMs);
    return this.#sorted;
  }

  find(query: string): Summary[] {
    const hits = new Map(this.#index.find(query).map(({ id, isTitle }) => [id, isTitle]));
    const found = this.list().filter(({ id }) => hits.has(id));
    return [...found.filter(({ id }) => hits.get(id)), ...found.filter(({ id }) => !hits.get(id))];
  }

  async snippet(id: string, query: string): Promise<Snippet | undefined> {
    const state = await this.read(id);
    return state && snippetOf(textsOf(state), query);
  }

  async read(id: string): Promise<LogState | undefined> {
    const found = await conversationFileOf(this.#directory, id);
    return found && readConversation(found.path, id);
  }

  rename(id: string, title: string): void {
    this.#change(id, { e: "meta", meta: { title } }, title.trim() === "" ? {} : { title });
  }

  pin(id: string, pinned: boolean): void {
    this.#change(id, { e: "meta", meta: { pinned } }, { pinned });
  }

  async remove(id: string): Promise<void> {
    await moveConversation(this.#directory, id, "away");
    this.#forget(id);
  }

  async restore(id: string): Promise<void> {
    await moveConversation(this.#directory, id, "back");
    if (await this.#refresh(id)) this.#onChanged();
  }

  touch(state: LogState): void {
    const before = this.#summaries.get(state.id);
    // Search uses the old text until the file is read again.
    this.#summaries.set(state.id, { stamp: before?.stamp ?? "", summary: toSummary(state) });
    this.#onChanged();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher.close();
    for (const timer of this.#debounced.values()) clearTimeout(timer);
    if (this.#isCacheOutdated && existsSync(this.#directory)) this.#saveCache().catch(this.#deps.report);
  }

  async #loadCache(): Promise<void> {
    const { summaries, segments } = await this.#cache.load();
    for (const { stamp, summary } of summaries) this.#summaries.set(summary.id, { stamp, summary });
    this.#index = createSearchIndex(segments);
    this.#onChanged();
    this.#isCacheOutdated = false;
  }

  #saveCache(): Promise<void> {
    this.#isCacheOutdated = false;
    return this.#cache.saveSummaries([...this.#summaries.values()]);
  }

  #onChanged(): void {
    this.#isCacheOutdated = true;
    this.#sorted = undefined;
    if (!this.#isDisposed) this.#deps.onChange();
  }

  /** Reads the files that have changed since the cache was written, and removes what has expired. */
  async #scanAll(): Promise<void> {
    const ids = await conversationIdsIn(this.#directory);
    const existing = new Set(ids);
    for (const id of this.#summaries.keys()) if (!existing.has(id)) this.#forget(id);
    const isChanged = await this.#refreshAll(ids);
    if (this.#isDisposed) return;
    const rest = this.#index.close(segmentLength / 4);
    if (rest) await this.#cache.saveSegment(rest);
    if (isChanged) await this.#saveCache();
    const nowMs = (this.#deps.now ?? Date.now)();
    await emptyTrash(this.#directory, nowMs - trashLastsMs);
    await sweepBlobs(this.#directory, nowMs);
  }

  async #refreshAll(ids: readonly string[]): Promise<boolean> {
    let sliceStartMs = performance.now();
    let isChanged = false;
    for (let at = 0; at < ids.length && !this.#isDisposed; at += concurrentReads) {
      for (const id of await this.#outdated(ids.slice(at, at + concurrentReads))) {
        if (this.#isDisposed) break;
        if (await this.#refresh(id)) isChanged = true;
        if (performance.now() - sliceStartMs < sliceMs) continue;
        await setImmediate();
        sliceStartMs = performance.now();
      }
      if (isChanged) this.#onChanged();
    }
    return isChanged;
  }

  /** Those that have changed since they were read. */
  async #outdated(ids: readonly string[]): Promise<readonly string[]> {
    const isUpToDate = async (id: string) => {
      const found = await conversationFileOf(this.#directory, id);
      return this.#isUpToDate(id, found?.stamp);
    };
    const checked = await Promise.all(ids.map(isUpToDate));
    return ids.filter((_, index) => !checked[index]);
  }

  #refreshLater(id: string): void {
    clearTimeout(this.#debounced.get(id));
    const timer = setTimeout(() => {
      this.#debounced.delete(id);
      this.#refreshNow(id);
    }, debounceMs);
    this.#debounced.set(id, timer);
  }

  #refreshNow(id: string): void {
    this.#refresh(id).then((isChanged) => isChanged && this.#onChanged(), this.#deps.report);
  }

  /** Reads a conversation if its file has changed; returns true if it did. */
  async #refresh(id: string): Promise<boolean> {
    const found = await conversationFileOf(this.#directory, id);
    if (!found) {
      this.#forget(id);
      return false;
    }
    if (this.#isUpToDate(id, found.stamp)) return false;
    const state = await readConversation(found.path, id);
    if (state) this.#add(state, found.stamp);
    return state !== undefined;
  }

  #isUpToDate(id: string, stamp: string | undefined): boolean {
    if (stamp === undefined) return false;
    return this.#summaries.get(id)?.stamp === stamp && this.#index.stampOf(id) === stamp;
  }

  #add(state: LogState, stamp: string): void {
    const summary = toSummary(state);
    this.#summaries.set(state.id, { stamp, summary });
    this.#index.add({ id: state.id, stamp, title: summary.title, texts: textsOf(state) });
    const segment = this.#index.close(segmentLength);
    if (segment) this.#cache.saveSegment(segment).catch(this.#deps.report);
  }

  #forget(id: string): void {
    this.#index.remove(id);
    if (this.#summaries.delete(id)) this.#onChanged();
  }

  #change(id: string, entry: LogEntry, change: Partial<Summary>): void {
    const { log } = conversationFiles(this.#directory, id);
    // Only an existing log may be appended to: a new file would lack its head.
    if (!statSync(log, { throwIfNoEntry: false })) throw new Error(`there is no conversation ${id}`);
    appendPrivatelyNow(log, `\n${stampLine(entry, this.#numberer)}`);
    const before = this.#summaries.get(id);
    if (before) this.#summaries.set(id, { stamp: "", summary: { ...before.summary, ...change } });
    this.#onChanged();
    this.#refreshNow(id);
  }
}

function textsOf(state: LogState): string[] {
  return [...state.nodes.values()].map((node) => searchedText(node, "text"));
}

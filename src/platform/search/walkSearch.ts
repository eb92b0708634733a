import { startLineWorker } from "./lineWorker.ts";
import { toScriptPattern } from "./ripgrep/scriptPattern.ts";
import { siblingsOf } from "./rules/excludes.ts";
import { type FolderRules, isLeftOut, levelOf, rootLevel, type TreeEntry } from "./rules/folderRules.ts";
import type { IgnoreLevel } from "./rules/ignoreRules.ts";
import {
  type Found,
  type FoundFile,
  type LinePattern,
  type SearchEngine,
  type SearchScope,
  searchLimits,
} from "./searchEngine.ts";

/** Limits of a walk. */
export interface WalkLimits {
  readonly files: number;
  readonly folders: number;
}

/** Files that are read at the same time. */
const parallelReads = 16;

/**
 * The search without ripgrep, with the same results: it reads the folders itself. For file systems that are not on this
 * machine, and for editors that have no ripgrep.
 */
export function createWalkSearch(limits: WalkLimits): SearchEngine {
  return {
    search: (scope, pattern, signal) => searchTree(scope, pattern, limits, signal),
    async searchText(text, pattern, signal) {
      const late = AbortSignal.timeout(searchLimits.timeMs);
      const worker = startLineWorker(toScriptPattern(pattern));
      const stop = AbortSignal.any([signal, late]);
      stop.addEventListener("abort", worker.end, { once: true });
      try {
        return await worker.search(text);
      } catch {
        signal.throwIfAborted();
        return [];
      } finally {
        stop.removeEventListener("abort", worker.end);
        worker.end();
      }
    },
    async list(scope, maxFiles, signal) {
      const late = AbortSignal.timeout(searchLimits.timeMs);
      const paths: string[] = [];
      const walk = new TreeWalk(scope, limits, AbortSignal.any([signal, late]));
      for await (const path of walk.paths) {
        paths.push(path);
        if (paths.length === maxFiles) return { paths, isComplete: false };
      }
      signal.throwIfAborted();
      return { paths, isComplete: walk.isComplete };
    },
  };
}

async function searchTree(
  scope: SearchScope,
  pattern: LinePattern,
  limits: WalkLimits,
  signal: AbortSignal,
): Promise<Found> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(searchLimits.timeMs);
  const stop = AbortSignal.any([signal, late]);
  const worker = startLineWorker(toScriptPattern(pattern));
  stop.addEventListener("abort", worker.end, { once: true });
  const walk = new TreeWalk(scope, limits, stop);
  const files: FoundFile[] = [];
  let [count, unread] = [0, 0];
  const searchFile = async (path: string) => {
    const text = await textOf(scope, path);
    if (text === "unread") unread += 1;
    if (text === "unread" || text === undefined) return;
    const lines = await worker.search(text).catch(() => []);
    count += lines.length;
    if (lines.length > 0) files.push({ path, lines });
  };
  const searchNext = async () => {
    for await (const path of walk.paths) {
      if (count >= searchLimits.lines || stop.aborted) return;
      await searchFile(path);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallelReads }, searchNext));
  } finally {
    stop.removeEventListener("abort", worker.end);
    worker.end();
  }
  signal.throwIfAborted();
  return { files, unread: unread + walk.unread, end: endOf(walk, count, late.aborted) };
}

function endOf({ isComplete }: TreeWalk, lineCount: number, isLate: boolean): Found["end"] {
  if (isLate) return "time";
  if (lineCount >= searchLimits.lines) return "lines";
  return isComplete ? "complete" : "files";
}

/** Undefined for binary files, and for those that are too large to be searched. */
async function textOf(
  { rules, encoding }: SearchScope,
  path: string,
): Promise<string | undefined | "unread"> {
  const bytes = await rules.tree.read(path, searchLimits.fileBytes);
  if (!bytes) return (await rules.tree.has(path)) ? undefined : "unread";
  const mark = encodingOfMark(bytes);
  if (mark === undefined && bytes.includes(0)) return undefined;
  return new TextDecoder(mark ?? encoding).decode(bytes);
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

interface WantedFolder {
  readonly path: string;
  readonly above: IgnoreLevel | undefined;
}

interface ReadFolder {
  readonly level: IgnoreLevel | undefined;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** The wanted files, those of the nearest folders first. Ends early when the signal aborts. */
class TreeWalk {
  /** Each path once, whoever takes it. */
  readonly paths: AsyncGenerator<string>;
  readonly #scope: SearchScope;
  readonly #limits: WalkLimits;
  readonly #signal: AbortSignal;
  #fileCount = 0;
  #unread = 0;
  #isComplete = true;

  constructor(scope: SearchScope, limits: WalkLimits, signal: AbortSignal) {
    this.#scope = scope;
    this.#limits = limits;
    this.#signal = signal;
    this.paths = this.#walk();
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The number of folders that could not be read. */
  get unread(): number {
    return this.#unread;
  }

  async *#walk(): AsyncGenerator<string> {
    const { rules, folder } = this.#scope;
    const wanted: WantedFolder[] = [{ path: folder, above: await levelAbove(rules, folder) }];
    // The loop appends to this list.
    for (const next of wanted) {
      if (this.#signal.aborted) return;
      const read = await this.#read(next);
      if (!read) continue;
      this.#addFolders(read, wanted);
      for (const path of read.files) {
        if (!this.#mayAddFile()) return;
        yield path;
      }
    }
  }

  async #read({ path, above }: WantedFolder): Promise<ReadFolder | undefined> {
    const { rules } = this.#scope;
    const entries = await rules.tree.list(path).catch(() => undefined);
    if (!entries) {
      this.#unread += 1;
      return undefined;
    }
    const level = await levelOf(rules, path, above, entries);
    const names = new Set(entries.map(({ name }) => name));
    const kept = entriesIn(path, entries).filter(
      (entry) =>
        !isLeftOut(rules, level, entry.path, entry.isFolder) &&
        (entry.isFolder || !isBeside(rules, entry.path, names)),
    );
    const folders = kept.filter(({ isFolder }) => isFolder);
    const files = kept.filter((entry) => !entry.isFolder && this.#scope.wants(entry.path));
    return {
      level,
      folders: folders.map((entry) => entry.path),
      files: files.map((entry) => entry.path),
    };
  }

  #addFolders({ folders, level }: ReadFolder, wanted: WantedFolder[]): void {
    const room = Math.max(0, this.#limits.folders - wanted.length);
    for (const path of folders.slice(0, room)) wanted.push({ path, above: level });
    if (folders.length > room) this.#isComplete = false;
  }

  /** False if the limit of files is reached. */
  #mayAddFile(): boolean {
    if (this.#fileCount === this.#limits.files) {
      this.#isComplete = false;
      return false;
    }
    this.#fileCount += 1;
    return true;
  }
}

function entriesIn(folder: string, entries: readonly TreeEntry[]) {
  return entries.map(({ name, isFolder }) => ({
    path: folder === "" ? name : `${folder}/${name}`,
    isFolder,
  }));
}

function isBeside({ excludes }: FolderRules, path: string, names: ReadonlySet<string>): boolean {
  return siblingsOf(excludes, path).some((sibling) => names.has(sibling.slice(path.lastIndexOf("/") + 1)));
}

/** The level of the folder above; that of the ancestors for the root. */
async function levelAbove(rules: FolderRules, folder: string): Promise<IgnoreLevel | undefined> {
  if (folder === "") return rules.ancestors.level;
  const parts = folder.split("/");
  let level = await rootLevel(rules);
  for (const index of parts.keys())
    if (index > 0) level = await levelOf(rules, parts.slice(0, index).join("/"), level);
  return level;
}

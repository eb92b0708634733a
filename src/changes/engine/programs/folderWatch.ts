import { type FSWatcher, readdirSync, watch } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder, writePrivately } from "../../../platform/files/privateFiles.ts";
import { ignoreFileNames } from "../../../platform/search/rules/ignoreRules.ts";
import { stampOf } from "./fileStamps.ts";
import { eachOpenFolder, type IsIgnored, type OpenFiles } from "./openFolders.ts";

/** The system's limit of watched folders may be higher, and other programs have their share. */
const mostFolders = 5_000;
/** With more, its queue may have been full: then it drops what comes. */
const mostChanges = 4_000;
/** An event of the system takes some milliseconds. */
const longestEventMs = 500;

/**
 * Tells which files of watched folders may have changed. Only Linux tells the changes of all folders of a process in
 * their order, so that all are known once it has told a later one.
 */
export class FolderWatch {
  readonly #own: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #count = 0;
  #isWhole = false;
  #marks = 0;
  #onMark: ((name: string) => void) | undefined;
  #isIgnored: IsIgnored = async () => false;

  /** `own` is a folder of the extension, in which the later changes are made. */
  constructor(own: string) {
    this.#own = own;
  }

  /** False if changes may be missed. */
  get isWatching(): boolean {
    return this.#isWhole;
  }

  /** Watches the folders of these files, and those without files. What changes from now on is told. */
  async begin({ roots, files, isIgnored }: OpenFiles, signal: AbortSignal): Promise<void> {
    this.end();
    if (process.platform !== "linux") return;
    try {
      this.#isIgnored = isIgnored;
      await makeFolder(this.#own);
      this.#watch(this.#own, (name) => this.#onMark?.(name ?? ""));
      const visit = (folder: string, count: number) => {
        if (count > mostFolders) throw new Error("too many folders");
        this.#watch(folder, (name) => this.#note(folder, name));
        return readdirSync(folder, { withFileTypes: true });
      };
      await eachOpenFolder({ roots, files, isIgnored }, visit, signal);
      this.#isWhole = true;
    } catch {
      // The system has a limit of watched folders.
      this.end();
      signal.throwIfAborted();
    }
  }

  /**
   * The paths that may have changed since the last call. Undefined if that is not known: a folder has come or gone, or the rules of
   * ignored files have changed.
   */
  async take(): Promise<readonly string[] | undefined> {
    if (!this.#isWhole || !(await this.#settled())) return undefined;
    const changed = [...this.#changed];
    const isMuch = this.#count > mostChanges;
    this.#changed = new Set();
    this.#count = 0;
    if (isMuch) return undefined;
    for (const path of changed) if (await this.#changesFolders(path)) return undefined;
    return changed;
  }

  async #changesFolders(path: string): Promise<boolean> {
    if (this.#watchers.has(path) || ignoreFileNames.some((name) => basename(path) === name)) return true;
    return stampOf(path) === "folder" && basename(path) !== ".git" && !(await this.#isIgnored(path, true));
  }

  end(): void {
    this.#isWhole = false;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#changed = new Set();
    this.#count = 0;
  }

  #watch(folder: string, onChange: (name: string | null) => void): void {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name));
    watcher.on("error", () => this.end());
    this.#watchers.set(folder, watcher);
  }

  #note(folder: string, name: string | null): void {
    this.#count += 1;
    if (this.#changed.size <= mostChanges) this.#changed.add(name === null ? folder : join(folder, name));
  }

  /** Waits until the system has told all changes before this one. False if it does not in time. */
  async #settled(): Promise<boolean> {
    // Each has a name of its own: the system may yet tell that the last one was removed.
    const name = `mark-${this.#marks++}`;
    const mark = join(this.#own, name);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#onMark = (told) => told === name && resolve(true);
    try {
      await writePrivately(mark, String(performance.now()));
      const isTold = await Promise.race([promise, sleep(longestEventMs, false, { ref: false })]);
      return isTold && this.#isWhole;
    } catch {
      return false;
    } finally {
      this.#onMark = undefined;
      await rm(mark, { force: true }).catch(() => {});
    }
  }
}

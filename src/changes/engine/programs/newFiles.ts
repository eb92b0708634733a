import { dirname } from "node:path";
import { type FileStamp, inodeOf, timeStepMs } from "./fileStamps.ts";
import type { StoredFile } from "./snapshotFiles.ts";

/** A file of which no content is known, with the end of a sentence that says why. */
interface UnknownFile {
  readonly mode: number;
  readonly why: string;
}

/** Tells of files that were not in the list before which of them programs have made. */
export class NewFiles {
  /** Where others have made files and folders. */
  readonly #ofOthers = new Set<string>();
  #takenMs = 0;
  /** The inodes of the files before a comparison, if it finds new ones, */
  #inodes: ReadonlySet<string> = new Set();
  /** and of those that are no longer in their places. */
  #movedInodes: ReadonlySet<string> = new Set();

  /** The list is that of this time. */
  restart(takenMs: number): void {
    this.#takenMs = takenMs;
    this.#ofOthers.clear();
  }

  /** Somebody else than the programs makes a file or a folder here. */
  expect(path: string): void {
    this.#ofOthers.add(path);
  }

  /** Some paths are about to be compared, with their present stamps. */
  look(
    known: ReadonlyMap<string, StoredFile>,
    paths: readonly string[],
    stamps: ReadonlyMap<string, FileStamp>,
  ): void {
    const hasNew = paths.some((path) => !known.has(path));
    this.#inodes = new Set(hasNew ? [...known.values()].map(({ stamp }) => inodeOf(stamp)) : []);
    const moved = paths.flatMap((path) => {
      const [before, now] = [known.get(path)?.stamp, stamps.get(path)];
      return before && !(now && inodeOf(now) === inodeOf(before)) ? [inodeOf(before)] : [];
    });
    this.#movedInodes = new Set(moved);
  }

  /** True for one that no program has made: it was ignored until now, or somebody else has made it. */
  isOld(path: string, stamp: FileStamp): boolean {
    if (this.#isOfOthers(path)) return true;
    // The files of a folder that a program moves keep their times.
    return stamp.changedMs < this.#takenMs - timeStepMs && !this.#movedInodes.has(inodeOf(stamp));
  }

  #isOfOthers(path: string): boolean {
    if (this.#ofOthers.size === 0) return false;
    const above = dirname(path);
    return this.#ofOthers.has(path) || (above !== path && this.#isOfOthers(above));
  }

  /** The state before: undefined if the file did not exist, and not if it was ignored. */
  formerOf(stamp: FileStamp): UnknownFile | undefined {
    const { bornMs = Number.POSITIVE_INFINITY, mode } = stamp;
    if (bornMs >= this.#takenMs - timeStepMs || this.#inodes.has(inodeOf(stamp))) return undefined;
    return { mode, why: "it was ignored before, or is from another folder" };
  }
}

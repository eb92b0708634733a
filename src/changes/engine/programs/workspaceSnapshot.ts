import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { untilAborted } from "../../../shared/untilAborted.ts";
import { refusedName } from "../files/fileRisk.ts";
import {
  type FileStamp,
  inodeOf,
  isRecent,
  type OtherEntry,
  plainPlaces,
  stampOf,
  stampsOf,
  writtenOf,
} from "./fileStamps.ts";
import { FolderWatch } from "./folderWatch.ts";
import { NewFiles } from "./newFiles.ts";
import type { IsIgnored } from "./openFolders.ts";
import type { SnapshotFiles, StoredFile, StoredPiece } from "./snapshotFiles.ts";

/** A file at one time: its content or the target of a link, or the end of a sentence with the reason why it is not kept. */
export interface FoundFile {
  readonly mode: number;
  readonly bytes?: Uint8Array;
  readonly target?: string;
  readonly why?: string;
}

/** A file that differs from the state before; undefined stands for a file that does not exist. */
export interface FoundChange {
  /** Absolute. */
  readonly path: string;
  readonly before: FoundFile | undefined;
  readonly after: FoundFile | undefined;
}

/** The files of a workspace. */
export interface ListedFiles {
  /** Absolute paths of the folders. */
  readonly roots: readonly string[];
  /** Absolute paths of the files and links in them that are not ignored. Rejects with the signal's reason. */
  readonly list: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly isIgnored: IsIgnored;
}

interface KnownFile extends StoredFile {
  /** It may have changed since without another stamp, so only its content tells. */
  readonly isRecent: boolean;
  readonly why?: string;
}

/** Limits of what is kept: of one file, and of all. */
const mostFileBytes = 5_000_000;
const mostBytes = 200_000_000;
/** The store is begun anew once it is longer. */
const longestStore = 3 * mostBytes;
/** Files that are read or stored at the same time. */
const sideBySide = 16;
const mostAttempts = 3;
/**
 * All files are looked at after a program that took this many times as long as the look. A watch does not tell what is
 * written through memory, nor of which file a name was that is gone again.
 */
const smallPart = 20;
/** Files that are looked at after a program of any length. */
const mostLookedAt = 2_000;

/**
 * The state of the files of a workspace that are not ignored, with the contents of those that can be kept. What has not
 * changed is not read again.
 */
export class WorkspaceSnapshot {
  readonly #files: SnapshotFiles;
  readonly #listed: ListedFiles;
  readonly #known = new Map<string, KnownFile>();
  /** Files with several names. */
  readonly #shared = new Set<string>();
  /** Files whose contents are yet to be kept, those that changed last at the end. */
  #waiting: string[] = [];
  #keeping: Promise<void> | undefined;
  /** Bytes of all kept contents. */
  #bytes = 0;
  readonly #newFiles = new NewFiles();
  #takenMs = 0;
  #isDisposed = false;
  readonly #watch: FolderWatch;
  /** The watch has told all changes since the last look at all files. */
  #isFollowed = false;
  /** Of the last look at all files. */
  #lookMs = 0;

  constructor(files: SnapshotFiles, listed: ListedFiles) {
    this.#files = files;
    this.#listed = listed;
    this.#watch = new FolderWatch(join(files.folder, "marks"));
  }

  /** The same, and follows the changes from now on, so that the next looks take less time. */
  async follow(signal: AbortSignal): Promise<void> {
    if (!this.#watch.isWatching) {
      const { roots, list, isIgnored } = this.#listed;
      await this.#watch.begin({ roots, files: await list(signal), isIgnored }, signal);
      this.#isFollowed = false;
    }
    await this.take(signal, 0);
  }

  /** Bytes of the list of states that describe the present state. */
  stored = 0;

  get takenMs(): number {
    return this.#takenMs;
  }

  /**
   * Takes the files as they are now. Waits so long for the contents; those of files that have not changed meanwhile are kept
   * later. Rejects with the signal's reason.
   */
  async take(signal: AbortSignal, longestWaitMs: number): Promise<void> {
    if (this.#files.size > longestStore) await this.#restart();
    const takenMs = Date.now();
    const { stamps, changed } = await this.#look(signal, false);
    const gone = [...(changed ?? this.#known.keys())].filter((path) => !stamps.has(path));
    for (const path of gone) this.#set(path, undefined);
    const looked: string[] = [];
    for (const [path, stamp] of stamps) {
      const known = this.#known.get(path);
      const isSame = known?.stamp.text === stamp.text;
      if (isSame && !known.isRecent && (known.piece || known.why !== undefined || isLink(known))) continue;
      if (!isSame) this.#set(path, { stamp, isRecent: isRecent(stamp, takenMs) });
      looked.push(path);
    }
    this.#takenMs = takenMs;
    this.#newFiles.restart(takenMs);
    const changedMs = (path: string) => this.#known.get(path)?.stamp.changedMs ?? 0;
    this.#waiting = [...new Set([...this.#waiting, ...looked])].sort((a, b) => changedMs(a) - changedMs(b));
    const late = sleep(longestWaitMs, undefined, { ref: false, signal }).catch(() => {});
    await untilAborted(Promise.race([this.#keepAll(), late]), signal);
    this.stored = await this.#files.note(
      [...gone, ...looked].flatMap((path) => {
        const known = this.#known.get(path);
        // Those with a content were noted with it.
        return known?.piece ? [] : [[path, known] as const];
      }),
    );
  }

  /**
   * Finds the files that differ, or those among `only`, and takes them into the state once `record` has resolved. Some are
   * recorded at the same time. Rejects with the first error after all.
   */
  async compare(
    signal: AbortSignal,
    record: (found: FoundChange) => Promise<unknown>,
    only?: readonly string[],
  ): Promise<void> {
    const takenMs = Date.now();
    // A look takes a small part of the time that the programs have taken.
    const isLong = takenMs - this.#takenMs > smallPart * this.#lookMs;
    // Whether another file is ignored is not known.
    const asked = only?.filter((path) => this.#known.has(path));
    const { stamps, changed: some } = asked
      ? { stamps: await stampsOf(asked, signal), changed: asked }
      : await this.#look(signal, isLong);
    const candidates = [...(some ?? new Set([...this.#known.keys(), ...stamps.keys()]))].filter((path) => {
      const known = this.#known.get(path);
      return !known || known.isRecent || known.stamp.text !== stamps.get(path)?.text;
    });
    const isInPlace = plainPlaces(this.#listed.roots);
    const changed: string[] = [];
    const errors: unknown[] = [];
    const work = async () => {
      for (let path = candidates.pop(); path !== undefined; path = candidates.pop()) {
        const entry = isInPlace(path) ? (stamps.get(path) ?? stampOf(path)) : "none";
        try {
          if (await this.#compareFile(path, entry, takenMs, record)) changed.push(path);
        } catch (error) {
          errors.push(error); // the next comparison looks at all files
        }
      }
    };
    this.#newFiles.look(this.#known, candidates, stamps);
    await Promise.all(Array.from({ length: sideBySide }, work));
    // The watch does not tell again what could not be recorded.
    if (errors.length > 0) this.#isFollowed = false;
    this.stored = await this.#files.note(changed.map((path) => [path, this.#known.get(path)] as const));
    if (errors.length > 0) throw errors[0];
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  /** The files at or below a place, and the other names of a file there. */
  sameFiles(place: string): readonly string[] {
    const stamp = stampOf(place);
    const inode = typeof stamp === "object" ? inodeOf(stamp) : undefined;
    return [...this.#known]
      .filter(
        ([path, known]) =>
          path === place ||
          path.startsWith(place + sep) ||
          (inode !== undefined && inodeOf(known.stamp) === inode),
      )
      .map(([path]) => path);
  }

  /** Somebody else than the programs makes a file or a folder here. */
  expect(path: string): void {
    this.#newFiles.expect(path);
  }

  /** Takes the state that an earlier window has stored. */
  restore(states: ReadonlyMap<string, StoredFile>, takenMs: number): void {
    for (const [path, state] of states) {
      this.#set(path, { ...state, isRecent: isRecent(state.stamp, takenMs) });
    }
    this.#takenMs = takenMs;
    this.#newFiles.restart(takenMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watch.end();
    this.#waiting = [];
  }

  async #restart(): Promise<void> {
    this.#waiting = [];
    await this.#keeping;
    this.#watch.end();
    this.#known.clear();
    this.#shared.clear();
    this.#bytes = 0;
    await this.#files.remove();
  }

  /** All files, or those that may have changed since the last look. */
  async #look(signal: AbortSignal, isWhole: boolean): Promise<Look> {
    const told = await this.#watch.take();
    if (!told) this.#watch.end();
    if (told && this.#isFollowed && !isWhole) {
      // Until the files were looked at: the watch tells each change once.
      this.#isFollowed = false;
      const changed: string[] = [];
      for (const path of told)
        if (this.#known.has(path) || !(await this.#listed.isIgnored(path, false))) changed.push(path);
      const stamps = await stampsOf(changed, signal);
      const others = this.#otherNames(changed, stamps);
      const all = new Map([...stamps, ...(await stampsOf(others, signal))]);
      this.#isFollowed = true;
      return { stamps: all, changed: [...changed, ...others] };
    }
    const sinceMs = performance.now();
    this.#isFollowed = false;
    const stamps = await this.#stamps(signal);
    this.#isFollowed = this.#watch.isWatching;
    this.#lookMs = performance.now() - sinceMs;
    return { stamps, changed: undefined };
  }

  /**
   * True for a name that has come and gone: it may have been one more name of any file. Most are of temporary files, so only as
   * many files are looked at then as take some milliseconds.
   */
  #mayHaveLinked(told: readonly string[]): boolean {
    if (this.#known.size > mostLookedAt) return false;
    return told.some((path) => !this.#known.has(path) && stampOf(path) === "none");
  }

  /** Files that were changed by another name, perhaps: the watch tells the name by which a program has changed a file. */
  #otherNames(told: readonly string[], stamps: ReadonlyMap<string, FileStamp>): readonly string[] {
    const found = told.flatMap((path) => stamps.get(path) ?? []).filter(({ isShared }) => isShared);
    const inodes = new Set(found.map(inodeOf));
    const now =
      inodes.size === 0 ? [] : [...this.#known].filter(([, { stamp }]) => inodes.has(inodeOf(stamp)));
    const some = [...this.#shared, ...now.map(([path]) => path)];
    const others = new Set(this.#mayHaveLinked(told) ? this.#known.keys() : some);
    for (const path of told) others.delete(path);
    return [...others];
  }

  async #stamps(signal: AbortSignal): Promise<ReadonlyMap<string, FileStamp>> {
    const { roots, list } = this.#listed;
    const away = roots.find((root) => stampOf(root) !== "folder");
    // Files on a drive that is away are not deleted.
    if (away !== undefined) throw new Refusal(`The folder ${away} can't be read.`);
    return stampsOf(await list(signal), signal);
  }

  #relative(path: string): string {
    const root = this.#listed.roots.find((one) => path.startsWith(one));
    return path.slice(root?.length ?? 0);
  }

  #set(path: string, file: KnownFile | undefined): void {
    this.#bytes += (file?.piece?.length ?? 0) - (this.#known.get(path)?.piece?.length ?? 0);
    if (file) this.#known.set(path, file);
    else this.#known.delete(path);
    if (file?.stamp.isShared) this.#shared.add(path);
    else this.#shared.delete(path);
  }

  #whyNot(path: string, { size }: FileStamp): string | undefined {
    if (size > mostFileBytes) return `it is larger than ${mostFileBytes / 1e6} MB`;
    return refusedBy(this.#relative(path));
  }

  #keepAll(): Promise<void> {
    this.#keeping ??= this.#keep().finally(() => {
      this.#keeping = undefined;
    });
    return this.#keeping;
  }

  async #keep(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isDisposed) {
      const some = this.#waiting.splice(-sideBySide);
      const read = await Promise.all(some.map((path) => this.#readWaiting(path)));
      const kept = read.filter((one) => one !== undefined);
      const pieces = await this.#files.put(kept.map(({ bytes }) => bytes)).catch(() => undefined);
      const noted: (readonly [string, KnownFile])[] = [];
      for (const [index, { path, known }] of kept.entries()) {
        // It has been compared meanwhile.
        if (this.#known.get(path) !== known) continue;
        const piece = pieces?.[index];
        const { stamp, isRecent } = known;
        const file = piece ? { stamp, isRecent, piece } : { stamp, isRecent };
        this.#set(path, file);
        noted.push([path, file]);
      }
      await this.#files.note(noted).catch(() => {}); // the state is noted, or not at all
    }
  }

  async #readWaiting(
    path: string,
  ): Promise<{ readonly path: string; readonly known: KnownFile; readonly bytes: Uint8Array } | undefined> {
    const known = this.#known.get(path);
    if (!known || isLink(known) || known.why !== undefined || (known.piece && !known.isRecent))
      return undefined;
    const why = this.#whyNot(path, known.stamp) ?? this.#whyFull(known);
    if (why !== undefined) {
      this.#set(path, { stamp: known.stamp, isRecent: false, why });
      return undefined;
    }
    const bytes = await readFile(path).catch(() => undefined);
    const now = stampOf(path);
    const isSame = typeof now === "object" && now.text === known.stamp.text;
    // It was changed since, which the next look finds out.
    if (!bytes || !isSame || this.#known.get(path) !== known) return undefined;
    const file = { ...known, isRecent: isRecent(known.stamp, Date.now()) };
    this.#set(path, file);
    const isKept = known.piece?.length === bytes.length && known.piece.crc === crc32(bytes);
    return isKept ? undefined : { path, known: file, bytes };
  }

  /** True if the state of the file is another one. */
  async #compareFile(
    path: string,
    entry: FileStamp | OtherEntry,
    takenMs: number,
    record: (found: FoundChange) => Promise<unknown>,
  ): Promise<boolean> {
    const known = this.#known.get(path);
    const now = typeof entry === "object" ? await this.#readNow(path, entry) : { entry };
    const { stamp } = now;
    const isOld = stamp !== undefined && this.#newFiles.isOld(path, stamp);
    if (!known && (!stamp || isOld)) {
      await this.#setNow(path, stamp, now.bytes, takenMs);
      return isOld;
    }
    if (known && stamp && isUnchanged(known, stamp, now.bytes)) {
      this.#set(path, { ...known, stamp, isRecent: isRecent(stamp, takenMs) });
      return stamp.text !== known.stamp.text;
    }
    const before: FoundFile | undefined = known
      ? await this.#formerOf(path, known)
      : stamp && this.#newFiles.formerOf(stamp);
    const after = afterOf(now, this.#whyNot(path, stamp ?? noFile));
    const isSameTarget = before?.target !== undefined && before.target === after?.target;
    const isSame =
      isSameTarget || (before?.bytes && after?.bytes && Buffer.compare(before.bytes, after.bytes) === 0);
    if (!isSame || before?.mode !== after?.mode) await record({ path, before, after });
    await this.#setNow(path, stamp, now.bytes, takenMs);
    return true;
  }

  async #setNow(
    path: string,
    stamp: FileStamp | undefined,
    bytes: Uint8Array | undefined,
    takenMs: number,
  ): Promise<void> {
    if (!stamp) return this.#set(path, undefined);
    const file = { stamp, isRecent: isRecent(stamp, takenMs) };
    const why = this.#whyNot(path, stamp) ?? this.#whyFull(file);
    const [piece] =
      bytes && why === undefined
        ? await this.#files.put([bytes]).catch((): readonly StoredPiece[] => [])
        : [];
    this.#set(path, piece ? { ...file, piece } : { ...file, ...(why === undefined ? {} : { why }) });
  }

  async #formerOf(path: string, { stamp, piece, why }: KnownFile): Promise<FoundFile> {
    const { mode, target } = stamp;
    const refused = this.#whyNot(path, stamp);
    if (target !== undefined) return refused === undefined ? { mode, target } : { mode, why: refused };
    const bytes = piece && (await this.#files.get(piece));
    return bytes ? { mode, bytes } : { mode, why: why ?? refused ?? notKept };
  }

  #whyFull({ stamp, piece }: KnownFile): string | undefined {
    const isFull = !piece && this.#bytes + stamp.size > mostBytes;
    return isFull ? `${mostBytes / 1e6} MB of other files are kept` : undefined;
  }

  /** The content with its stamp, once no program writes it. */
  async #readNow(path: string, found: FileStamp): Promise<NowFile> {
    if (found.target !== undefined) return { entry: "link", stamp: found };
    let stamp = found;
    for (let attempt = 1; ; attempt++) {
      if (this.#whyNot(path, stamp) !== undefined) return { entry: "file", stamp };
      const bytes = await readFile(path).catch(() => undefined);
      const now = stampOf(path);
      if (typeof now !== "object") return { entry: now };
      if (now.target !== undefined) return { entry: "link", stamp: now };
      if (now.text === stamp.text && bytes) return { entry: "file", stamp, bytes };
      if (attempt === mostAttempts) return { entry: "file", stamp: now };
      stamp = now;
    }
  }
}

interface Look {
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** Undefined for all files. */
  readonly changed: readonly string[] | undefined;
}

interface NowFile {
  readonly entry: OtherEntry | "file" | "link";
  readonly stamp?: FileStamp;
  readonly bytes?: Uint8Array;
}

const noFile: FileStamp = { text: "", size: 0, mode: 0, changedMs: 0, bornMs: undefined };
const notKept = "its content could not be kept before";

/** Why a file by its name is neither kept nor restored. */
function refusedBy(path: string): string | undefined {
  if (looksSecret(path)) return "it looks like a file of keys or passwords";
  const refused = refusedName(path);
  return refused === undefined ? undefined : `files named ${refused} can make other programs run`;
}

function isLink({ stamp }: KnownFile): boolean {
  return stamp.target !== undefined;
}

function isUnchanged(known: KnownFile, stamp: FileStamp, bytes: Uint8Array | undefined): boolean {
  if (known.stamp.target !== undefined || stamp.target !== undefined)
    return known.stamp.target === stamp.target;
  const isSameStamp = known.stamp.text === stamp.text;
  const { piece } = known;
  if (bytes && piece)
    return known.stamp.mode === stamp.mode && piece.length === bytes.length && piece.crc === crc32(bytes);
  if (isSameStamp) return true;
  // Nothing else tells about a content that is not kept.
  return known.stamp.mode === stamp.mode && writtenOf(known.stamp) === writtenOf(stamp);
}

function afterOf({ entry, stamp, bytes }: NowFile, whyNot: string | undefined): FoundFile | undefined {
  if (entry === "none" || entry === "folder") return undefined;
  const mode = stamp?.mode ?? 0;
  if (entry === "link" && stamp?.target !== undefined)
    return whyNot === undefined ? { mode, target: stamp.target } : { mode, why: whyNot };
  if (bytes) return { mode, bytes };
  const why = "it could not be read, or is being written";
  return { mode, why: entry === "file" ? (whyNot ?? why) : why };
}

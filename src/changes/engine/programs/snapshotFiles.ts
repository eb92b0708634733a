import { rmSync } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { appendPrivately, isMissing, makeFolder } from "../../../platform/files/privateFiles.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import type { FileStamp } from "./fileStamps.ts";

/** Where the content of a file is stored. */
export interface StoredPiece {
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
  readonly crc: number;
}

/** A file at one time, and its content if it is stored. */
export interface StoredFile {
  readonly stamp: FileStamp;
  readonly piece?: StoredPiece;
}

const contentsName = "contents";
const statesName = "states";

/**
 * The state of the files of a workspace on the disk, for the next window if this one is killed: one file with their contents
 * one after the other, and a list of their states. Both are only appended to. Nothing is flushed: what was written outlives the
 * process, and a content that a power failure has damaged does not match its checksum.
 */
export class SnapshotFiles {
  readonly folder: string;
  readonly #queue = new SerialQueue();
  #isMade = false;
  /** Bytes of the two files. */
  readonly #sizes = { [contentsName]: 0, [statesName]: 0 };

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Bytes of all stored contents, also of those that no state names any more. */
  get size(): number {
    return this.#sizes[contentsName];
  }

  /** Stores contents. Rejects with the error of the file system. */
  put(contents: readonly Uint8Array[]): Promise<readonly StoredPiece[]> {
    return this.#queue.run(async () => {
      let offset = await this.#append(contentsName, Buffer.concat(contents));
      const pieces = contents.map((bytes) => {
        const piece = { offset, length: bytes.length, crc: crc32(bytes) };
        offset += bytes.length;
        return piece;
      });
      return pieces;
    });
  }

  /** A stored content; undefined if it is damaged or gone. */
  async get({ offset, length, crc }: StoredPiece): Promise<Uint8Array | undefined> {
    try {
      const file = await open(join(this.folder, contentsName), "r");
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset).finally(() => file.close());
      return bytesRead === length && crc32(bytes) === crc ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Notes states by path; undefined for a file that is gone. Resolves to the bytes of the list up to them. */
  note(states: Iterable<readonly [path: string, state: StoredFile | undefined]>): Promise<number> {
    const lines = Array.from(states, ([path, state]) => `${JSON.stringify(toLine(path, state))}\n`);
    return this.#queue.run(async () => {
      // The first line end ends a line that a full disk has cut off.
      if (lines.length > 0) await this.#append(statesName, Buffer.from(`\n${lines.join("")}`));
      return this.#sizes[statesName];
    });
  }

  /** Returns the bytes of the file before. */
  async #append(name: typeof contentsName | typeof statesName, bytes: Uint8Array): Promise<number> {
    if (!this.#isMade) await makeFolder(this.folder);
    this.#isMade = true;
    const before = this.#sizes[name];
    const path = join(this.folder, name);
    try {
      if (bytes.length > 0) await appendPrivately(path, bytes);
      this.#sizes[name] = before + bytes.length;
      return before;
    } catch (error) {
      const found = await stat(path).catch(() => undefined);
      this.#sizes[name] = found?.size ?? before;
      throw error;
    }
  }

  /**
   * The states of an earlier window, by the first `length` bytes of its list. Contents that it stored later count for files
   * that had not changed since.
   */
  async read(length: number): Promise<ReadonlyMap<string, StoredFile>> {
    const bytes = await readFile(join(this.folder, statesName)).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    const states = new Map<string, StoredFile>();
    for (const line of bytes.subarray(0, length).toString().split("\n")) {
      const [path, state] = fromLine(line) ?? [];
      if (path === undefined) continue;
      if (state) states.set(path, state);
      else states.delete(path);
    }
    for (const line of bytes.subarray(length).toString().split("\n")) {
      const [path, state] = fromLine(line) ?? [];
      const known = path === undefined ? undefined : states.get(path);
      if (path === undefined || !state || known?.piece || known?.stamp.text !== state.stamp.text) continue;
      states.set(path, state);
    }
    return states;
  }

  /** Removes all. What is stored later begins anew. */
  remove(): Promise<void> {
    return this.#queue.run(async () => {
      await rm(this.folder, { recursive: true, force: true });
      this.#isMade = false;
      this.#sizes[contentsName] = 0;
      this.#sizes[statesName] = 0;
    });
  }

  /** The same for the end of the process. */
  removeNow(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function toLine(path: string, state: StoredFile | undefined): readonly unknown[] {
  if (!state) return [path];
  const { stamp, piece } = state;
  const facts = [path, stamp.text, stamp.size, stamp.mode, stamp.changedMs];
  if (stamp.target !== undefined) return [...facts, stamp.target];
  return piece ? [...facts, piece.offset, piece.length, piece.crc] : facts;
}

function fromLine(line: string): readonly [path: string, state: StoredFile | undefined] | undefined {
  const list = line === "" ? undefined : parseJson(line);
  if (!Array.isArray(list)) return undefined;
  const [path, text, ...others]: readonly unknown[] = list;
  if (typeof path !== "string") return undefined;
  if (text === undefined) return [path, undefined];
  const target = others.find((one) => typeof one === "string");
  const [size, mode, changedMs, offset, length, crc] = others.filter((one) => typeof one === "number");
  if (typeof text !== "string" || size === undefined || mode === undefined || changedMs === undefined)
    return undefined;
  const stamp = {
    text,
    size,
    mode,
    changedMs,
    bornMs: undefined,
    ...(target === undefined ? {} : { target }),
  };
  if (offset === undefined || length === undefined || crc === undefined) return [path, { stamp }];
  return [path, { stamp, piece: { offset, length, crc } }];
}

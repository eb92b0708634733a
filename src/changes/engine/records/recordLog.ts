import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { checkedLine, withChecksum } from "../../../platform/files/durable/checkedLine.ts";
import {
  appendDurablyNow,
  readTextIfThere,
  writeDurablyNow,
} from "../../../platform/files/durable/durableFile.ts";
import { appendPrivatelyNow, isMissing, makeFolderNow } from "../../../platform/files/privateFiles.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

export interface RecordLogDeps {
  readonly path: string;
  /** The value to write; undefined removes it. A short form is one that a longer one follows some time later. */
  readonly read: (key: string, isShort: boolean) => unknown;
  readonly report: (error: unknown) => void;
}

/** A change is written once nothing has changed for this time in milliseconds, */
const quietMs = 1_000;
/** or after this time, because changes go on. */
const mostMs = 10_000;
const version = 2;
/** The file is written anew once it is longer than this, and than three times the lines that count. */
const shortest = 1024 * 1024;

/**
 * Values by key in an append-only file: a change writes what changed, in one line each. Lines that were cut off by a
 * crash, or in which a byte has changed, are skipped. It is no `Journal`, because its writes are synchronous.
 */
export class RecordLog {
  readonly #deps: RecordLogDeps;
  /** The lines that count. */
  readonly #lines = new Map<string, string>();
  /** Their characters, and those of the whole file. */
  #live = 0;
  #length = 0;
  /** Lines of other windows at the last rewrite of the file, and their characters. */
  #others: readonly string[] = [];
  #othersLength = 0;
  /** Bytes that the file has if no other window has written since its last rewrite. */
  #size = -1;
  /** Keys that this process has read or written. Others in the file are of another window. */
  readonly #seen = new Set<string>();
  readonly #changed = new Set<string>();
  /** Why the last write failed, which leaves the end of the file unknown. */
  #failure: { readonly error: unknown } | undefined;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RecordLogDeps) {
    this.#deps = deps;
  }

  /** The values of the file. Those of other versions are dropped. */
  async read(): Promise<readonly (readonly [string, unknown])[]> {
    const text = (await readTextIfThere(this.#deps.path)) ?? "";
    const values = new Map<string, unknown>();
    for (const line of text.split("\n")) {
      const [key, value] = parsed(line) ?? [];
      if (key === undefined) continue;
      this.#keep(key, value === null ? undefined : line);
      if (value === null) values.delete(key);
      else values.set(key, value);
    }
    this.#length = text.length;
    return [...values];
  }

  /** Writes the value of a key some time later, because more changes follow, as while the user types. */
  changed(key: string): void {
    const nowMs = performance.now();
    if (this.#changed.size === 0) this.#sinceMs = nowMs;
    this.#changed.add(key);
    if (!this.#timer) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#append([...this.#changed], appendNow, false);
      }, quietMs);
    } else if (nowMs - this.#sinceMs < mostMs) this.#timer.refresh();
  }

  /**
   * Writes the values of keys before it returns, so that they are kept if the process is killed. Returns the failure if that
   * is not possible now; the next write repeats it.
   */
  write(...keys: readonly string[]): { readonly error: unknown } | undefined {
    this.#append(keys, appendNow, true);
    return this.#failure;
  }

  /** Writes all changes before it returns, for the end of the process. */
  dispose(): void {
    clearTimeout(this.#timer);
    if (this.#changed.size > 0 || this.#failure) this.#append([...this.#changed], appendDurablyNow, false);
  }

  /** All writes are synchronous, so that none is under way when the process ends. Most of them are short. */
  #append(keys: readonly string[], append: (path: string, text: string) => void, isShort: boolean): void {
    for (const key of keys) this.#changed.delete(key);
    const { path, report } = this.#deps;
    try {
      const text = this.#take(keys, isShort);
      if (this.#failure || text === undefined) this.#writeWhole();
      else {
        append(path, text);
        this.#size += Buffer.byteLength(text);
      }
      this.#failure = undefined;
    } catch (error) {
      // Said once. The next write, or the end, writes all.
      if (!this.#failure) report(error);
      this.#failure = { error };
    }
  }

  /** The values as text to append; undefined if the whole file must be rewritten. */
  #take(keys: readonly string[], isShort: boolean): string | undefined {
    const added = keys.map((key) => {
      const value = this.#deps.read(key, isShort);
      const line = withChecksum(JSON.stringify([version, key, value ?? null]));
      this.#keep(key, value === undefined ? undefined : line);
      return line;
    });
    // The first line end ends a line that was cut off.
    const text = `\n${added.join("\n")}\n`;
    this.#length += text.length;
    const isFitting = this.#length <= Math.max(shortest, 3 * (this.#live + this.#othersLength));
    return isFitting && this.#lines.size > 0 ? text : undefined;
  }

  /** Writes the lines that count, and those that another window has added. */
  #writeWhole(): void {
    const { path } = this.#deps;
    const isChanged = statSync(path, { throwIfNoEntry: false })?.size !== this.#size;
    this.#others = isChanged ? this.#readOthers() : this.#others.filter((line) => !this.#isOwn(line));
    const text = [...this.#lines.values(), ...this.#others, ""].join("\n");
    writeDurablyNow(path, text);
    this.#size = Buffer.byteLength(text);
    this.#length = text.length;
    this.#othersLength = text.length - this.#live;
  }

  #readOthers(): readonly string[] {
    const others = new Map<string, string>();
    for (const line of textNow(this.#deps.path).split("\n")) {
      const [key, value] = this.#isOwn(line) ? [] : (parsed(line) ?? []);
      if (key === undefined) continue;
      if (value === null) others.delete(key);
      else others.set(key, line);
    }
    return [...others.values()];
  }

  #isOwn(line: string): boolean {
    const key = keyIn(line);
    return key !== undefined && this.#seen.has(key);
  }

  #keep(key: string, line: string | undefined): void {
    this.#seen.add(key);
    this.#live += (line?.length ?? 0) - (this.#lines.get(key)?.length ?? 0);
    if (line === undefined) this.#lines.delete(key);
    else this.#lines.set(key, line);
  }
}

function appendNow(path: string, text: string): void {
  try {
    appendPrivatelyNow(path, text);
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolderNow(dirname(path));
    appendPrivatelyNow(path, text);
  }
}

function textNow(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

/** The key of a line without its value, which may be long. */
function keyIn(line: string): string | undefined {
  const [, key] = /^\[\d+,("(?:[^"\\]|\\.)*"),/.exec(line) ?? [];
  return key === undefined ? undefined : parsed(`[${version},${key}]`)?.[0];
}

function parsed(line: string): readonly [key: string, value: unknown] | undefined {
  const checked = checkedLine(line);
  const list = checked && parseJson(checked.line);
  if (!Array.isArray(list)) return undefined;
  const [written, key, value]: readonly unknown[] = list;
  return written === version && typeof key === "string" ? [key, value] : undefined;
}

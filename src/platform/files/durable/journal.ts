import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { isJson } from "../../../shared/text/json/parseJson.ts";
import { appendPrivately, isMissing, makeFolder, openPrivate } from "../privateFiles.ts";
import { checkedLine, withChecksum } from "./checkedLine.ts";
import { writeDurably } from "./durableFile.ts";

/** A log of lines that several windows append to and read. */
export interface Journal {
  /** Writes the lines, after those that are kept. Throws if that fails; the lines are not written later. */
  append(lines: readonly string[]): Promise<void>;
  /**
   * Writes the lines, now or once it is possible again: after a full disk, for example. They are read at once. Never
   * rejects.
   */
  keep(lines: readonly string[]): Promise<void>;
  /** The lines since the last read, from all windows; all lines at first. Damaged lines are left out. */
  read(): Promise<readonly string[]>;
  /** Replaces the whole file, for a journal that no other window uses. Throws if that fails. */
  replace(lines: readonly string[]): Promise<void>;
}

/** What a user should know about the file. */
export interface JournalEvents {
  /** So many lines can't be read: a byte has changed, or a line was cut off. */
  readonly onDamaged?: (lines: number) => void;
  /** Lines could not be written and are kept. Called once; `written` resolves when all are in the file. */
  readonly onKept?: (error: unknown, written: Promise<void>) => void;
}

export interface JournalOptions extends JournalEvents {
  /** Appends text to a file. Throws like `fs.appendFile`, after any part of it was written. */
  readonly appendText?: (path: string, text: string) => Promise<void>;
}

/** A batch begins with a line end, which ends a line that was cut off. A line is one JSON object with a checksum. */
export function createJournal(path: string, options: JournalOptions = {}): Journal {
  return new FileJournal(path, options);
}

interface FailedWrite {
  readonly error: unknown;
  readonly left: readonly string[];
}

const firstRetryMs = 2_000;
const longestRetryMs = 60_000;

class FileJournal implements Journal {
  readonly #path: string;
  readonly #options: JournalOptions;
  #position = 0;
  /** Lines that are not written yet. */
  #kept: readonly string[] = [];
  /** Those of them that were not read yet. */
  #unread: readonly string[] = [];
  /** Lines whose writing failed once. They were read, so their copies in the file are not read again. */
  readonly #read = new Set<string>();
  #outage: PromiseWithResolvers<void> | undefined;
  #retryMs = firstRetryMs;
  #timer: NodeJS.Timeout | undefined;
  readonly #queue = new SerialQueue();

  constructor(path: string, options: JournalOptions) {
    this.#path = path;
    this.#options = options;
  }

  append(lines: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      const failed = await this.#write(lines);
      if (failed) throw failed.error;
    });
  }

  keep(lines: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      const failed = await this.#write(lines);
      if (!failed) return;
      const { error, left } = failed;
      this.#kept = [...this.#kept, ...left];
      this.#unread = [...this.#unread, ...left];
      for (const line of left) this.#read.add(line);
      this.#retryLater(error);
    });
  }

  read(): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const unread = this.#unread;
      this.#unread = [];
      return [...(await this.#readFile()), ...unread];
    });
  }

  replace(lines: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      await writeDurably(this.#path, lines.map((line) => `${withChecksum(line)}\n`).join(""));
      this.#isWritten();
    });
  }

  /** Returns the failure, with those of the lines that are not in the file. */
  async #write(lines: readonly string[]): Promise<FailedWrite | undefined> {
    const all = [...this.#kept, ...lines];
    if (all.length === 0) {
      this.#isWritten();
      return undefined;
    }
    const { appendText = appendPrivately } = this.#options;
    const text = `\n${all.map(withChecksum).join("\n")}\n`;
    const before = await sizeOf(this.#path);
    try {
      await makeFolder(dirname(this.#path));
      // One write, so that the lines of two windows do not mix.
      await appendText(this.#path, text);
    } catch (error) {
      // The first of them may have fitted on the disk. They would count twice.
      const written = await writtenLines(this.#path, before, text).catch(() => 0);
      const left = lines.slice(Math.max(0, written - this.#kept.length));
      this.#kept = this.#kept.slice(written);
      return { error, left };
    }
    this.#isWritten();
    return undefined;
  }

  #isWritten(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#kept = [];
    this.#retryMs = firstRetryMs;
    this.#outage?.resolve();
    this.#outage = undefined;
  }

  #retryLater(error: unknown): void {
    if (!this.#outage) {
      this.#outage = Promise.withResolvers();
      this.#options.onKept?.(error, this.#outage.promise);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
      void this.keep([]);
    }, this.#retryMs).unref();
  }

  async #readFile(): Promise<readonly string[]> {
    const { bytes, position } = await bytesFrom(this.#path, this.#position);
    // The last line may be incomplete while another window writes it.
    const end = bytes.lastIndexOf(lineEnd) + 1;
    this.#position = position + end;
    const texts = bytes
      .toString("utf8", 0, end)
      .split("\n")
      .filter((text) => text !== "");
    const checked = texts.map((text) => ({ text, line: intactLine(text) }));
    const cut = checked.filter(({ line }) => line === undefined).map(({ text }) => text);
    // A write that failed half way is repeated, so its beginning is no loss.
    const isRepeated = (text: string) => texts.some((other) => other !== text && other.startsWith(text));
    const lost = cut.slice(0, mostCompared).filter((text) => !isRepeated(text)).length;
    const damaged = lost + Math.max(0, cut.length - mostCompared);
    if (damaged > 0) this.#options.onDamaged?.(damaged);
    return checked.flatMap(({ line }) => (line === undefined || this.#read.has(line) ? [] : [line]));
  }
}

const lineEnd = 10;
/** Damaged lines that are compared with all others. */
const mostCompared = 100;

/** The line as it was appended; undefined if it is damaged. Lines of older versions have no checksum. */
function intactLine(text: string): string | undefined {
  const checked = checkedLine(text);
  return checked && (checked.isChecked || isJson(text)) ? checked.line : undefined;
}

/** Names of the folders inside a folder, in any order; none if it can't be read. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** A journal in memory. */
export function createMemoryJournal(): Journal {
  let waiting: readonly string[] = [];
  const append = async (lines: readonly string[]) => {
    waiting = [...waiting, ...lines];
  };
  return {
    append,
    keep: append,
    async read() {
      const lines = waiting;
      waiting = [];
      return lines;
    },
    async replace(lines) {
      waiting = lines;
    },
  };
}

/** Bytes of a file; 0 without one. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** How many whole lines of a batch a failed write has put into the file. 0 if another window has written as well. */
async function writtenLines(path: string, from: number, text: string): Promise<number> {
  const { bytes, position } = await bytesFrom(path, from);
  const isOurs = position === from && Buffer.from(text).subarray(0, bytes.length).equals(bytes);
  // The batch begins with a line end.
  return isOurs ? Math.max(0, bytes.filter((byte) => byte === lineEnd).length - 1) : 0;
}

/** What the file has from a position on. A file that became shorter is read from its beginning. */
async function bytesFrom(path: string, position: number): Promise<{ bytes: Buffer; position: number }> {
  const file = await openPrivate(path, "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return { bytes: Buffer.alloc(0), position: 0 };
  try {
    const { size } = await file.stat();
    const from = size < position ? 0 : position;
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    return { bytes: buffer.subarray(0, bytesRead), position: from };
  } finally {
    await file.close();
  }
}

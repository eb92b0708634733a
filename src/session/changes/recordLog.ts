import {
  appendDurably,
  appendDurablyNow,
  readTextIfThere,
  writeDurably,
  writeDurablyNow,
} from "../../platform/durableFile.ts";

/**
 * Values by key in an append-only file: a change writes what changed, in one line each. Lines that were cut off by a
 * crash are skipped.
 */
export interface RecordLog {
  /** The values of the file. Those of other versions are dropped. */
  read(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  /** Writes the value of a key some time later. */
  changed(key: string): void;
  /** Writes all changes before it returns, for the end of the process. */
  dispose(): void;
}

export interface RecordLogDeps {
  readonly path: string;
  /** The value to write; undefined removes it. */
  readonly read: (key: string) => unknown;
  readonly report: (error: unknown) => void;
}

/** A change is written once nothing has changed for this time in milliseconds, */
const quietMs = 1_000;
/** or after this time, because changes go on. */
const mostMs = 10_000;
const version = 2;
/** The file is written anew once outdated lines are longer than those that count, and than this. */
const mostOutdated = 64 * 1024;

export function createRecordLog(deps: RecordLogDeps): RecordLog {
  return new Log(deps);
}

class Log implements RecordLog {
  readonly #deps: RecordLogDeps;
  /** The lines that count. */
  readonly #lines = new Map<string, string>();
  /** Their characters, and those of the whole file. */
  #live = 0;
  #length = 0;
  readonly #changed = new Set<string>();
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(deps: RecordLogDeps) {
    this.#deps = deps;
  }

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

  changed(key: string): void {
    const nowMs = performance.now();
    if (this.#changed.size === 0) this.#sinceMs = nowMs;
    this.#changed.add(key);
    if (!this.#timer) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#writing = this.#writing
          .then(() => this.#write())
          .catch((error: unknown) => {
            // The next change writes all.
            this.#length = Number.POSITIVE_INFINITY;
            this.#deps.report(error);
          });
      }, quietMs);
    } else if (nowMs - this.#sinceMs < mostMs) this.#timer.refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    if (this.#changed.size === 0) return;
    const { path } = this.#deps;
    const text = this.#take();
    if (text === undefined) {
      writeDurablyNow(path, this.#whole());
      return;
    }
    appendDurablyNow(path, text);
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0) return;
    const { path } = this.#deps;
    const text = this.#take();
    if (text === undefined) return writeDurably(path, this.#whole());
    return appendDurably(path, text);
  }

  /** The changes as text to append; undefined if the file must be written anew. */
  #take(): string | undefined {
    const added = [...this.#changed].map((key) => {
      const value = this.#deps.read(key);
      const line = JSON.stringify([version, key, value ?? null]);
      this.#keep(key, value === undefined ? undefined : line);
      return line;
    });
    this.#changed.clear();
    // The first line end ends a line that was cut off.
    const text = `\n${added.join("\n")}\n`;
    this.#length += text.length;
    if (this.#length <= 2 * this.#live + mostOutdated && this.#lines.size > 0) return text;
    this.#length = this.#live;
    return undefined;
  }

  #keep(key: string, line: string | undefined): void {
    this.#live += (line?.length ?? 0) - (this.#lines.get(key)?.length ?? 0);
    if (line === undefined) this.#lines.delete(key);
    else this.#lines.set(key, line);
  }

  #whole(): string {
    return [...this.#lines.values(), ""].join("\n");
  }
}

function parsed(line: string): readonly [key: string, value: unknown] | undefined {
  try {
    const [written, key, value] = JSON.parse(line) as readonly unknown[];
    return written === version && typeof key === "string" ? [key, value] : undefined;
  } catch {
    return undefined;
  }
}

import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { appendPrivately, makeFolder, openPrivate } from "./privateFiles.ts";

/** A log of lines that several windows append to and read. */
export interface Journal {
  append(lines: readonly string[]): Promise<void>;
  /** The lines since the last read, from all windows; all lines at first. */
  read(): Promise<readonly string[]>;
}

/** A journal in a file. A line is appended with one write, so that lines of two windows do not mix. */
export function createJournal(path: string): Journal {
  let position = 0;
  return {
    async append(lines) {
      await makeFolder(dirname(path));
      await appendPrivately(path, lines.map((line) => `${line}\n`).join(""));
    },
    async read() {
      const text = await textFrom(path, position);
      // The last line may be incomplete while another window writes it.
      const end = text.lastIndexOf("\n") + 1;
      position += Buffer.byteLength(text.slice(0, end));
      return text.slice(0, end).split("\n").slice(0, -1);
    },
  };
}

/** Names of the folders inside a folder, in any order; none if it can't be read. */
export async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** A journal in memory. */
export function createMemoryJournal(): Journal {
  let waiting: string[] = [];
  return {
    async append(lines) {
      waiting.push(...lines);
    },
    async read() {
      const lines = waiting;
      waiting = [];
      return lines;
    },
  };
}

async function textFrom(path: string, position: number): Promise<string> {
  const file = await openPrivate(path, "r").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, size - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

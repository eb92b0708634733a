import { createHash } from "node:crypto";
import { join } from "node:path";
import { createJournal } from "../../../platform/journal.ts";

/** A file as it was when its text was written. */
export interface ReadFile {
  /** Path below the folder. */
  readonly path: string;
  /** Unix milliseconds of its last change. */
  readonly changedMs: number;
  /** Bytes. */
  readonly size: number;
}

/** What of a folder was read and paid for, so that a run that was stopped goes on where it was. */
export interface ParseManifest {
  /** Whether this file, unchanged since, was read. */
  has(file: ReadFile): boolean;
  add(file: ReadFile): Promise<void>;
}

/** The ledger of one folder, a journal among the extension's files. A line that is damaged counts as not there. */
export async function openParseManifest(storage: string, folderUri: string): Promise<ParseManifest> {
  const name = createHash("sha256").update(folderUri).digest("hex").slice(0, 32);
  const journal = createJournal(join(storage, `${name}.jsonl`));
  const known = new Set((await journal.read()).flatMap((line) => keyIn(line) ?? []));
  return {
    has: (file) => known.has(keyOf(file)),
    async add({ path, changedMs, size }) {
      await journal.append([JSON.stringify({ path, changedMs, size })]);
      known.add(keyOf({ path, changedMs, size }));
    },
  };
}

function keyOf({ path, changedMs, size }: ReadFile): string {
  return JSON.stringify([path, changedMs, size]);
}

function keyIn(line: string): string | undefined {
  try {
    const { path, changedMs, size } = JSON.parse(line) as Partial<ReadFile>;
    if (typeof path !== "string" || typeof changedMs !== "number" || typeof size !== "number")
      return undefined;
    return keyOf({ path, changedMs, size });
  } catch {
    return undefined;
  }
}

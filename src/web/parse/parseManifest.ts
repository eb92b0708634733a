import { join } from "node:path";
import { createJournal } from "../../platform/files/durable/journal.ts";
import { sha256 } from "../../platform/sha256.ts";
import { membersOf } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";

/** The version of a file that was parsed. */
export interface ReadFile {
  /** Relative to the folder. */
  readonly path: string;
  /** Unix milliseconds of its last change. */
  readonly changedMs: number;
  /** Bytes. */
  readonly size: number;
}

/** Files of a folder that were parsed and paid for, so that a stopped run can be continued. */
export interface ParseManifest {
  /** True if this version of the file was parsed. */
  has(file: ReadFile): boolean;
  add(file: ReadFile): Promise<void>;
}

/** Opens the journal of a folder in the extension's storage. Damaged lines are skipped. */
export async function openParseManifest(storage: string, folderUri: string): Promise<ParseManifest> {
  const name = sha256(folderUri).slice(0, 32);
  const journal = createJournal(join(storage, `${name}.jsonl`));
  const keys = new Set((await journal.read()).flatMap((line) => keyIn(line) ?? []));
  return {
    has: (file) => keys.has(keyOf(file)),
    async add({ path, changedMs, size }) {
      // It was paid for, so it must not be parsed again because the disk was full.
      await journal.keep([JSON.stringify({ path, changedMs, size })]);
      keys.add(keyOf({ path, changedMs, size }));
    },
  };
}

function keyOf({ path, changedMs, size }: ReadFile): string {
  return JSON.stringify([path, changedMs, size]);
}

function keyIn(line: string): string | undefined {
  const { path, changedMs, size } = membersOf(parseJson(line));
  if (typeof path !== "string" || typeof changedMs !== "number" || typeof size !== "number") return undefined;
  return keyOf({ path, changedMs, size });
}

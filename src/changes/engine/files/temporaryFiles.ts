import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readTextIfThere } from "../../../platform/files/durable/durableFile.ts";
import {
  isLeftOver,
  isTemporaryName,
  newTemporaryName,
} from "../../../platform/files/durable/temporaryName.ts";
import { hasEnded, newWriterName } from "../../../platform/files/durable/writerName.ts";
import { appendPrivatelyNow, makeFolderNow } from "../../../platform/files/privateFiles.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/**
 * Temporary files in folders of the user, each beside the file that it replaces. A window notes the folders, so that a
 * later one finds what it has left there if its process was killed.
 */
export interface TemporaryFiles {
  /** The path of a new temporary file beside this one. Its folder is noted before this returns. */
  beside(path: string): string;
  /** Removes the files of processes that have ended. */
  sweep(): Promise<void>;
  dispose(): void;
}

/** A temporary file lives for milliseconds; one of this age is left over, on whatever machine it was written. */
const oldestMs = 3_600_000;
/** Lists of windows of unknown fate count for so long. */
const longestMs = 60 * 86_400_000;

/** `lists` is the folder with the lists of all windows of the workspace; undefined if nothing is kept. */
export function createTemporaryFiles(lists: string | undefined): TemporaryFiles {
  const own = newWriterName();
  const noted = new Set<string>();
  const note = (folder: string) => {
    if (lists === undefined || noted.has(folder)) return;
    makeFolderNow(lists);
    appendPrivatelyNow(join(lists, own), `${JSON.stringify(folder)}\n`);
    noted.add(folder);
  };
  return {
    beside(path) {
      const folder = dirname(path);
      note(folder);
      return join(folder, newTemporaryName());
    },
    async sweep() {
      const names = lists === undefined ? [] : await readdir(lists).catch(() => []);
      for (const name of names)
        if (lists !== undefined && name !== own) await sweepList(join(lists, name), name);
    },
    dispose() {
      if (lists !== undefined && noted.size > 0) rmSync(join(lists, own), { force: true });
    },
  };
}

async function sweepList(path: string, writer: string): Promise<void> {
  const list = await stat(path).catch(() => undefined);
  const text = list?.isFile() ? await readTextIfThere(path) : undefined;
  if (!list || text === undefined) return;
  for (const folder of text.split("\n").flatMap(folderIn)) await sweepFolder(folder);
  if (hasEnded(writer) || Date.now() - list.mtimeMs > longestMs) await rm(path, { force: true });
}

/** A line that was cut off by a crash names no folder: nothing was written there yet. */
function folderIn(line: string): readonly string[] {
  const folder = parseJson(line);
  return typeof folder === "string" ? [folder] : [];
}

async function sweepFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isTemporaryName)) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    const isOld = file !== undefined && Date.now() - file.mtimeMs > oldestMs;
    if (file?.isFile() && (isOld || isLeftOver(name))) await rm(path, { force: true }).catch(() => {});
  }
}

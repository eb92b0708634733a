import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { appendPrivatelyNow, makeFolderNow } from "../privateFiles.ts";
import { readTextIfThere, type TemporaryPlaces } from "./durableFile.ts";
import { isLeftOver, isTemporaryName, newTemporaryName } from "./temporaryName.ts";
import { hasEnded, newWriterName } from "./writerName.ts";

/**
 * Temporary files in folders of the user, each beside the file that it replaces. A window notes the folders, so that a
 * later one finds what it has left there if its process was killed.
 */
export interface TemporaryFiles extends TemporaryPlaces {
  /** Its folder is noted before this returns. */
  beside(path: string): string;
  /** Removes the files of processes that have ended. */
  sweep(): Promise<void>;
  dispose(): void;
}

/** A temporary file lives for milliseconds; one of this age is left over, on whatever machine it was written. */
const oldestMs = 3_600_000;
/** Lists of windows of unknown fate count for so long. */
const longestMs = 60 * 86_400_000;

/** The folder with the lists of all windows, in a folder of the extension. */
export function temporaryListsIn(storage: string): string {
  return join(storage, "temporary");
}

/**
 * For the start: removes what processes that have ended have left in a folder of the extension, and in the folders of the
 * user that its lists name.
 */
export async function sweepTemporaryFiles(storage: string): Promise<void> {
  await createTemporaryFiles(temporaryListsIn(storage)).sweep();
  const entries = await readdir(storage, { withFileTypes: true, recursive: true }).catch(() => []);
  const folders = entries.filter(({ name }) => isTemporaryName(name)).map(({ parentPath }) => parentPath);
  for (const folder of new Set(folders)) await sweepFolder(folder);
}

/** `lists` is the folder with the lists of all windows of the workspace; undefined if nothing is kept. */
export function createTemporaryFiles(lists: string | undefined): TemporaryFiles {
  const own = newWriterName();
  const noted = new Set<string>();
  const note = (folder: string) => {
    if (lists === undefined || noted.has(folder)) return;
    makeFolderNow(lists);
    // The first line end ends a line that a full disk has cut off.
    appendPrivatelyNow(join(lists, own), `\n${JSON.stringify(folder)}\n`);
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

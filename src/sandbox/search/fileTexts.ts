import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { WorkerPool } from "../work/workerPool.ts";
import type { IndexedFile } from "./folderFiles.ts";

/** The files' texts in their order, HTML turned into markdown. A file that is gone again holds nothing. */
export async function textsOf(
  files: readonly IndexedFile[],
  workerPool: WorkerPool,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { path } of files)
    texts.push(await readFile(path, { encoding: "utf8", signal }).catch(() => ""));
  signal.throwIfAborted();
  const pages = files.flatMap(({ path }, index) => (/\.html?$/i.test(path) ? [{ path, index }] : []));
  if (pages.length === 0) return texts;
  const input = pages.map(({ path, index }) => ({ html: texts[index] ?? "", url: pathToFileURL(path).href }));
  let done = 0;
  for await (const text of workerPool.pieces("pagesToMarkdown", input, signal)) {
    const page = pages[done++];
    if (page) texts[page.index] = text;
  }
  return texts;
}

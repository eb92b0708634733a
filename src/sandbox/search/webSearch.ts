import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import type { DocsLibrary } from "../docs/library.ts";
import { toTerm } from "../docs/terms.ts";
import type { WorkerPool } from "../work/workerPool.ts";
import { passagesOf } from "./filePassages.ts";
import { filesIn, type IndexedFile } from "./folderFiles.ts";
import type { Passage } from "./passage.ts";

/** Searches the documentation and the given folders in place of the web. */
export interface WebSearch {
  /** Best first. Weak matches are left out, so there may be fewer than `limit`. Throws the signal's reason. */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly Passage[]>;
}

/** The least score of a result, relative to the best one. */
const leastShare = 0.12;

/** Reads nothing before the first search. Changed files are read again. */
export function createWebSearch(
  library: DocsLibrary,
  folders: readonly string[],
  workerPool: WorkerPool,
): WebSearch {
  let shelf:
    | { readonly state: string; readonly passages: readonly Passage[]; readonly index: MiniSearch }
    | undefined;
  const open = async (signal: AbortSignal) => {
    const files = (await Promise.all(folders.map(filesIn))).flat();
    const state = stateOf(files);
    if (shelf?.state === state) return shelf;
    const passages = await gather(library, files, workerPool, signal);
    shelf = { state, passages, index: indexOf(passages) };
    return shelf;
  };
  return {
    async find(query, limit, signal) {
      const { passages, index } = await open(signal);
      signal.throwIfAborted();
      const hits = index.search(query);
      const least = (hits[0]?.score ?? 0) * leastShare;
      const good = hits.filter(({ score }) => score >= least).slice(0, limit);
      return good.flatMap(({ id }) => passages[id as number] ?? []);
    },
  };
}

function stateOf(files: readonly IndexedFile[]): string {
  return files.map(({ path, changedMs, size }) => `${path} ${changedMs} ${size}`).join("\n");
}

async function gather(
  library: DocsLibrary,
  files: readonly IndexedFile[],
  workerPool: WorkerPool,
  signal: AbortSignal,
): Promise<Passage[]> {
  const found: Omit<Passage, "id">[] = library.sections().map((section) => ({
    title: section.heading === section.page ? section.page : `${section.page}: ${section.heading}`,
    url: library.urlOf(section),
    also: section.also,
    text: section.text,
    date: "",
  }));
  const texts = await textsOf(files, workerPool, signal);
  files.forEach((file, index) => {
    found.push(...passagesOf(file, texts[index] ?? ""));
  });
  return found.filter(({ text }) => text !== "").map((passage, id) => ({ ...passage, id }));
}

function indexOf(passages: readonly Passage[]): MiniSearch {
  const index = new MiniSearch<Passage>({
    fields: ["title", "also", "text"],
    tokenize: (text) => text.match(/[\p{L}\p{N}_'’]+/gu) ?? [],
    processTerm: (word) => toTerm(word) ?? null,
    searchOptions: {
      boost: { title: 3, also: 2 },
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.4 },
    },
  });
  index.addAll(passages);
  return index;
}

/** The texts of the files, in their order, with HTML converted to Markdown. A deleted file gives an empty text. */
async function textsOf(
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

import * as vscode from "vscode";
import { hasService, sayFailure } from "../session/sandbox/readiness.ts";
import { withoutLinks } from "../shared/text/html/withoutLinks.ts";
import { oneLine } from "../shared/text/lineFeeds.ts";
import { askQuestion } from "./ask/askQuestion.ts";
import { askTheWeb } from "./ask/askWeb.ts";
import { type Batch, type BatchDeps, runBatch } from "./bulk/batch.ts";
import { chooseParser, type Parser } from "./parse/chooseParser.ts";
import { askFiles, documentBatch, offerAgain, openUnchanged, readingTitle } from "./parse/documentBatch.ts";
import { askFolder, folderBatch } from "./parse/folderBatch.ts";
import type { StoredResult } from "./results/storedResult.ts";
import { askUrls, openStored, pageBatch } from "./scrape/pageBatch.ts";
import { queryProblem } from "./search/searchQuery.ts";
import { chooseQuery, searchTheWeb, shortQuery } from "./search/webSearch.ts";

/**
 * The paid calls of this feature. Each confirms its price, shows its progress, stores and opens its results, and offers
 * to retry what failed. They never reject.
 */
export interface AugmentController {
  /** Searches for a string as it is; asks for the query if it is something else. */
  search(query: unknown): Promise<void>;
  /** Asks for the query, starting from a text. */
  searchAgain(start: string): Promise<void>;
  /** Asks a question whose answer cites web pages: the given one, else the user's. */
  askWeb(question: unknown): Promise<void>;
  /** Reads pages as Markdown. Asks for addresses if the list is empty. */
  scrape(urls: readonly string[]): Promise<void>;
  /** Extracts the text of files. Asks for files if the list is empty. */
  parse(files: readonly vscode.Uri[]): Promise<void>;
  /** Writes the text of each document in a folder beside it; asks which folder if none is given. */
  parseFolder(folder: vscode.Uri | undefined, isAgreed: boolean): Promise<void>;
}

export function createAugmentController(deps: BatchDeps): AugmentController {
  const { results, session, store } = deps;
  /** Shows a failure with a button that runs the task again. */
  const attempt = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      sayFailure(deps, error, () => attempt(task));
    }
  };
  /** Runs one batch. `retry` gets the items that failed or were not started. */
  const runAll = <Item>(
    prepare: (items: readonly Item[]) => Promise<Batch<Item> | undefined>,
    items: readonly Item[],
    retry = (unfinished: readonly Item[]) => runAll(prepare, unfinished),
  ): Promise<void> =>
    attempt(async () => {
      const batch = await prepare(items);
      if (batch) await runBatch(deps, batch, retry);
    });
  const search = (query: string): Promise<void> => attempt(() => searchAndReveal(deps, query));
  const searchAgain = (start: string) =>
    attempt(async () => {
      const chosen = await chooseQuery(deps, start);
      if (typeof chosen === "string") await search(chosen);
      else if (chosen && "question" in chosen) await askTheWeb(deps, chosen.question);
      else if (chosen) await results.reveal(chosen);
    });
  const scrapeUnread = (urls: readonly string[]): Promise<void> =>
    attempt(async () => {
      const { earlier, unread } = await store.pagesOf(urls);
      const read = (some: readonly string[]) => pageBatch(deps, some);
      if (unread.length > 0) return runAll(async (some) => ({ ...(await read(some)), earlier }), unread);
      await openStored(deps, earlier, () => runAll(read, addressesOf(earlier)));
    });
  const parseBy = (parser: Parser, files: readonly vscode.Uri[]): Promise<void> =>
    runAll((some) => documentBatch(deps, some, parser, (file) => parseBy("machine", [file])), files);
  const parseChanged = (files: readonly vscode.Uri[], isAgain = false): Promise<void> =>
    attempt(async () => {
      const { changed, unchanged } = isAgain
        ? { changed: files, unchanged: [] }
        : await openUnchanged(deps, files);
      if (unchanged.length > 0) void offerAgain(unchanged, () => parseChanged(unchanged, true));
      if (changed.length === 0) return;
      const parser = await chooseParser(session, { title: readingTitle(changed), count: changed.length });
      if (parser === undefined || (parser === "service" && !(await hasService(deps)))) return;
      await parseBy(parser, changed);
    });
  return {
    searchAgain,
    async search(query) {
      if (!(await hasService(deps))) return;
      if (typeof query === "string") await search(oneLine(query));
      else await searchAgain(selectedText());
    },
    async askWeb(question) {
      if (!(await hasService(deps))) return;
      const asked = typeof question === "string" ? oneLine(question) : undefined;
      await attempt(() => answerFromWeb(deps, asked));
    },
    async scrape(urls) {
      if (!(await hasService(deps))) return;
      const chosen = urls.length > 0 ? urls : await askUrls(session.active?.kind === "sandbox");
      if (chosen) await scrapeUnread(chosen);
    },
    async parse(files) {
      const chosen = files.length > 0 ? files : await askFiles();
      if (chosen && chosen.length > 0) await parseChanged(chosen);
    },
    async parseFolder(folder, isAgreed) {
      const chosen = folder ?? (await askFolder());
      const run = { isAgreed };
      if (chosen) await runAll(() => folderBatch(deps, chosen, run), []);
    },
  };
}

async function searchAndReveal(deps: BatchDeps, query: string): Promise<void> {
  const problem = queryProblem(query);
  if (problem) return void vscode.window.showWarningMessage(withoutLinks(problem));
  const stored = await searchTheWeb(deps, query);
  if (!stored) return;
  await deps.results.reveal(stored);
  if (stored.hits.length === 0) sayNothingFound(query);
}

async function answerFromWeb(deps: BatchDeps, asked: string | undefined): Promise<void> {
  const question = asked ?? (await askQuestion(deps, oneLine(selectedText())));
  if (question !== undefined) await askTheWeb(deps, question);
}

function addressesOf(pages: readonly StoredResult[]): readonly string[] {
  return pages.flatMap((page) => (page.kind === "page" ? [page.asked ?? page.url] : []));
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : "";
}

function sayNothingFound(query: string): void {
  const sentence = `Nothing was found for “${shortQuery(query)}”.`;
  void vscode.window.showInformationMessage(withoutLinks(sentence));
}

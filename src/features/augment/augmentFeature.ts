import type * as vscode from "vscode";
import { tickTour } from "../../platform/tour.ts";
import type { AugmentDeps } from "./deps.ts";
import { createFailureReports } from "./failureReports.ts";
import { createFolderController } from "./parse/folderController.ts";
import { createParseController } from "./parse/parseController.ts";
import { createResultController, type ResultController } from "./resultController.ts";
import { createResultStore } from "./resultStore.ts";
import { hitOf, type ResultNode } from "./resultTree.ts";
import { createScrapeController } from "./scrape/scrapeController.ts";
import { createSearchController } from "./search/searchController.ts";

/** All that is behind the view and the commands, once one of them is used. */
export interface AugmentFeature extends ResultController {
  /** `query` is searched for as it is where it is a text; else the user is asked. */
  search(query: unknown): Promise<void>;
  /** Searches once more for what a row is about, after a look at the query. */
  again(node: ResultNode): Promise<void>;
  /** Reads the pages of a row, of a list or of a text; asks which where nothing of that is given. */
  scrape(about: unknown): Promise<void>;
  /** Reads files; asks which where none are given. */
  parse(files: readonly vscode.Uri[]): Promise<void>;
  /** Reads all documents below a folder; asks which where none is given. */
  parseFolder(folder: vscode.Uri | undefined, isAgreed: boolean): Promise<void>;
  retryFailed(id: unknown): Promise<void>;
  failureLenses(document: vscode.TextDocument): vscode.CodeLens[];
}

export function createAugmentFeature(
  deps: AugmentDeps,
  tree: vscode.TreeView<ResultNode>,
  changed: () => void,
): AugmentFeature {
  const folder = `${deps.globalStorageUri.fsPath}/results`;
  const store = createResultStore({ folder, now: Date.now, onAdd: () => tickTour("found") });
  const failures = createFailureReports();
  const results = createResultController({ ...deps, store, failures, tree, changed });
  const searches = createSearchController({ ...deps, store, results });
  const pages = createScrapeController({ ...deps, store, results, failures });
  const folders = createFolderController({ ...deps, store, results, failures });
  const documents = createParseController({ ...deps, store, results, failures });
  return {
    ...results,
    search: (query) => searches.search(query),
    again: (node) => searches.ask(node.kept.kind === "search" ? node.kept.query : ""),
    scrape: (about) => pages.scrape(urlsOf(about)),
    parse: (files) => documents.parse(files),
    parseFolder: (folder, isAgreed) => folders.parse(folder, isAgreed),
    retryFailed: (id) => failures.retry(id),
    failureLenses: ({ uri }) => failures.lensesOf(uri),
  };
}

/** The addresses that a command was called with: by a row of the view, a link, or another extension. */
function urlsOf(about: unknown): readonly string[] {
  if (typeof about === "string") return [about];
  if (Array.isArray(about)) return about.filter((one) => typeof one === "string");
  if (typeof about !== "object" || about === null || !("kept" in about)) return [];
  const node = about as ResultNode;
  if (node.type === "hit") return [hitOf(node)?.url ?? []].flat();
  return node.kept.kind === "page" ? [node.kept.url] : [];
}

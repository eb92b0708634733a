import type * as vscode from "vscode";
import { tickTour } from "../platform/editor/tour.ts";
import { type AugmentController, createAugmentController } from "./augmentController.ts";
import type { AugmentDeps } from "./deps.ts";
import { FailureReports } from "./failureReports.ts";
import { createResultController, type ResultController } from "./resultController.ts";
import { ResultStore } from "./resultStore.ts";
import { hitOf, type ResultNode } from "./resultTree.ts";

/** The view's rows, its commands, and the links in editors. Loaded on first use. */
export interface AugmentFeature extends ResultController, AugmentController {
  /** Searches again for the query of a row, after the user could change it. */
  again(node: ResultNode): Promise<void>;
  /** Reads the pages of a row, of a list or of a string; asks which if it is something else. */
  scrapeFrom(target: unknown): Promise<void>;
  retryFailed(id: unknown): Promise<void>;
  failureLenses(document: vscode.TextDocument): vscode.CodeLens[];
}

export function createAugmentFeature(
  deps: AugmentDeps,
  tree: vscode.TreeView<ResultNode>,
  changed: () => void,
): AugmentFeature {
  const folder = `${deps.globalStorageUri.fsPath}/results`;
  const store = new ResultStore({ folder, now: Date.now, onAdd: () => tickTour("found") });
  const failures = new FailureReports();
  const results = createResultController({ ...deps, store, failures, tree, changed });
  const calls = createAugmentController({ ...deps, store, results, failures });
  return {
    ...results,
    ...calls,
    again: ({ result }) => calls.searchAgain(result.kind === "search" ? result.query : ""),
    scrapeFrom: (target) => calls.scrape(urlsOf(target)),
    retryFailed: (id) => failures.retry(id),
    failureLenses: ({ uri }) => failures.lensesOf(uri),
  };
}

/** The URLs in a command's argument: a row of the view, a link's list, or a string of another extension. */
function urlsOf(target: unknown): readonly string[] {
  if (typeof target === "string") return [target];
  if (Array.isArray(target)) return target.filter((url) => typeof url === "string");
  if (typeof target !== "object" || target === null || !("result" in target)) return [];
  const node = target as ResultNode;
  if (node.type === "hit") return [hitOf(node)?.url ?? ""].filter((url) => url !== "");
  return node.result.kind === "page" ? [node.result.url] : [];
}

import * as vscode from "vscode";
import { chosenFiles } from "../platform/editor/commands/commandFiles.ts";
import type { DomainCommands } from "../platform/editor/commands/domainCommands.ts";
import { LastEditor } from "../platform/editor/lastEditor.ts";
import { tickTour } from "../platform/editor/tour.ts";
import { commands } from "../shared/names/ids.ts";
import { createAugmentController } from "./augmentController.ts";
import { FailureReports } from "./bulk/failureReports.ts";
import { citablesOf, citeSources } from "./cite/citeCommand.ts";
import type { AugmentDeps } from "./deps.ts";
import type { ResultAction } from "./protocol/resultsProtocol.ts";
import { createResultController, type ResultController } from "./results/resultController.ts";
import { ResultStore } from "./results/resultStore.ts";
import { ResultsPanel } from "./results/resultsPanel.ts";
import { hitOf, type ResultNode } from "./results/resultTree.ts";

/** The view's rows, its commands, and the links in editors. Loaded on first use. */
export interface AugmentFeature
  extends Pick<ResultController, "children" | "parent" | "toItem" | "contentOf"> {
  /** Extracts the text of files that were dropped: addresses in lines (RFC 2483). */
  parseDropped(list?: string): Promise<void>;
  failureLenses(document: vscode.TextDocument): vscode.CodeLens[];
  readonly commands: DomainCommands<"web">;
}

export function createAugmentFeature(
  deps: AugmentDeps,
  tree: vscode.TreeView<ResultNode>,
  changed: () => void,
): AugmentFeature {
  const folder = `${deps.globalStorageUri.fsPath}/results`;
  const store = new ResultStore({ folder, now: Date.now, onAdd: () => tickTour("found") });
  const failures = new FailureReports();
  const changedAll = () => {
    changed();
    panel.changed();
  };
  const editor = new LastEditor();
  const panel = new ResultsPanel({ ...deps, store, act: (action, nodes) => actions[action](nodes) });
  const parts = { store, failures, tree, panel, editor, changed: changedAll };
  const results = createResultController({ ...deps, ...parts });
  const calls = createAugmentController({ ...deps, store, results, failures });
  /** A command of a row; without one, of the selected row. */
  const onNode = (run: (node: ResultNode) => unknown) => (given: unknown) => {
    const node = isNode(given) ? given : tree.selection[0];
    return node && run(node);
  };
  /** A command of rows: of the selection, if the given row is part of it. */
  const onNodes = (run: (nodes: readonly ResultNode[]) => unknown) => (given: unknown, chosen: unknown) => {
    const many = Array.isArray(chosen) ? chosen.filter(isNode) : tree.selection;
    const isPart = !isNode(given) || many.some((node) => sameNode(node, given));
    const nodes = isPart && many.length > 0 ? many : isNode(given) ? [given] : [];
    return nodes.length > 0 ? run(nodes) : undefined;
  };
  const citeNodes = async (nodes: readonly ResultNode[]) =>
    citeSources(await citablesOf(nodes, store), deps.globalState, editor.target);
  /** The buttons of the editor with the results. */
  const actions: Readonly<Record<ResultAction, (nodes: readonly ResultNode[]) => unknown>> = {
    open: async (nodes) => {
      for (const node of nodes) await results.open(node);
    },
    chat: (nodes) => results.toChat(nodes),
    cite: citeNodes,
    read: (nodes) => calls.scrape(nodes.flatMap(urlsOf)),
    browse: ([node]) => node && results.browse(node),
    save: (nodes) => results.save(nodes),
    remove: (nodes) => results.remove(nodes),
  };
  return {
    ...results,
    parseDropped(list = "") {
      const files = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
      return calls.parse(files.map((uri) => vscode.Uri.parse(uri, true)));
    },
    failureLenses: ({ uri }) => failures.lensesOf(uri),
    commands: {
      [commands.webAsk]: (question) => calls.askWeb(question),
      [commands.webSearch]: (query) => calls.search(query),
      // Reads the pages of a row, of a list or of a string; asks which if it is something else.
      [commands.webScrape]: (target) => calls.scrape(urlsOf(target)),
      [commands.webParse]: (clicked, selected) => calls.parse(chosenFiles(clicked, selected)),
      [commands.webParseFolder]: (folder, options) =>
        calls.parseFolder(chosenFiles(folder)[0], isAgreed(options)),
      [commands.webRetryFailed]: (id) => failures.retry(id),
      [commands.webShowRecent]: () => results.showRecent(),
      [commands.webShowResults]: () => panel.show(),
      [commands.webOpenResult]: onNode((node) => results.open(node)),
      [commands.webOpenInBrowser]: onNode((node) => results.browse(node)),
      [commands.webInsertLink]: onNodes((nodes) => results.insert(nodes, "link")),
      [commands.webInsertCitation]: onNodes((nodes) => results.insert(nodes, "citation")),
      [commands.webCite]: onNodes(citeNodes),
      [commands.webSaveResult]: (from, chosen) =>
        isNode(from)
          ? onNodes((nodes) => results.save(nodes))(from, chosen)
          : results.saveShown(from instanceof vscode.Uri ? from : undefined),
      [commands.webSendToChat]: onNodes((nodes) => results.toChat(nodes)),
      // The user can change the query.
      [commands.webSearchAgain]: onNode(({ result }) =>
        calls.searchAgain(result.kind === "search" ? result.query : ""),
      ),
      [commands.webRemoveResult]: onNodes((nodes) => results.remove(nodes)),
    },
  };
}

function isNode(value: unknown): value is ResultNode {
  return typeof value === "object" && value !== null && "result" in value;
}

function sameNode(left: ResultNode, right: ResultNode): boolean {
  const index = (node: ResultNode) => (node.type === "hit" ? node.index : -1);
  return left.result.id === right.result.id && index(left) === index(right);
}

/** A program that calls the command may have asked itself. Only play money can be agreed to in this way. */
function isAgreed(options: unknown): boolean {
  return (
    typeof options === "object" && options !== null && "isAgreed" in options && options.isAgreed === true
  );
}

/** The URLs in a command's argument: a row of the view, a link's list, or a string of another extension. */
function urlsOf(target: unknown): readonly string[] {
  if (typeof target === "string") return [target];
  if (Array.isArray(target)) return target.filter((url) => typeof url === "string");
  if (!isNode(target)) return [];
  if (target.type === "hit") return [hitOf(target)?.url ?? ""].filter((url) => url !== "");
  return target.result.kind === "page" ? [target.result.url] : [];
}

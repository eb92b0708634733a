import * as vscode from "vscode";
import { commands, resultScheme, settings, views } from "../shared/ids.ts";
import type { AugmentFeature } from "./augmentFeature.ts";
import type { AugmentDeps } from "./deps.ts";
import type { ResultNode } from "./resultTree.ts";

const droppedFiles = "text/uri-list";

/** Web search, pages and documents, and the view of their results. The code is loaded on first use. */
export function registerAugment(deps: AugmentDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<ResultNode | undefined>();
  let loading: Promise<AugmentFeature> | undefined;
  const load = async (): Promise<AugmentFeature> => {
    const { createAugmentFeature } = await import("./augmentFeature.ts");
    return createAugmentFeature(deps, tree, () => changed.fire(undefined));
  };
  const feature = (): Promise<AugmentFeature> => {
    loading ??= load();
    return loading;
  };
  const dragAndDropController: vscode.TreeDragAndDropController<ResultNode> = {
    dropMimeTypes: [droppedFiles],
    dragMimeTypes: [],
    handleDrop: async (_, dropped) => {
      const list = (await dropped.get(droppedFiles)?.asString()) ?? "";
      const files = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
      // Do not make the drop wait for the batch.
      void (await feature()).parse(files.map((uri) => vscode.Uri.parse(uri, true)));
    },
  };
  const tree: vscode.TreeView<ResultNode> = vscode.window.createTreeView<ResultNode>(views.results, {
    showCollapseAll: true,
    dragAndDropController,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => [...(await (await feature()).children(node))],
      getParent: async (node) => (await feature()).parent(node),
      getTreeItem: async (node) => (await feature()).toItem(node),
    },
  });
  const command = (id: string, run: (augment: AugmentFeature, argument: unknown) => unknown) =>
    vscode.commands.registerCommand(id, async (argument: unknown) => run(await feature(), argument));
  const filesOf = (clicked: unknown, selected: unknown) =>
    (Array.isArray(selected) ? selected : [clicked]).filter((uri) => uri instanceof vscode.Uri);
  const onNode = (id: string, run: (augment: AugmentFeature, node: ResultNode) => unknown) =>
    vscode.commands.registerCommand(id, async (node?: ResultNode) => {
      const chosen = node ?? tree.selection[0];
      return chosen && run(await feature(), chosen);
    });
  return vscode.Disposable.from(
    tree,
    registerLinkActions(deps.session, feature),
    vscode.commands.registerCommand(commands.parseFiles, async (clicked: unknown, selected: unknown) =>
      (await feature()).parse(filesOf(clicked, selected)),
    ),
    vscode.commands.registerCommand(commands.parseFolder, async (folder: unknown, options: unknown) =>
      (await feature()).parseFolder(filesOf(folder, undefined)[0], isAgreed(options)),
    ),
    command(commands.scrapePage, (augment, target) => augment.scrapeFrom(target)),
    command(commands.failuresRetry, (augment, id) => augment.retryFailed(id)),
    changed,
    vscode.workspace.registerTextDocumentContentProvider(resultScheme, {
      provideTextDocumentContent: async (uri) => (await feature()).contentOf(uri),
    }),
    command(commands.searchWeb, (augment, query) => augment.search(query)),
    command(commands.resultsRecent, (augment) => augment.showRecent()),
    onNode(commands.resultOpen, (augment, node) => augment.open(node)),
    onNode(commands.resultBrowse, (augment, node) => augment.browse(node)),
    onNode(commands.resultInsertLink, (augment, node) => augment.insert(node, "link")),
    onNode(commands.resultInsertCitation, (augment, node) => augment.insert(node, "citation")),
    vscode.commands.registerCommand(commands.resultSave, async (from?: ResultNode | vscode.Uri) => {
      const augment = await feature();
      if (from && "result" in from) await augment.save(from);
      else await augment.saveShown(from);
    }),
    onNode(commands.resultToChat, (augment, node) => augment.toChat(node)),
    onNode(commands.resultAgain, (augment, node) => augment.again(node)),
    onNode(commands.resultRemove, (augment, node) => augment.remove(node)),
  );
}

/** A program that calls the command may have asked itself. Only play money can be agreed to in this way. */
function isAgreed(options: unknown): boolean {
  return (
    typeof options === "object" && options !== null && "isAgreed" in options && options.isAgreed === true
  );
}

/** Hovers and CodeLenses that read a URL, and the CodeLenses of failure reports. Only the latter load the feature. */
function registerLinkActions(
  session: AugmentDeps["session"],
  feature: () => Promise<AugmentFeature>,
): vscode.Disposable {
  const linkAction = () => vscode.workspace.getConfiguration().get(settings.scrapeLinkAction);
  const linkActions = () => import("./scrape/linkActions.ts");
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider("*", {
      async provideHover(document, at) {
        if (linkAction() !== "hover" || !document.lineAt(at.line).text.includes("://")) return undefined;
        return (await linkActions()).urlHover(document, at, session.active?.kind === "sandbox");
      },
    }),
    vscode.languages.registerCodeLensProvider("*", {
      async provideCodeLenses(document) {
        if (document.uri.scheme === resultScheme) return (await feature()).failureLenses(document);
        return linkAction() === "codeLens" ? (await linkActions()).urlLenses(document) : [];
      },
    }),
  );
}

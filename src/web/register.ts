import * as vscode from "vscode";
import { chosenFiles, registerFeatureCommands } from "../platform/editor/featureCommands.ts";
import { Lazy } from "../platform/lazy.ts";
import { readSetting } from "../platform/settings.ts";
import { commands, resultScheme, settings, views } from "../shared/ids.ts";
import type { AugmentFeature } from "./augmentFeature.ts";
import type { AugmentDeps } from "./deps.ts";
import type { ResultNode } from "./resultTree.ts";

const droppedFiles = "text/uri-list";

/** Web search, pages and documents, and the view of their results. The code is loaded on first use. */
export function registerAugment(deps: AugmentDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<ResultNode | undefined>();
  const feature = new Lazy<AugmentFeature>(async () => {
    const { createAugmentFeature } = await import("./augmentFeature.ts");
    return createAugmentFeature(deps, tree, () => changed.fire(undefined));
  });
  const dragAndDropController: vscode.TreeDragAndDropController<ResultNode> = {
    dropMimeTypes: [droppedFiles],
    dragMimeTypes: [],
    handleDrop: async (_, dropped) => {
      const list = (await dropped.get(droppedFiles)?.asString()) ?? "";
      const files = list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
      // Do not make the drop wait for the batch.
      void (await feature.get()).parse(files.map((uri) => vscode.Uri.parse(uri, true)));
    },
  };
  const tree: vscode.TreeView<ResultNode> = vscode.window.createTreeView<ResultNode>(views.results, {
    showCollapseAll: true,
    dragAndDropController,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => [...(await (await feature.get()).children(node))],
      getParent: async (node) => (await feature.get()).parent(node),
      getTreeItem: async (node) => (await feature.get()).toItem(node),
    },
  });
  const onNode =
    (run: (augment: AugmentFeature, node: ResultNode) => unknown) =>
    (augment: AugmentFeature, node: ResultNode | undefined) => {
      const chosen = node ?? tree.selection[0];
      return chosen && run(augment, chosen);
    };
  return vscode.Disposable.from(
    tree,
    registerLinkActions(deps.session, feature),
    changed,
    vscode.workspace.registerTextDocumentContentProvider(resultScheme, {
      provideTextDocumentContent: async (uri) => (await feature.get()).contentOf(uri),
    }),
    registerFeatureCommands(feature, {
      [commands.webParse]: (augment, clicked, selected) => augment.parse(chosenFiles(clicked, selected)),
      [commands.webParseFolder]: (augment, folder, options) =>
        augment.parseFolder(chosenFiles(folder, undefined)[0], isAgreed(options)),
      [commands.webScrape]: (augment, target) => augment.scrapeFrom(target),
      [commands.webRetryFailed]: (augment, id) => augment.retryFailed(id),
      [commands.webSearch]: (augment, query) => augment.search(query),
      [commands.webShowRecent]: (augment) => augment.showRecent(),
    }),
    registerFeatureCommands<AugmentFeature, ResultNode | undefined>(feature, {
      [commands.webOpenResult]: onNode((augment, node) => augment.open(node)),
      [commands.webOpenInBrowser]: onNode((augment, node) => augment.browse(node)),
      [commands.webInsertLink]: onNode((augment, node) => augment.insert(node, "link")),
      [commands.webInsertCitation]: onNode((augment, node) => augment.insert(node, "citation")),
      [commands.webSendToChat]: onNode((augment, node) => augment.toChat(node)),
      [commands.webSearchAgain]: onNode((augment, node) => augment.again(node)),
      [commands.webRemoveResult]: onNode((augment, node) => augment.remove(node)),
    }),
    registerFeatureCommands<AugmentFeature, ResultNode | vscode.Uri | undefined>(feature, {
      [commands.webSaveResult]: (augment, from) =>
        from && "result" in from ? augment.save(from) : augment.saveShown(from),
    }),
    feature,
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
  feature: Lazy<AugmentFeature>,
): vscode.Disposable {
  const linkAction = () => readSetting(settings.webLinkAction);
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
        if (document.uri.scheme === resultScheme) return (await feature.get()).failureLenses(document);
        return linkAction() === "codeLens" ? (await linkActions()).urlLenses(document) : [];
      },
    }),
  );
}

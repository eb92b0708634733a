import * as vscode from "vscode";
import { Domain } from "../platform/domain.ts";
import { afterActivation } from "../platform/editor/afterActivation.ts";
import { Lazy } from "../platform/lazy.ts";
import { resultScheme, views } from "../shared/names/ids.ts";
import type { AugmentFeature } from "./augmentFeature.ts";
import type { AugmentDeps } from "./deps.ts";
import type { ResultNode } from "./results/resultTree.ts";

const droppedFiles = "text/uri-list";

/** Web search, pages and documents, and the view of their results. The code is loaded on first use. */
export function registerAugment(deps: AugmentDeps): Domain<AugmentFeature> {
  const changed = new vscode.EventEmitter<ResultNode | undefined>();
  const feature: Lazy<AugmentFeature> = new Lazy(async () => {
    const [{ createAugmentFeature }, view] = await Promise.all([import("./augmentFeature.ts"), tree.get()]);
    return createAugmentFeature(deps, view, () => changed.fire(undefined));
  });
  const dragAndDropController: vscode.TreeDragAndDropController<ResultNode> = {
    dropMimeTypes: [droppedFiles],
    dragMimeTypes: [],
    handleDrop: async (_, dropped) => {
      const list = await dropped.get(droppedFiles)?.asString();
      // Do not make the drop wait for the batch.
      void (await feature.get()).parseDropped(list);
    },
  };
  const tree: Lazy<vscode.TreeView<ResultNode>> = new Lazy(async () =>
    vscode.window.createTreeView<ResultNode>(views.results, {
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: async (node) => [...(await (await feature.get()).children(node))],
        getParent: async (node) => (await feature.get()).parent(node),
        getTreeItem: async (node) => (await feature.get()).toItem(node),
      },
    }),
  );
  const report = (error: unknown) => deps.log.error(String(error));
  return new Domain(
    feature,
    // The editor waits two seconds for the tree of a view that activates the extension.
    afterActivation(() => tree.get(), report),
    afterActivation(
      async () => (await import("./scrape/linkActions.ts")).registerLinkActions(deps.session, feature),
      report,
    ),
    changed,
    vscode.workspace.registerTextDocumentContentProvider(resultScheme, {
      provideTextDocumentContent: async (uri) => (await feature.get()).contentOf(uri),
    }),
  );
}

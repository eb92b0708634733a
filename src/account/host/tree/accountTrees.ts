import * as vscode from "vscode";
import type { Lazy } from "../../../platform/lazy.ts";
import { views } from "../../../shared/names/ids.ts";
import type { AccountFeature } from "../accountFeature.ts";
import type { AccountTrees, AccountViewName } from "../deps.ts";
import type { AccountNode } from "./treeNode.ts";

/** The three views of the account. Their rows are loaded when one is shown. */
export function openTrees(
  feature: Lazy<AccountFeature>,
  changed: vscode.Event<AccountViewName>,
): vscode.Disposable & { readonly trees: AccountTrees } {
  const open = (name: AccountViewName) => openTree(name, feature, changed);
  const [keys, usage, limits] = [open("keys"), open("usage"), open("limits")];
  const all = vscode.Disposable.from(keys.disposable, usage.disposable, limits.disposable);
  return { trees: { keys: keys.tree, usage: usage.tree, limits: limits.tree }, dispose: () => all.dispose() };
}

function openTree(
  name: AccountViewName,
  feature: Lazy<AccountFeature>,
  changed: vscode.Event<AccountViewName>,
) {
  const fired = new vscode.EventEmitter<undefined>();
  const forwarding = changed((view) => view === name && fired.fire(undefined));
  const tree = vscode.window.createTreeView<AccountNode>(views[name], {
    showCollapseAll: true,
    canSelectMany: name === "keys",
    treeDataProvider: {
      onDidChangeTreeData: fired.event,
      // Only rows without a parent are revealed.
      getParent: () => undefined,
      getChildren: async (node) => [...(await (await feature.get()).children(name, node))],
      getTreeItem: async (node) => (await feature.get()).toItem(name, node),
    },
  });
  const opening = tree.onDidChangeVisibility(async ({ visible }) => {
    if (visible) (await feature.started)?.shown(name);
  });
  return { tree, disposable: vscode.Disposable.from(tree, fired, forwarding, opening) };
}

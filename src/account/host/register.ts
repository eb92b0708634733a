import * as vscode from "vscode";
import { registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { commands, views } from "../../shared/ids.ts";
import type { AccountFeature } from "./accountFeature.ts";
import type { AccountDeps, AccountTrees, AccountViewName } from "./deps.ts";
import { registerSpendBar } from "./spendBar.ts";
import type { AccountNode } from "./treeNode.ts";

/** Keys, usage and limits of the account, and the budgets. The feature is loaded on first use. */
export function registerAccount(deps: AccountDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<AccountViewName>();
  const feature = new Lazy<AccountFeature>(async () => {
    const { createAccountFeature } = await import("./accountFeature.ts");
    return createAccountFeature(deps, trees, (view) => changed.fire(view));
  });
  const treeOf = (name: AccountViewName) => {
    const fired = new vscode.EventEmitter<undefined>();
    const forwarding = changed.event((view) => view === name && fired.fire(undefined));
    const tree = vscode.window.createTreeView<AccountNode>(views[name], {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: fired.event,
        getChildren: async (node) => [...(await (await feature.get()).children(name, node))],
        getTreeItem: async (node) => (await feature.get()).toItem(name, node),
      },
    });
    const opening = tree.onDidChangeVisibility(async ({ visible }) => {
      if (visible) (await feature.started)?.shown(name);
    });
    return { tree, disposable: vscode.Disposable.from(tree, fired, forwarding, opening) };
  };
  const all = { keys: treeOf("keys"), usage: treeOf("usage"), limits: treeOf("limits") };
  const trees: AccountTrees = { keys: all.keys.tree, usage: all.usage.tree, limits: all.limits.tree };
  return vscode.Disposable.from(
    ...Object.values(all).map(({ disposable }) => disposable),
    changed,
    registerSpendBar(deps.session, deps.globalState),
    registerFeatureCommands<AccountFeature, AccountNode | undefined>(feature, {
      [commands.accountRefresh]: (account) => account.refresh(),
      [commands.accountAddAdminKey]: (account) => account.addAdmin(),
      [commands.accountCreateKey]: (account) => account.createKey(),
      [commands.accountEditKey]: (account, node) => account.updateKey(node?.keyId),
      [commands.accountRevokeKey]: (account, node) => account.revokeKey(node?.keyId),
      [commands.accountSortKeys]: (account) => account.sortKeys(),
      [commands.accountOpenDashboard]: (account) => account.showDashboard(),
      [commands.accountExportUsage]: (account) => account.exportUsage(),
      [commands.accountCopy]: (_, node) => vscode.env.clipboard.writeText(node?.copyText ?? ""),
    }),
    registerFeatureCommands(feature, {
      [commands.accountExplainCost]: (account, requestId) =>
        account.explainCost(typeof requestId === "string" ? requestId : undefined),
    }),
    vscode.commands.registerCommand(commands.accountChangeBudget, () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "inference.account"),
    ),
    feature,
  );
}

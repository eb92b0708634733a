import * as vscode from "vscode";
import { commands, views } from "../../shared/ids.ts";
import type { AccountFeature } from "./accountFeature.ts";
import type { AccountDeps, AccountTrees, AccountViewName } from "./deps.ts";
import { registerSpendBar } from "./spendBar.ts";
import type { AccountNode } from "./treeNode.ts";

/** Keys, usage and limits of the account, and the budgets. The feature is loaded on first use. */
export function registerAccount(deps: AccountDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<AccountViewName>();
  let loading: Promise<AccountFeature> | undefined;
  const load = async () => {
    const { createAccountFeature } = await import("./accountFeature.ts");
    return createAccountFeature(deps, trees, (view) => changed.fire(view));
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const treeOf = (name: AccountViewName) => {
    const fired = new vscode.EventEmitter<undefined>();
    const forwarding = changed.event((view) => view === name && fired.fire(undefined));
    const tree = vscode.window.createTreeView<AccountNode>(views[name], {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: fired.event,
        getChildren: async (node) => [...(await (await feature()).children(name, node))],
        getTreeItem: async (node) => (await feature()).toItem(name, node),
      },
    });
    const opening = tree.onDidChangeVisibility(async ({ visible }) => {
      if (visible && loading) (await feature()).shown(name);
    });
    return { tree, disposable: vscode.Disposable.from(tree, fired, forwarding, opening) };
  };
  const all = { keys: treeOf("keys"), usage: treeOf("usage"), limits: treeOf("limits") };
  const trees: AccountTrees = { keys: all.keys.tree, usage: all.usage.tree, limits: all.limits.tree };
  const command = (id: string, run: (account: AccountFeature, node: AccountNode | undefined) => unknown) =>
    vscode.commands.registerCommand(id, async (node?: AccountNode) => run(await feature(), node));
  return vscode.Disposable.from(
    ...Object.values(all).map(({ disposable }) => disposable),
    changed,
    registerSpendBar(deps.session, deps.globalState),
    command(commands.accountRefresh, (account) => account.refresh()),
    command(commands.accountAddAdmin, (account) => account.addAdmin()),
    command(commands.keyCreate, (account) => account.createKey()),
    command(commands.keyUpdate, (account, node) => account.updateKey(node?.keyId)),
    command(commands.keyRevoke, (account, node) => account.revokeKey(node?.keyId)),
    command(commands.keySort, (account) => account.sortKeys()),
    command(commands.usageDashboard, (account) => account.showDashboard()),
    command(commands.usageExport, (account) => account.exportUsage()),
    vscode.commands.registerCommand(commands.usageExplain, async (requestId?: unknown) =>
      (await feature()).explainCost(typeof requestId === "string" ? requestId : undefined),
    ),
    command(commands.accountCopy, (_, node) => vscode.env.clipboard.writeText(node?.copyText ?? "")),
    vscode.commands.registerCommand(commands.budgetEdit, () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "inference.budget"),
    ),
    { dispose: () => void loading?.then((account) => account.dispose()) },
  );
}

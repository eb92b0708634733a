import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { readAlertSettings } from "../../platform/settings.ts";
import { usageDashboard, views } from "../../shared/names/ids.ts";
import type { AccountFeature } from "./accountFeature.ts";
import type { AccountDeps, AccountTrees, AccountViewName } from "./deps.ts";
import type { AccountNode } from "./tree/treeNode.ts";

/** Keys, usage and limits of the account, and the budgets. The feature is loaded on first use. */
export function registerAccount(deps: AccountDeps): Domain<AccountFeature> {
  const changed = new vscode.EventEmitter<AccountViewName>();
  const feature = new Lazy<AccountFeature>(async () => {
    const [{ createAccountFeature }, { trees }] = await Promise.all([
      import("./accountFeature.ts"),
      opened.get(),
    ]);
    return createAccountFeature(deps, trees, (view) => changed.fire(view));
  });
  const treeOf = (name: AccountViewName) => {
    const fired = new vscode.EventEmitter<undefined>();
    const forwarding = changed.event((view) => view === name && fired.fire(undefined));
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
  };
  const opened = new Lazy(async () => {
    const [keys, usage, limits] = [treeOf("keys"), treeOf("usage"), treeOf("limits")];
    const trees: AccountTrees = { keys: keys.tree, usage: usage.tree, limits: limits.tree };
    const all = vscode.Disposable.from(keys.disposable, usage.disposable, limits.disposable);
    return { trees, dispose: () => void all.dispose() };
  });
  const report = (error: unknown) => deps.log.error(String(error));
  return new Domain(
    feature,
    // The editor waits two seconds for the tree of a view that activates the extension.
    afterActivation(() => opened.get(), report),
    changed,
    deps.session.onDidSpend(({ connection }) => {
      const { command, address } = readAlertSettings();
      if (command.length === 0 && address === "") return;
      feature
        .get()
        .then(({ alerts }) => alerts.spent(connection))
        .catch(report);
    }),
    // The editor keeps a tab that activates the extension until it has its provider.
    afterActivation(
      async () =>
        vscode.window.registerWebviewPanelSerializer(usageDashboard, {
          deserializeWebviewPanel: async (panel) => (await feature.get()).restoreDashboard(panel),
        }),
      report,
    ),
    afterActivation(
      async () =>
        (await import("./tree/spendBar.ts")).registerSpendBar(deps.session, deps.globalState, report),
      report,
    ),
  );
}

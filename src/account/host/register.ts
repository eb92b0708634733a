import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { usageDashboard } from "../../shared/names/ids.ts";
import type { AccountFeature } from "./accountFeature.ts";
import type { AccountDeps, AccountViewName } from "./deps.ts";

/** Keys, usage and limits of the account, and the budgets. The feature is loaded on first use. */
export function registerAccount(deps: AccountDeps): Domain<AccountFeature> {
  const changed = new vscode.EventEmitter<AccountViewName>();
  const feature: Lazy<AccountFeature> = new Lazy(async () => {
    const [{ createAccountFeature }, { trees }] = await Promise.all([
      import("./accountFeature.ts"),
      opened.get(),
    ]);
    return createAccountFeature(deps, trees, (view) => changed.fire(view));
  });
  const opened = new Lazy(async () =>
    (await import("./tree/accountTrees.ts")).openTrees(feature, changed.event),
  );
  const report = (error: unknown) => deps.log.error(String(error));
  return new Domain(
    feature,
    // The editor waits two seconds for the tree of a view that activates the extension.
    afterActivation(() => opened.get(), report),
    changed,
    // The editor keeps a tab that activates the extension until it has its provider.
    afterActivation(
      async () =>
        vscode.window.registerWebviewPanelSerializer(usageDashboard, {
          deserializeWebviewPanel: async (panel) => (await feature.get()).restoreDashboard(panel),
        }),
      report,
    ),
    afterActivation(async () => {
      const { registerSpendBar, watchAlerts } = await import("./tree/spendBar.ts");
      return vscode.Disposable.from(
        registerSpendBar(deps.session, deps.globalState, report),
        watchAlerts(deps.session, async () => (await feature.get()).alerts, report),
      );
    }, report),
  );
}

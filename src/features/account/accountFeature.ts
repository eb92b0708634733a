import * as vscode from "vscode";
import { choose } from "../../platform/ask.ts";
import { explain } from "../../platform/errorMessage.ts";
import { readSettings } from "../../platform/settings.ts";
import { spanText } from "../../shared/days.ts";
import { contexts } from "../../shared/ids.ts";
import { lastDays, needsAdmin } from "./accountData.ts";
import { type Account, accountMemory, accountOf, folderOf } from "./accountOf.ts";
import { addAdminConnection } from "./addAdmin.ts";
import { createKey } from "./createKey.ts";
import { createDashboard } from "./dashboardPanel.ts";
import { createDayFiles } from "./dayFiles.ts";
import type { AccountDeps, AccountTrees, AccountViewName } from "./deps.ts";
import { revokeKey, updateKey } from "./editKey.ts";
import { exportCommand } from "./exportCommand.ts";
import { type KeyOrder, keyNodes } from "./keyNodes.ts";
import { limitNodes } from "./limitNodes.ts";
import { createLimitWatch } from "./limitWatch.ts";
import { createSecretClipboard } from "./secretClipboard.ts";
import { toTreeItem, withOwnIds } from "./treeItems.ts";
import type { AccountNode } from "./treeNode.ts";
import { usageNodes } from "./usageNodes.ts";
import { whyCommand } from "./whyCommand.ts";

/** The account feature: its views and commands. */
export interface AccountFeature extends vscode.Disposable {
  children(view: AccountViewName, node: AccountNode | undefined): Promise<readonly AccountNode[]>;
  toItem(view: AccountViewName, node: AccountNode): vscode.TreeItem;
  /** A view became visible. */
  shown(view: AccountViewName): void;
  refresh(): void;
  addAdmin(): Promise<void>;
  createKey(): Promise<void>;
  updateKey(keyId: string | undefined): Promise<void>;
  revokeKey(keyId: string | undefined): Promise<void>;
  /** Asks for the sort order of keys. */
  sortKeys(): Promise<void>;
  showDashboard(): void;
  exportUsage(): Promise<void>;
  /** Without an id, asks the user to pick an action of this extension. */
  explainCost(requestId: string | undefined): Promise<void>;
}

const keyOrderItems: readonly {
  readonly label: string;
  readonly detail: string;
  readonly value: KeyOrder;
}[] = [
  { label: "Spend", detail: "By spend of the last 30 days, highest first.", value: "spend" },
  { label: "Name", detail: "From A to Z.", value: "name" },
  { label: "Last Used", detail: "Most recently used first, if the service lists keys.", value: "lastUsed" },
  { label: "Expiry", detail: "Next to expire first, if the service lists keys.", value: "expiry" },
];

const tickMs = 60_000;
/** Minimum interval between updates of the spend. */
const spendPauseMs = 2_000;

export function createAccountFeature(
  deps: AccountDeps,
  trees: AccountTrees,
  changed: (view: AccountViewName) => void,
): AccountFeature {
  const { session, connections, keys, log, globalState } = deps;
  const report = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const memory = accountMemory(globalState);
  const watch = createLimitWatch(Date.now);
  const names = ["keys", "usage", "limits"] as const;
  const storagePath = deps.globalStorageUri.fsPath;
  let account: { readonly identity: string; readonly value: Account } | undefined;
  let spendTimer: NodeJS.Timeout | undefined;

  const redraw = (...views: readonly AccountViewName[]) => {
    // A hidden view reloads its rows when it is shown again.
    for (const view of views) changed(view);
  };
  const current = (): Account | undefined => {
    const { active } = session;
    if (!active) return undefined;
    const identity = JSON.stringify([active, memory.adminOf(active.id)]);
    if (account?.identity !== identity) {
      const value = accountOf(active, {
        session,
        connections,
        globalState,
        storagePath,
        report,
        onChange: () => {},
      });
      account = { identity, value };
    }
    return account.value;
  };
  const explained = (error: unknown, { admin }: Account): AccountNode => {
    report(error);
    const { sentence } = explain(error, { service: admin.name, kind: admin.kind });
    return {
      id: "problem",
      label: sentence,
      tooltip: sentence,
      icon: "warning",
      tint: "warning",
      command: "refresh",
    };
  };
  const rootsOf = async (view: AccountViewName, of: Account): Promise<readonly AccountNode[]> => {
    const { data, connection } = of;
    if (view === "keys") return keyNodes(data, memory.keyOrder());
    if (view === "limits") return limitNodes({ data, watch, connection, spend: await session.spend() });
    // Spend of other clients of the account counts in the monthly budget, too.
    if (readSettings().budgets.monthUsd !== undefined) void data.month.load();
    return usageNodes(data, await (await session.spend()).totals(connection));
  };
  const roots = async (view: AccountViewName): Promise<readonly AccountNode[]> => {
    const of = current();
    if (!of) {
      trees[view].description = "";
      trees[view].message = "";
      return [];
    }
    try {
      const nodes = await rootsOf(view, of);
      if (view === "keys") setContexts(false, data(of).isListed);
      return nodes;
    } catch (error) {
      if (needsAdmin(error)) {
        setContexts(true, false);
        return [];
      }
      return [explained(error, of)];
    } finally {
      showAge(view, of);
    }
  };
  const data = (of: Account) => ({ isListed: of.data.keys.cached.value?.isListed ?? false });
  const setContexts = (isAdminMissing: boolean, isListed: boolean) => {
    void vscode.commands.executeCommand("setContext", contexts.needsAdmin, isAdminMissing);
    void vscode.commands.executeCommand("setContext", contexts.keysListed, isListed);
  };
  /** The title of a view shows that its sums are play money, and the age of older data; a message shows the reason. */
  const showAge = (view: AccountViewName, { data, admin, connection }: Account) => {
    const part = { keys: data.keys, usage: data.analytics(lastDays(30, data.now())), limits: data.limits }[
      view
    ];
    const { asOfMs, error, value } = part.cached;
    const age = asOfMs === undefined ? undefined : data.now() - asOfMs;
    trees[view].description = [
      ...(connection.kind === "sandbox" ? ["play money"] : []),
      ...(age === undefined || age < tickMs ? [] : [`${spanText(age)} ago`]),
    ].join(", ");
    const isStale = error !== undefined && value !== undefined && age !== undefined;
    trees[view].message = isStale
      ? `As of ${spanText(age)} ago. ${explain(error, { service: admin.name, kind: admin.kind }).sentence}`
      : "";
  };
  const spentLately = () => {
    spendTimer ??= setTimeout(() => {
      spendTimer = undefined;
      if (trees.usage.visible) redraw("usage");
    }, spendPauseMs);
  };
  const tick = setInterval(() => redraw(...names.filter((name) => trees[name].visible)), tickMs);
  const subscriptions = vscode.Disposable.from(
    session.onDidChangeActive(() => {
      redraw(...names);
      dashboard.accountChanged();
    }),
    session.onDidReceive(({ connection, event }) => watch.receive(connection.id, event)),
    session.onDidSpend(spentLately),
    keys.onDidChange((id) => {
      // Another key may belong to another account, so stored days are invalid.
      const connection = connections.byId(id);
      if (connection) void createDayFiles(folderOf(connection, storagePath)).clear().catch(report);
      account = undefined;
      redraw(...names);
    }),
  );
  const dashboard = createDashboard({ extensionUri: deps.extensionUri, account: current, log });
  const inAccount = async (run: (of: Account) => Promise<boolean>) => {
    const of = current();
    if (of && (await run(of))) {
      account = undefined;
      redraw(...names);
    }
  };
  const { env } = vscode;
  const clipboard = createSecretClipboard({
    readText: () => env.clipboard.readText(),
    writeText: (text) => env.clipboard.writeText(text),
  });
  const tools = { session, connections, keys, memory, log, clipboard };
  return {
    children: async (view, node) => {
      const of = current();
      try {
        return withOwnIds(node ? ((await node.children?.()) ?? []) : await roots(view));
      } catch (error) {
        return of ? [explained(error, of)] : [];
      }
    },
    toItem: (_, node) => toTreeItem(node),
    shown: (view) => redraw(view),
    refresh: () => redraw(...names),
    async sortKeys() {
      const items = keyOrderItems.map((item) => ({
        ...item,
        description: item.value === memory.keyOrder() ? "now" : "",
      }));
      const answer = await choose<KeyOrder>({
        title: "Sort API Keys",
        placeholder: "Select the sort order",
        items,
      });
      if (typeof answer !== "object") return;
      await memory.setKeyOrder(answer.value);
      redraw("keys");
    },
    showDashboard: () => dashboard.show(),
    async exportUsage() {
      const of = current();
      if (of) await exportCommand(of, dashboard, tools);
    },
    async explainCost(requestId) {
      const of = current();
      if (of) await whyCommand(of, requestId, tools, (filter) => dashboard.show(filter));
    },
    addAdmin: () => inAccount((of) => addAdminConnection(of, tools)),
    createKey: () => inAccount((of) => createKey(of, tools)),
    updateKey: (keyId) => inAccount((of) => updateKey(of, keyId, tools)),
    revokeKey: (keyId) => inAccount((of) => revokeKey(of, keyId, tools)),
    dispose() {
      clearInterval(tick);
      clearTimeout(spendTimer);
      subscriptions.dispose();
      dashboard.dispose();
      void clipboard.clear();
    },
  };
}

import { join } from "node:path";
import * as vscode from "vscode";
import { isCancelled } from "../../api/errors/errors.ts";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { withProgress } from "../../platform/editor/dialogs/progress.ts";
import { showExplanation } from "../../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import {
  createTemporaryFiles,
  type TemporaryFiles,
  temporaryListsIn,
} from "../../platform/files/durable/temporaryFiles.ts";
import { readBudgets } from "../../platform/settings.ts";
import type { Connection } from "../../session/connection/connection.ts";
import { commands } from "../../shared/names/ids.ts";
import { type Balance, maxAnalyticsDays } from "./accountData.ts";
import { type Account, type AccountMemory, accountMemory, accountOf, folderOf } from "./accountOf.ts";
import { AlertMarks } from "./alerts/alertMarks.ts";
import { Alerts } from "./alerts/alerts.ts";
import { budgetsState } from "./budgets/burnDown.ts";
import { changeBudget } from "./budgets/changeBudget.ts";
import { completionRows } from "./dashboard/completionRows.ts";
import { createDashboard, type Dashboard } from "./dashboard/dashboardPanel.ts";
import type { AccountDeps, AccountTrees, AccountViewName } from "./deps.ts";
import { exportCommand } from "./export/exportCommand.ts";
import { addAdminConnection } from "./keys/addAdmin.ts";
import { keyCommands, textIn } from "./keys/keyCommands.ts";
import { showKeyById } from "./keys/lookUpKey.ts";
import { SecretClipboard } from "./keys/secretClipboard.ts";
import { LimitWatch } from "./limits/limitWatch.ts";
import { type AccountViews, createAccountViews } from "./tree/accountViews.ts";
import { toTreeItem } from "./tree/treeItems.ts";
import type { AccountNode } from "./tree/treeNode.ts";
import { createDayFiles } from "./usage/days/dayFiles.ts";
import { readBill } from "./usage/readBill.ts";
import { isUnusable } from "./usage/usageNodes.ts";
import type { LoadedUsage } from "./usage/usageStore.ts";
import { whyCommand } from "./whyCommand.ts";

/** The account feature: its views and commands. */
export interface AccountFeature extends vscode.Disposable {
  children(view: AccountViewName, node: AccountNode | undefined): Promise<readonly AccountNode[]>;
  toItem(view: AccountViewName, node: AccountNode): vscode.TreeItem;
  /** Fills a tab of the dashboard that a former window had open. */
  restoreDashboard(panel: vscode.WebviewPanel): void;
  readonly alerts: Alerts;
  /** A view became visible. */
  shown(view: AccountViewName): void;
  readonly commands: DomainCommands<"account">;
}

export function createAccountFeature(
  deps: AccountDeps,
  trees: AccountTrees,
  changed: (view: AccountViewName) => void,
): AccountFeature {
  const { session, connections, keys, log, globalState, extensionUri } = deps;
  const report = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const memory = accountMemory(globalState, report);
  const watch = new LimitWatch(Date.now);
  const alerts = createAlerts(deps);
  const current = createCurrentAccount(deps, memory, alerts, report);
  const views = createAccountViews({
    ...{ session, account: current.get, memory, watch, trees, changed, report },
    onKeys: (of, list) => void ofKeys.seen(of, list).catch(report),
  });
  const recorded = { completions: completionsOf(deps), budgets: budgetsOf(deps) };
  const dashboard = createDashboard({ extensionUri, account: current.get, ...recorded, log });
  const clipboard = new SecretClipboard(vscode.env.clipboard);
  const tools = { session, connections, keys, memory, log, clipboard, temporary: temporaryOf(deps) };
  const subscriptions = vscode.Disposable.from(
    onBudgets(views, dashboard),
    session.onDidChangeActive(() => showOther(views, dashboard)),
    session.onDidReceive(({ connection, event }) => watch.receive(connection.id, event)),
    session.onDidSpend(({ connection }) => {
      views.onSpend();
      if (connection.id === session.active?.id) dashboard.spendChanged();
    }),
    keys.onDidChange((id) => {
      current.keyChanged(id);
      showOther(views, dashboard);
    }),
  );
  /** Runs a command that may change the account, and redraws the views if it has. */
  const change = async (run: (of: Account) => Promise<boolean>) => {
    const of = current.get();
    if (!of || !(await run(of))) return;
    current.forget();
    views.redraw();
  };
  const redraw = () => changed("keys");
  const ofKeys = keyCommands({ tools, account: current.get, change, dashboard, redraw });
  return {
    children: views.children,
    toItem: (_, node) => toTreeItem(node),
    alerts,
    restoreDashboard: (panel) => dashboard.restore(panel),
    shown: (view) => views.redraw(view),
    commands: {
      [commands.accountRefresh]: () => views.redraw(),
      [commands.accountAddAdminKey]: () => change((of) => addAdminConnection(of, tools)),
      ...ofKeys.commands,
      [commands.accountShowKey]: () => showKeyById(current.get(), views.showKey),
      [commands.accountSortKeys]: () => views.sortKeys(),
      [commands.accountOpenDashboard]: () => dashboard.show(),
      async [commands.accountExportUsage]() {
        const of = current.get();
        if (of)
          await exportCommand(of, { range: dashboard.range, shown: () => dashboard.shownOf(of) }, tools);
      },
      // Without an id, asks the user to pick an action of this extension.
      async [commands.accountExplainCost](requestId) {
        const of = current.get();
        const id = typeof requestId === "string" ? requestId : undefined;
        if (of) await whyCommand(of, id, tools, (filter) => dashboard.show(filter));
      },
      [commands.accountCopy]: (row) => vscode.env.clipboard.writeText(textIn(row, "copyText") ?? ""),
      [commands.accountTestAlert]: () => testAlert(current.get(), alerts),
      [commands.accountReadBill]: (row) => readBillOf(current.get(), row, () => views.redraw("usage")),
      [commands.accountReadWallet]: () => readWallet(current.get(), session, () => views.redraw("usage")),
      [commands.accountChangeBudget]: () => changeBudgetOf(session),
    },
    dispose() {
      vscode.Disposable.from(views, subscriptions, dashboard, tools.temporary).dispose();
      void clipboard.clear();
    },
  };
}

function createAlerts({ session, consents, log, globalStorageUri }: AccountDeps): Alerts {
  const marks = new AlertMarks(join(globalStorageUri.fsPath, "alerts"), Date.now);
  return new Alerts({ session, consents, log, marks, now: Date.now });
}

async function testAlert(of: Account | undefined, alerts: Alerts): Promise<void> {
  if (of) await alerts.test(of.connection);
}

function temporaryOf({ globalStorageUri }: AccountDeps): TemporaryFiles {
  return createTemporaryFiles(temporaryListsIn(globalStorageUri.fsPath));
}

/** Inline completions of an account's connection. */
function completionsOf({ session, counts }: AccountDeps) {
  return async ({ connection }: Account) => {
    const [spend, read] = await Promise.all([session.spend(), counts.get()]);
    return completionRows({ connection, counts: read, spend, nowMs: Date.now() });
  };
}

/** The budgets of an account's connection over their periods. */
function budgetsOf({ session }: AccountDeps) {
  return async ({ connection }: Account) =>
    budgetsState(await session.spend(), connection, readBudgets(), Date.now());
}

/** The account in use may be another one. */
function showOther(views: AccountViews, dashboard: Dashboard): void {
  views.redraw();
  dashboard.accountChanged();
}

function onBudgets(views: AccountViews, dashboard: Dashboard): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration("inference.account")) return;
    views.redraw("usage");
    dashboard.budgetsChanged();
  });
}

async function changeBudgetOf(session: AccountDeps["session"]): Promise<void> {
  const { active } = session;
  await changeBudget(active && { connection: active, spend: await session.spend() });
}

/** Asks the wallet to sign, and shows its balance, or why it can't be read. */
async function readWallet(
  of: Account | undefined,
  session: AccountDeps["session"],
  redraw: () => void,
): Promise<void> {
  const { wallet, connection } = of ?? {};
  if (!wallet || !connection) return;
  try {
    const client = await session.clientOf(connection, { kind: "account" });
    await withProgress("Reading the wallet's balance", (signal) => wallet.read(client, signal));
  } catch (error) {
    const explained = explain(error, { service: connection.name, kind: connection.kind });
    if (!isCancelled(error)) void showExplanation(explained, () => readWallet(of, session, redraw));
  }
  redraw();
}

/** The row names the days; without one, it is the longest range that the tree shows. */
async function readBillOf(of: Account | undefined, row: unknown, redraw: () => void): Promise<void> {
  const { days } = (row ?? {}) as Partial<Record<"days", unknown>>;
  const isShown = typeof days === "number" && Number.isInteger(days) && days > 0 && days <= maxAnalyticsDays;
  if (of) await readBill(of, isShown ? days : maxAnalyticsDays, redraw);
}

/** The account of the active connection. Its data is cached until the connection or its ADMIN key changes. */
function createCurrentAccount(
  { session, connections, globalState, globalStorageUri }: AccountDeps,
  memory: AccountMemory,
  alerts: Alerts,
  report: (error: unknown) => void,
) {
  const storagePath = globalStorageUri.fsPath;
  let cached: { readonly identity: string; readonly value: Account } | undefined;
  /** Another key of a connection may belong to another account. */
  const keyChanges = new Map<string, number>();
  /** By account, because its data is read again after a change. */
  const lookedUp = new Map<string, Set<string>>();
  const lookedUpIn = (identity: string) => {
    const keys = lookedUp.get(identity) ?? new Set();
    lookedUp.set(identity, keys);
    return keys;
  };
  const changesOf = (id: string | undefined) => (id === undefined ? 0 : (keyChanges.get(id) ?? 0));
  return {
    get(): Account | undefined {
      const { active } = session;
      if (!active) return undefined;
      const adminId = memory.adminOf(active.id);
      const keysNow = () => `${changesOf(active.id)} ${changesOf(adminId)}`;
      const keysThen = keysNow();
      const identity = JSON.stringify([active, keysThen, adminId]);
      if (cached?.identity !== identity) {
        const options = {
          identity,
          session,
          connections,
          globalState,
          storagePath,
          lookedUpKeys: lookedUpIn(identity),
          onBill: (of: Connection, usage: LoadedUsage) => void alerts.billRead(of, usage).catch(report),
          onBalance(of: Connection, balance: Balance) {
            if (isUnusable(balance)) void alerts.balanceEmpty(of, balance).catch(report);
          },
          isKeyCurrent: () => keysNow() === keysThen,
          report,
          onChange: () => {},
        };
        cached = { identity, value: accountOf(active, options) };
      }
      return cached.value;
    },
    forget() {
      cached = undefined;
    },
    /** Another key may belong to another account, so stored days are invalid. */
    keyChanged(connectionId: string) {
      keyChanges.set(connectionId, changesOf(connectionId) + 1);
      const connection = connections.byId(connectionId);
      if (connection) void createDayFiles(folderOf(connection, storagePath)).clear().catch(report);
      cached = undefined;
    },
  };
}

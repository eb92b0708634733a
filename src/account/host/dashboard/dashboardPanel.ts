import * as vscode from "vscode";
import { tabIcon, webviewPage, webviewRoot } from "../../../platform/editor/webviewPage.ts";
import { commands, usageDashboard } from "../../../shared/names/ids.ts";
import type { BudgetsState } from "../../protocol/budgetsProtocol.ts";
import {
  type CompletionRow,
  type FromUsageView,
  parseFromUsageView,
  type ToUsageView,
} from "../../protocol/usageProtocol.ts";
import type { Account } from "../accountOf.ts";
import { toCacheState } from "../cache/cacheState.ts";
import type { RecordView } from "../usage/recordTable.ts";
import type { StoredDays } from "../usage/usageStore.ts";
import { createDashboardController, isUsageRequest, type UsageRequest } from "./dashboardController.ts";

/** The dashboard's editor tab; there is at most one. */
export interface Dashboard extends vscode.Disposable {
  /** Opens the tab, with this text in the filter of its table if given. */
  show(filter?: string): void;
  /** Opens the tab with the calls and records of the key with this ending. */
  showKey(ending: string): void;
  /** Fills the tab that a former window had open. */
  restore(panel: vscode.WebviewPanel): void;
  /** The account or its key has changed. */
  accountChanged(): void;
  /** The ledger of the account has changed. */
  spendChanged(): void;
  /** The user's budgets have changed. */
  budgetsChanged(): void;
  /** The shown range, for the export. */
  readonly range: StoredDays;
  /** The records of its table with its filter and order, if they are those of this account. */
  shownOf(account: Account): RecordView | undefined;
}

export interface DashboardDeps {
  readonly extensionUri: vscode.Uri;
  readonly account: () => Account | undefined;
  /** Inline completions of the account's connection. */
  readonly completions: (account: Account) => Promise<readonly CompletionRow[]>;
  /** The budgets of the account's connection over their periods. */
  readonly budgets: (account: Account) => Promise<BudgetsState>;
  readonly log: vscode.LogOutputChannel;
}

const title = "Inference Usage";

export function createDashboard(deps: DashboardDeps): Dashboard {
  const { extensionUri, account, log } = deps;
  let panel: vscode.WebviewPanel | undefined;
  const report = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const post = (message: ToUsageView) => {
    void panel?.webview.postMessage(message);
    if (message.type === "state") recorded.post();
  };
  const recorded = createRecorded({ ...deps, report }, post);
  const controller = createDashboardController({ account, post, report });
  const handle = async (message: FromUsageView): Promise<unknown> =>
    isUsageRequest(message) ? controller.handle(message) : actInEditor(message);
  const options = { enableScripts: true, localResourceRoots: [webviewRoot(extensionUri)] };
  const fill = (opened: vscode.WebviewPanel) => {
    panel = opened;
    opened.iconPath = tabIcon(extensionUri);
    opened.webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromUsageView(received);
      if (!message) return log.warn("the usage dashboard sent an invalid message");
      handle(message).catch(report);
    });
    opened.onDidDispose(() => {
      controller.close();
      panel = undefined;
    });
    opened.webview.html = webviewPage(opened.webview, extensionUri, { bundle: "dashboard", title });
  };
  const show = () => {
    if (panel) {
      panel.reveal();
      void controller.load();
    } else fill(vscode.window.createWebviewPanel(usageDashboard, title, vscode.ViewColumn.Active, options));
  };
  return {
    show(filter) {
      if (filter !== undefined) controller.filter({ text: filter });
      show();
    },
    showKey(ending) {
      controller.filter({ key: ending });
      show();
    },
    restore(restored) {
      // There is at most one, and it may have been opened meanwhile.
      if (panel) return restored.dispose();
      restored.webview.options = options;
      fill(restored);
    },
    accountChanged() {
      controller.accountChanged();
      // A hidden page is destroyed, and sends `ready` when it is created again.
      if (panel?.visible) void controller.load();
    },
    spendChanged() {
      if (!panel?.visible) return;
      post({ v: 1, type: "callsChanged" });
      recorded.postSpent();
    },
    budgetsChanged() {
      if (panel?.visible) recorded.postBudgets();
    },
    get range() {
      return controller.range;
    },
    shownOf: ({ identity }) => controller.shownOf(identity),
    dispose() {
      controller.close();
      panel?.dispose();
    },
  };
}

interface RecordedDeps extends Pick<DashboardDeps, "account" | "completions" | "budgets"> {
  readonly report: (error: unknown) => void;
}

/** Sends what this computer has recorded of the account. What was read for another account is dropped. */
function createRecorded(
  { account, completions, budgets, report }: RecordedDeps,
  post: (message: ToUsageView) => void,
) {
  const send = async (read: (of: Account) => Promise<ToUsageView>) => {
    const of = account();
    const message = of && (await read(of));
    if (message && account()?.identity === of.identity) post(message);
  };
  const postCache = () =>
    void send(async (of) => ({ v: 1, type: "cache", state: toCacheState(await of.ledger()) })).catch(report);
  const postBudgets = () =>
    void send(async (of) => ({ v: 1, type: "budgets", state: await budgets(of) })).catch(report);
  return {
    /** After each call. */
    postSpent() {
      postCache();
      postBudgets();
    },
    postBudgets,
    post() {
      postCache();
      postBudgets();
      void send(async (of) => ({ v: 1, type: "completions", rows: await completions(of) })).catch(report);
    },
  };
}

type EditorRequest = Exclude<FromUsageView, UsageRequest>;

async function actInEditor(message: EditorRequest): Promise<unknown> {
  switch (message.type) {
    case "exportFile":
      return vscode.commands.executeCommand(commands.accountExportUsage);
    case "showRequest":
      return vscode.commands.executeCommand(commands.requestsShow, message.body.requestId);
    case "addAdmin":
      return vscode.commands.executeCommand(commands.accountAddAdminKey);
    case "changeBudget":
      return vscode.commands.executeCommand(commands.accountChangeBudget);
    case "openChat":
      return vscode.commands.executeCommand(commands.chatOpenInTab, message.body.conversation);
    case "copy":
      return vscode.env.clipboard.writeText(message.body.text);
  }
}

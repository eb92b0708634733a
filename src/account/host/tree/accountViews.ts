import * as vscode from "vscode";
import { choose } from "../../../platform/editor/dialogs/ask.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { readBudgets } from "../../../platform/settings.ts";
import type { Session } from "../../../session/session.ts";
import { allBudgetStates } from "../../../session/spend/spendBudget.ts";
import { contexts } from "../../../shared/names/ids.ts";
import { spanText } from "../../../shared/time/days.ts";
import { type KeyList, lastDays, needsAdmin } from "../accountData.ts";
import type { Account, AccountMemory } from "../accountOf.ts";
import { budgetNodes } from "../budgets/budgetNodes.ts";
import type { AccountTrees, AccountViewName } from "../deps.ts";
import { type KeyOrder, keyNodes, keyRowOf } from "../keys/keyNodes.ts";
import { limitNodes } from "../limits/limitNodes.ts";
import type { LimitWatch } from "../limits/limitWatch.ts";
import { usageNodes } from "../usage/usageNodes.ts";
import { withOwnIds } from "./treeItems.ts";
import type { AccountNode } from "./treeNode.ts";

/** The rows of the three views, and their titles. */
export interface AccountViews extends vscode.Disposable {
  children(view: AccountViewName, node: AccountNode | undefined): Promise<readonly AccountNode[]>;
  /** Requests the rows again; all views by default. A hidden view reads its rows when it is shown. */
  redraw(view?: AccountViewName): void;
  /** Money was spent: updates the visible sums after a pause. */
  onSpend(): void;
  /** Selects and opens the row of a key. */
  showKey(id: string): Promise<void>;
  /** Asks for the sort order of keys. */
  sortKeys(): Promise<void>;
}

export interface AccountViewsDeps {
  readonly session: Session;
  readonly account: () => Account | undefined;
  readonly memory: AccountMemory;
  readonly watch: LimitWatch;
  readonly trees: AccountTrees;
  readonly changed: (view: AccountViewName) => void;
  readonly report: (error: unknown) => void;
  /** The list of keys was read. */
  readonly onKeys: (account: Account, keys: KeyList) => void;
}

const names = ["keys", "usage", "limits"] as const;
const tickMs = 60_000;
/** Minimum interval between updates of the spend. */
const spendPauseMs = 2_000;

/** The row in place of those that could not be read. */
function toProblem(error: unknown, { admin }: Account): AccountNode {
  const { sentence } = explain(error, { service: admin.name, kind: admin.kind });
  const row = { id: "problem", label: sentence, tooltip: { title: sentence } } as const;
  return { ...row, icon: "warning", tint: "warning", command: "refresh" };
}

/** Without an admin key, the welcome text of the view says what to do. */
function problemsOf(error: unknown, of: Account, report: AccountViewsDeps["report"]): readonly AccountNode[] {
  if (needsAdmin(error)) {
    setContexts(true, false);
    return [];
  }
  report(error);
  return [toProblem(error, of)];
}

/** Ages are in minutes. Without a connection they go on, and nothing is requested. */
function drawAgain({ session, account, trees, changed }: AccountViewsDeps): void {
  const of = account();
  for (const name of names) {
    if (!trees[name].visible) continue;
    const isAway = of && session.isPaused(name === "limits" ? of.connection : of.admin);
    if (isAway) showAge(trees[name], name, of);
    else changed(name);
  }
}

export function createAccountViews(deps: AccountViewsDeps): AccountViews {
  const { account, memory, trees, changed, report } = deps;
  let spendTimer: NodeJS.Timeout | undefined;
  const tick = setInterval(() => drawAgain(deps), tickMs);
  const isCurrent = ({ identity }: Account) => account()?.identity === identity;
  /** The account whose rows a view has. */
  const shown = new Map<AccountViewName, string>();
  /** Removes the rows of another account at once: those of this one may take long. */
  const isOthers = (view: AccountViewName, { identity }: Account): boolean => {
    const before = shown.get(view);
    shown.set(view, identity);
    return before !== undefined && before !== identity;
  };
  const roots = async (view: AccountViewName): Promise<readonly AccountNode[]> => {
    const of = account();
    const tree = trees[view];
    if (!of) {
      shown.delete(view);
      Object.assign(tree, untitled);
      return [];
    }
    if (isOthers(view, of)) {
      Object.assign(tree, untitled);
      setImmediate(() => changed(view));
      return [readingNode];
    }
    return readRoots(view, of);
  };
  const readRoots = async (view: AccountViewName, of: Account): Promise<readonly AccountNode[]> => {
    try {
      const nodes = await rootsOf(view, of, deps);
      if (!isCurrent(of)) return roots(view);
      if (view === "keys") keysRead(of, deps);
      return [...(await walletNodes(view, of, deps)), ...nodes];
    } catch (error) {
      if (!isCurrent(of)) return roots(view);
      return [...(await walletNodes(view, of, deps)), ...problemsOf(error, of, report)];
    } finally {
      if (isCurrent(of)) showAge(trees[view], view, of);
    }
  };
  return {
    async children(view, node) {
      const of = account();
      try {
        return withOwnIds(node ? ((await node.children?.()) ?? []) : await roots(view));
      } catch (error) {
        if (!of) return [];
        report(error);
        return [toProblem(error, of)];
      }
    },
    redraw(view) {
      for (const name of view ? [view] : names) changed(name);
    },
    onSpend() {
      spendTimer ??= setTimeout(() => {
        spendTimer = undefined;
        if (trees.usage.visible) changed("usage");
      }, spendPauseMs);
    },
    async showKey(id) {
      changed("keys");
      // After a change of the account the first rows only say that it is read, and VS Code asks once for the row.
      await roots("keys");
      await trees.keys.reveal(keyRowOf(id), { select: true, focus: true, expand: true });
    },
    async sortKeys() {
      const order = await askKeyOrder(memory.keyOrder());
      if (!order) return;
      await memory.setKeyOrder(order);
      changed("keys");
    },
    dispose() {
      clearInterval(tick);
      clearTimeout(spendTimer);
    },
  };
}

/** A wallet needs no key, so its row is there although the others can't be read. */
async function walletNodes(
  view: AccountViewName,
  { wallet, connection }: Account,
  { session, report }: AccountViewsDeps,
): Promise<readonly AccountNode[]> {
  if (view !== "usage" || !wallet) return [];
  try {
    return wallet.nodes(await session.clientOf(connection, { kind: "account" }));
  } catch (error) {
    report(error);
    return [];
  }
}

const untitled = { description: "", message: "" };
const readingNode: AccountNode = { id: "reading", label: "Reading…", icon: "loading~spin", tint: "quiet" };

async function rootsOf(
  view: AccountViewName,
  { data, connection, admin }: Account,
  { session, memory, watch }: AccountViewsDeps,
): Promise<readonly AccountNode[]> {
  if (view === "keys") return keyNodes(data, memory.keyOrder());
  if (view === "limits") return limitNodes({ data, watch, connection, spend: await session.spend() });
  // Spend of other clients of the account counts in the monthly budget, too.
  if (readBudgets().monthUsd !== undefined) void data.month.load();
  const explained = (error: unknown) => explain(error, { service: admin.name, kind: admin.kind }).sentence;
  // The bill of today is read with the rows, so the ledger has it before.
  await data.today.load();
  const spend = await session.spend();
  const budgets = readBudgets();
  const own = await spend.totals(connection);
  const rows = budgetNodes(await allBudgetStates(spend, connection, budgets), budgets.parts?.faults ?? []);
  const nodes = await usageNodes({ data, own, explain: explained });
  return nodes.flatMap((node) => (node.id === "own" ? [node, ...rows] : [node]));
}

function keysRead(of: Account, { onKeys }: AccountViewsDeps): void {
  const { value } = of.data.keys.cached;
  setContexts(false, value?.isListed ?? false);
  if (value) onKeys(of, value);
}

function setContexts(isAdminMissing: boolean, isListed: boolean): void {
  void vscode.commands.executeCommand("setContext", contexts.needsAdmin, isAdminMissing);
  void vscode.commands.executeCommand("setContext", contexts.keysListed, isListed);
}

/** The title of a view names play money and the age of older data. A message says why the data is old. */
function showAge(
  tree: vscode.TreeView<AccountNode>,
  view: AccountViewName,
  { data, admin, connection }: Account,
): void {
  const resource = {
    keys: data.keys,
    usage: data.analytics(lastDays(30, data.now())),
    limits: data.limits,
  }[view];
  const { asOfMs, error, value } = resource.cached;
  const age = asOfMs === undefined ? undefined : data.now() - asOfMs;
  tree.description = [
    ...(connection.kind === "sandbox" ? ["play money"] : []),
    ...(age === undefined || age < tickMs ? [] : [`${spanText(age)} ago`]),
  ].join(", ");
  const isStale = error !== undefined && value !== undefined && age !== undefined;
  tree.message = isStale
    ? `As of ${spanText(age)} ago. ${explain(error, { service: admin.name, kind: admin.kind }).sentence}`
    : "";
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
  {
    label: "Owner",
    detail: "In groups by the owner, which follows “ · ” in the name of a key.",
    value: "owner",
  },
];

async function askKeyOrder(current: KeyOrder): Promise<KeyOrder | undefined> {
  const answer = await choose<KeyOrder>({
    title: "Sort API Keys",
    placeholder: "Select the sort order",
    items: keyOrderItems.map((item) => ({ ...item, description: item.value === current ? "now" : "" })),
  });
  return typeof answer === "object" ? answer.value : undefined;
}

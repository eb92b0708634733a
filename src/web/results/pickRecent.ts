import * as vscode from "vscode";
import { visibleItem } from "../../platform/editor/dialogs/ask.ts";
import type { RecentGroup, RecentItem } from "../../session/recentResults.ts";
import { iconOf, labelOf, resultFacts } from "./resultTree.ts";
import type { StoredResult } from "./storedResult.ts";

interface Row extends vscode.QuickPickItem {
  open?(): Promise<void>;
}

const kinds: readonly (readonly [StoredResult["kind"], string])[] = [
  ["search", "Searches"],
  ["page", "Pages"],
  ["document", "Documents"],
];

/** Lets the user pick a stored result, of this feature or of others, and opens it. */
export async function pickRecent(
  results: readonly StoredResult[],
  others: readonly RecentGroup[],
  open: (stored: StoredResult) => Promise<void>,
): Promise<void> {
  const nowMs = Date.now();
  const own = kinds.map(([kind, label]) => {
    const some = results.filter((stored) => stored.kind === kind);
    return groupRows(
      label,
      some.map((stored) => storedRow(stored, nowMs, open)),
    );
  });
  const theirs = await Promise.all(
    others.map(async (group) => groupRows(group.label, (await group.list()).map(itemRow))),
  );
  const rows = [...own, ...theirs].flat();
  if (rows.length === 0) {
    void vscode.window.showInformationMessage("No results are stored yet.");
    return;
  }
  const options = {
    title: "Recent Results",
    placeHolder: "Opening a stored result is free",
    matchOnDetail: true,
  };
  const chosen = await vscode.window.showQuickPick(
    rows.map((row) => ({ ...row, ...visibleItem(row) })),
    options,
  );
  await chosen?.open?.();
}

function groupRows(label: string, rows: readonly Row[]): Row[] {
  return rows.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
}

function storedRow(stored: StoredResult, nowMs: number, open: (stored: StoredResult) => Promise<void>): Row {
  const detail = stored.kind === "page" ? { detail: stored.url } : {};
  return {
    label: labelOf(stored),
    description: resultFacts(stored, nowMs),
    iconPath: iconOf(stored),
    ...detail,
    open: () => open(stored),
  };
}

function itemRow(item: RecentItem): Row {
  const { label, description, icon } = item;
  return { label, description, iconPath: new vscode.ThemeIcon(icon), open: () => item.open() };
}

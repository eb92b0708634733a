import * as vscode from "vscode";
import type { KeptResult } from "./keptResult.ts";
import { factsOf, iconOf, labelOf } from "./resultTree.ts";

interface Row extends vscode.QuickPickItem {
  readonly kept?: KeptResult;
}

const groups: readonly (readonly [KeptResult["kind"], string])[] = [
  ["search", "Searches"],
  ["page", "Pages"],
  ["document", "Documents"],
];

/** Lets the user choose one of the results that are kept. */
export async function pickRecent(
  results: readonly KeptResult[],
  nowMs: number,
): Promise<KeptResult | undefined> {
  if (results.length === 0) {
    void vscode.window.showInformationMessage("There is nothing yet that was searched, scraped or parsed.");
    return undefined;
  }
  const rows = groups.flatMap(([kind, label]): Row[] => {
    const some = results.filter((kept) => kept.kind === kind);
    const separator = { label, kind: vscode.QuickPickItemKind.Separator };
    return some.length === 0 ? [] : [separator, ...some.map((kept) => rowOf(kept, nowMs))];
  });
  const options = {
    title: "Recent Results",
    placeHolder: "Opened again without paying",
    matchOnDetail: true,
  };
  return (await vscode.window.showQuickPick(rows, options))?.kept;
}

function rowOf(kept: KeptResult, nowMs: number): Row {
  const detail = kept.kind === "page" ? { detail: kept.url } : {};
  return { label: labelOf(kept), description: factsOf(kept, nowMs), iconPath: iconOf(kept), kept, ...detail };
}

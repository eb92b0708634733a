import * as vscode from "vscode";
import { formatUsd } from "../../../shared/formatUsd.ts";
import { settings } from "../../../shared/ids.ts";
import { resultFacts } from "../resultTree.ts";
import type { StoredSearch } from "../storedResult.ts";
import { queryProblem, toQuery } from "./searchQuery.ts";

export interface QueryBox {
  readonly value: string;
  /** Searches of before, newest first. */
  readonly earlier: readonly StoredSearch[];
  readonly provider: { readonly name: string; readonly privacy: string };
  readonly limit: number;
  readonly usd: number;
  /** True for the sandbox's play money. */
  readonly isPlayMoney: boolean;
  readonly nowMs: number;
}

/** What to do: ask the service, open what was found before, or choose another provider and come back. */
export type QueryAnswer =
  | { readonly type: "search"; readonly query: string }
  | { readonly type: "open"; readonly kept: StoredSearch }
  | { readonly type: "provider"; readonly typed: string };

interface Row extends vscode.QuickPickItem {
  readonly answer?: QueryAnswer;
}

const mostEarlier = 50;

/** A box to type a query in. Under it what it costs, who sees it, and what was searched before. */
export function askQuery(box: QueryBox): Promise<QueryAnswer | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  const providerButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("shield"),
    tooltip: "Choose the Provider",
  };
  const settingsButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("gear"),
    tooltip: "Settings of Searches",
  };
  pick.title = "Search the Web";
  pick.placeholder = "What to search for";
  pick.buttons = [providerButton, settingsButton];
  pick.matchOnDescription = false;
  // What is typed outlasts a look at the text it is about.
  pick.ignoreFocusOut = true;
  pick.value = toQuery(box.value);
  const fill = () => {
    pick.items = rowsFor(box, toQuery(pick.value));
  };
  fill();
  return new Promise((resolve) => {
    const done = (answer: QueryAnswer | undefined) => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidChangeValue(fill);
    pick.onDidTriggerButton((button) => {
      if (button === providerButton) return done({ type: "provider", typed: pick.value });
      void vscode.commands.executeCommand("workbench.action.openSettings", settings.searchProvider);
      done(undefined);
    });
    pick.onDidAccept(() => {
      const answer = pick.activeItems[0]?.answer;
      if (answer?.type === "open") return done(answer);
      // Rows follow what is typed a moment later than it is typed.
      const query = toQuery(pick.value);
      if (!queryProblem(query)) done({ type: "search", query });
    });
    pick.onDidHide(() => done(undefined));
    pick.show();
  });
}

function rowsFor({ earlier, provider, limit, usd, isPlayMoney, nowMs }: QueryBox, typed: string): Row[] {
  const problem = queryProblem(typed);
  const { Separator } = vscode.QuickPickItemKind;
  const first: Row = problem
    ? { label: problem, iconPath: icon(typed === "" ? "search" : "error"), alwaysShow: true }
    : {
        label: typed,
        iconPath: icon("search"),
        description: `${formatUsd(usd, isPlayMoney)}, up to ${limit} results`,
        detail: `${provider.name}: ${provider.privacy}`,
        alwaysShow: true,
        answer: { type: "search", query: typed },
      };
  const known = earlier.slice(0, mostEarlier).map(
    (stored): Row => ({
      label: stored.query,
      iconPath: icon("history"),
      description: resultFacts(stored, nowMs),
      answer: { type: "open", kept: stored },
    }),
  );
  const separator: Row[] =
    known.length > 0 ? [{ label: "Searched before, opened again without paying", kind: Separator }] : [];
  return [first, ...separator, ...known];
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}

import * as vscode from "vscode";
import { statusText } from "../../api/endpoint.ts";
import { augment } from "../../api/endpoints/augment.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { settings } from "../../shared/names/ids.ts";
import { oneLine } from "../../shared/text/lineFeeds.ts";
import { resultFacts } from "../results/resultTree.ts";
import type { StoredSearch } from "../results/storedResult.ts";
import { queryProblem } from "./searchQuery.ts";

export interface QueryBox {
  readonly value: string;
  /** Stored searches, newest first. */
  readonly earlier: readonly StoredSearch[];
  readonly provider: { readonly name: string; readonly privacy: string };
  readonly limit: number;
  readonly usd: number;
  /** The upper price of an answer from pages, in words; empty if it can't be told. */
  readonly answerPrice: Promise<string>;
  /** True for the sandbox's play money. */
  readonly isPlayMoney: boolean;
  readonly nowMs: number;
}

/** Search, have a question answered from pages, open a stored search, or change the provider and ask again. */
export type QueryAnswer =
  | { readonly type: "search"; readonly query: string }
  | { readonly type: "ask"; readonly question: string }
  | { readonly type: "open"; readonly result: StoredSearch }
  | { readonly type: "provider"; readonly typed: string };

interface Row extends vscode.QuickPickItem {
  readonly answer?: QueryAnswer;
}

const mostEarlier = 50;

/** A quick pick for the query. It shows the price, the provider's privacy and stored searches. */
export function askQuery(box: QueryBox): Promise<QueryAnswer | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  const providerButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("shield"),
    tooltip: "Choose the Provider",
  };
  const settingsButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("gear"),
    tooltip: "Search Settings",
  };
  pick.title = `Search the Web${statusText(augment.search)}`;
  pick.placeholder = "What to search for";
  pick.buttons = [providerButton, settingsButton];
  pick.matchOnDescription = false;
  // Keep the input while the user looks at an editor.
  pick.ignoreFocusOut = true;
  pick.value = oneLine(box.value);
  let answerPrice = "";
  const fill = () => {
    pick.items = rowsFor(box, answerPrice, oneLine(pick.value));
  };
  fill();
  // The list of models may take a while, and is not needed for a search.
  void box.answerPrice.then((price) => {
    answerPrice = price;
    fill();
  });
  return new Promise((resolve) => {
    const done = (answer: QueryAnswer | undefined) => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidChangeValue(fill);
    pick.onDidTriggerButton((button) => {
      if (button === providerButton) return done({ type: "provider", typed: pick.value });
      void vscode.commands.executeCommand("workbench.action.openSettings", settings.webSearchProvider);
      done(undefined);
    });
    pick.onDidAccept(() => {
      const answer = pick.activeItems[0]?.answer;
      if (answer?.type === "open") return done(answer);
      // The rows lag behind the typed text, so read the text.
      const query = oneLine(pick.value);
      if (queryProblem(query)) return;
      done(answer?.type === "ask" ? { type: "ask", question: query } : { type: "search", query });
    });
    pick.onDidHide(() => done(undefined));
    pick.show();
  });
}

function rowsFor(box: QueryBox, answerPrice: string, typed: string): Row[] {
  const { earlier, provider, limit, usd, isPlayMoney, nowMs } = box;
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
  const second: Row[] = problem
    ? []
    : [
        {
          label: "Ask the Web",
          iconPath: icon("comment-discussion-sparkle"),
          description: "an answer in the chat, with footnotes",
          ...(answerPrice === "" ? {} : { detail: answerPrice }),
          alwaysShow: true,
          answer: { type: "ask", question: typed },
        },
      ];
  const rows = earlier.slice(0, mostEarlier).map(
    (stored): Row => ({
      label: stored.query,
      iconPath: icon("history"),
      description: resultFacts(stored, nowMs),
      answer: { type: "open", result: stored },
    }),
  );
  const separator: Row[] =
    rows.length > 0 ? [{ label: "Earlier searches, free to open", kind: Separator }] : [];
  return [first, ...second, ...separator, ...rows];
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}

import * as vscode from "vscode";
import type { Session } from "../../session/session.ts";
import type { ChainSpend } from "../../session/spend.ts";
import { dayMs, dayOf } from "../../shared/days.ts";
import { notebooks } from "../../shared/ids.ts";
import { toNumber } from "../../shared/money/exact.ts";
import { usdAmount } from "../../shared/rpc/usdText.ts";
import { type CreditPrice, usdRange } from "./money.ts";
import { estimateCell, sumEstimates } from "./plan/plan.ts";
import type { Projects } from "./projects.ts";

/** Chain RPC over the connection in use on one UTC day, as the session's ledger has it. */
interface Spending {
  readonly day: number;
  readonly notebook: vscode.NotebookDocument;
  readonly service: string;
  readonly isPlayMoney: boolean;
  readonly own: ChainSpend;
  readonly all: ChainSpend;
}

export interface NotebookSumDeps {
  readonly session: Session;
  readonly projects: Projects;
  readonly price: CreditPrice;
  /** The name under which a notebook's calls are in the ledger. */
  readonly callerOf: (notebook: vscode.NotebookDocument) => string;
  readonly report: (error: unknown) => void;
}

/** In the window's status bar: what the whole notebook would cost, and what it has cost today. */
export function registerNotebookSum(deps: NotebookSumDeps): vscode.Disposable {
  const { session, projects, price } = deps;
  const item = vscode.window.createStatusBarItem("inference.rpc", vscode.StatusBarAlignment.Right, 49);
  item.name = "RPC Notebook";
  let known: Spending | undefined;
  let reads = 0;
  const current = () => {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    return notebook?.notebookType === notebooks.rpc ? notebook : undefined;
  };
  const show = () => {
    const notebook = current();
    if (!notebook) return item.hide();
    const { project } = projects.of(notebook);
    const { credits } = sumEstimates(project.cells.map((_, index) => estimateCell(project, index)));
    const isCurrent = known?.notebook === notebook && known.day === dayOf(Date.now());
    item.text = [
      `$(notebook) Run all: ${credits} credits`,
      ...(known && isCurrent ? [textOf(known)] : []),
    ].join(" · ");
    const cost = `All cells once: ${credits} credits, ${usdRange(credits, price.now(), price.isPlayMoney)}.`;
    item.tooltip = [cost, ...(known && isCurrent ? tooltipOf(known) : [])].join("\n");
    item.show();
    // Another day has begun.
    if (known && !isCurrent) void read();
  };
  const read = async () => {
    const [notebook, { active }] = [current(), session];
    const turn = ++reads;
    if (!notebook || !active) return;
    try {
      const day = dayOf(Date.now());
      const spend = await session.spend();
      const own = await spend.chainSpend(active, day * dayMs, deps.callerOf(notebook));
      const all = await spend.chainSpend(active, day * dayMs);
      // A newer question has a newer answer.
      if (turn !== reads) return;
      known = { day, notebook, service: active.name, isPlayMoney: active.kind === "sandbox", own, all };
      if (current() === notebook) show();
    } catch (error) {
      deps.report(error);
    }
  };
  const renew = () => {
    show();
    void read();
  };
  renew();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveNotebookEditor(renew),
    vscode.workspace.onDidChangeNotebookDocument(show),
    vscode.workspace.onDidOpenNotebookDocument(show),
    vscode.workspace.onDidCloseNotebookDocument(show),
    session.onDidSpend(({ connection }) => {
      if (connection.id === session.active?.id) void read();
    }),
    session.onDidChangeActive(() => {
      known = undefined;
      renew();
    }),
    // Another window may have spent meanwhile.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void read();
    }),
  );
}

function textOf({ own, all }: Spending): string {
  const others = all.credits > own.credits ? ` (${creditsText(all)} in all)` : "";
  return `spent ${creditsText(own)} today${others}`;
}

function tooltipOf({ own, all, service, isPlayMoney }: Spending): readonly string[] {
  const sumText = (sum: ChainSpend) =>
    `${creditsText(sum)} credits, ${usdAmount(toNumber(sum.usd), isPlayMoney)}`;
  return [
    `Spent today (UTC) in this notebook: ${sumText(own)}.`,
    `All chain RPC over ${service}: ${sumText(all)}.`,
  ];
}

function creditsText({ credits, unstated }: ChainSpend): string {
  return unstated > 0 ? `at least ${credits}` : String(credits);
}

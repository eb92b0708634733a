import * as vscode from "vscode";
import { commands, notebooks } from "../../shared/ids.ts";
import { isMainnet, localNetwork } from "../../shared/rpc/networks.ts";
import { usdAmount } from "../../shared/rpc/usdText.ts";
import type { RpcController } from "./controller.ts";
import { networksOfCell } from "./language/project.ts";
import { type CreditPrice, usdMost, usdRange } from "./money.ts";
import { type Estimate, estimateCell } from "./plan/plan.ts";
import { isRequestCell, type Projects } from "./projects.ts";
import { isFine } from "./run/output.ts";

/** Under each cell: which network it asks, what a run costs, and what the last one came to. */
export function registerStatusBar(
  projects: Projects,
  controller: RpcController,
  price: CreditPrice,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    controller.onDidRun(() => changed.fire()),
    controller.onDidLoad(() => changed.fire()),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
      if (notebook.notebookType === notebooks.rpc) changed.fire();
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebooks.rpc, {
      onDidChangeCellStatusBarItems: changed.event,
      provideCellStatusBarItems: (cell) =>
        isRequestCell(cell) ? itemsOf(projects, controller, cell, price) : [],
    }),
  );
}

const { Left, Right } = vscode.NotebookCellStatusBarAlignment;

function itemsOf(
  projects: Projects,
  controller: RpcController,
  cell: vscode.NotebookCell,
  price: CreditPrice,
) {
  const { project, cells } = projects.of(cell.notebook);
  const index = cells.indexOf(cell);
  const one = project.cells[index];
  if (!one) return [];
  const networks = networksOfCell(project, one);
  const network = new vscode.NotebookCellStatusBarItem(networkText(networks), Left);
  network.tooltip = "The network that this cell asks. Click to choose another one, or several.";
  network.command = { command: commands.rpcNetwork, title: "Choose Network", arguments: [cell] };
  network.priority = 2;
  const last = controller.history.of(cell).at(-1);
  const expected = estimateCell(project, index);
  const estimate = new vscode.NotebookCellStatusBarItem(
    estimateText(expected, last !== undefined, price),
    Left,
  );
  estimate.tooltip = estimateTooltip(expected, price);
  estimate.priority = 1;
  if (!last) return [network, estimate];
  const bill = new vscode.NotebookCellStatusBarItem(billText(last.output), Right);
  bill.tooltip = billTooltip(last.output);
  bill.command = { command: commands.rpcHistory, title: "Show Past Runs", arguments: [cell] };
  return [network, estimate, bill];
}

function networkText(networks: readonly string[]): string {
  const [first = ""] = networks;
  const icon = networks.every((one) => one === localNetwork)
    ? "$(vm)"
    : networks.some(isMainnet)
      ? "$(globe)"
      : "$(beaker)";
  return networks.length === 1 ? `${icon} ${first}` : `${icon} ${networks.length} networks`;
}

/** Short, for what does not fit in the bar is not shown at all; once there is a bill, its USD are enough. */
function estimateText(
  { items, credits, open, rounds }: Estimate,
  hasBill: boolean,
  price: CreditPrice,
): string {
  if (items === 0) return "nothing to send";
  const calls = `${items} call${items === 1 ? "" : "s"}`;
  const often = rounds > 1 ? ` · ${rounds} rounds` : "";
  const usd = open || hasBill ? "" : ` ≤ ${usdMost(credits, price.now(), price.isPlayMoney)}`;
  return `${calls}${often} · ${credits === 0 ? "free" : `${open ? "≥ " : ""}${credits} credits${usd}`}`;
}

function estimateTooltip({ credits, requests, open }: Estimate, price: CreditPrice): string {
  const sent = `${requests} request${requests === 1 ? "" : "s"}`;
  if (credits === 0) return `${sent}, free.`;
  return `${sent}, ${open ? "at least " : ""}${credits} credits, ${usdRange(credits, price.now(), price.isPlayMoney)}, if every item has a result; one that ends in an error costs 5 credits.`;
}

type Output = ReturnType<RpcController["history"]["of"]>[number]["output"];

function billText(output: Output): string {
  const { total, calls, isPlayMoney } = output;
  const replayed = calls.length > 0 && calls.every((call) => call.replayed);
  if (replayed) return "$(check) replayed, free";
  const icon = isFine(output) ? "$(check)" : "$(warning)";
  return `${icon} ${total.credits} credits · ${usdAmount(total.usd, isPlayMoney)} · ${Math.round(total.ms)} ms`;
}

function billTooltip({ total, calls, lines, atMs }: Output): string {
  const errors = lines.filter(({ outcome }) => outcome.kind === "error").length;
  const difference = total.credits - total.estimatedCredits;
  return [
    `Charged ${total.credits} credits; ${total.estimatedCredits} were foreseen${difference === 0 ? "" : ` (${difference > 0 ? "+" : ""}${difference})`}.`,
    ...(errors > 0 ? [`${errors} item${errors === 1 ? "" : "s"} ended in an error, at 5 credits each.`] : []),
    `Run at ${new Date(atMs).toLocaleString()}. Click for earlier runs.`,
    ...calls.flatMap(({ requestId, items }) => (requestId ? [`Request ${requestId}: ${items} calls`] : [])),
  ].join("\n");
}

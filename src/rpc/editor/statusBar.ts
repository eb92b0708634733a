import * as vscode from "vscode";
import type { Session } from "../../session/session.ts";
import type { ChainSpend } from "../../session/spend/spend.ts";
import type { AnyMoney } from "../../shared/money/money.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import { commands, notebooks } from "../../shared/names/ids.ts";
import { isMainnet, localNetwork } from "../../shared/rpc/networks.ts";
import { plural } from "../../shared/text/plural.ts";
import { dayMs, dayOf } from "../../shared/time/days.ts";
import { variablesUsedIn } from "../language/assist/references.ts";
import { refusalOf } from "../language/check/diagnose/diagnose.ts";
import { environmentOfCell, namedEnvironment, type Project } from "../language/project.ts";
import { type PriceUnit, priceOf } from "../output/usdText.ts";
import { isFine } from "../run/output.ts";
import { type Estimate, estimateCell } from "../run/plan/estimate.ts";
import { type CreditPrice, mostPrice, priceRange } from "../run/plan/money.ts";
import { canSimulate, planCell } from "../run/plan/plan.ts";
import { changesText, isRequestCell, type Projects } from "./explorer/projects.ts";
import { notebookSum } from "./notebookSum.ts";
import type { RpcController } from "./run/controller.ts";

/** Milliseconds after the last run of several, and at most after the first, until they are shown together. */
const quietMs = 150;
const latestMs = 1_000;

/** The status bar of each cell: its network, the expected cost, and the cost of the last run. */
export function registerStatusBar(
  projects: Projects,
  controller: RpcController,
  price: CreditPrice,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  // The editor asks for the items of all cells in sight, which for each of many runs takes longer than the runs.
  const fireSoon = () => {
    const nowMs = performance.now();
    dueMs = Math.min(dueMs, nowMs + latestMs);
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        dueMs = Number.POSITIVE_INFINITY;
        changed.fire();
      },
      Math.min(quietMs, dueMs - nowMs),
    );
  };
  return vscode.Disposable.from(
    changed,
    { dispose: () => clearTimeout(timer) },
    controller.onDidRun(fireSoon),
    controller.onDidLoad(() => changed.fire()),
    projects.onDidChangeFiles(() => changed.fire()),
    vscode.workspace.onDidChangeNotebookDocument((event) => {
      if (event.notebook.notebookType === notebooks.rpc && changesText(event)) changed.fire();
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
  if (!project.cells[index]) return [];
  const plan = planCell(project, index);
  const { networks } = plan;
  const network = new vscode.NotebookCellStatusBarItem(networkText(networks), Left);
  network.tooltip =
    networks.length > 0
      ? "The network of this cell. Click to choose another one, or several."
      : "The network that @network names can't be used, so the cell does not run. Click to choose one.";
  network.command = { command: commands.rpcChooseNetwork, title: "Choose Network", arguments: [cell] };
  network.priority = 3;
  const environment = environmentItem(project, index, cell);
  const last = controller.history.of(cell).at(-1);
  const expected = estimateCell(plan);
  const refusal = refusalOf(project, index, undefined);
  const estimate = new vscode.NotebookCellStatusBarItem(
    refusal === undefined ? estimateText(expected, last !== undefined, price) : "$(error) can't be run",
    Left,
  );
  estimate.tooltip = refusal ?? estimateTooltip(expected, price);
  estimate.priority = 1;
  const simulate = canSimulate(plan) ? [simulateItem(cell)] : [];
  const left = [network, ...environment, ...simulate, estimate];
  if (!last) return left;
  const bill = new vscode.NotebookCellStatusBarItem(billText(last.output), Right);
  bill.tooltip = billTooltip(last.output);
  bill.command = { command: commands.rpcShowHistory, title: "Show Past Runs", arguments: [cell] };
  return [...left, bill];
}

function simulateItem(cell: vscode.NotebookCell) {
  const item = new vscode.NotebookCellStatusBarItem("$(debug-alt) Simulate", Left);
  item.tooltip = "Shows what the transaction would do, without sending it.";
  item.command = { command: commands.rpcSimulate, title: "Simulate", arguments: [cell] };
  item.priority = 1.5;
  return item;
}

/** Of cells that use variables or name an environment. */
function environmentItem(project: Project, index: number, cell: vscode.NotebookCell) {
  const one = project.cells[index]?.cell;
  const isUsed = one !== undefined && variablesUsedIn(one).variables.length > 0;
  if (!one || (!isUsed && namedEnvironment(one) === undefined)) return [];
  const name = environmentOfCell(project, project.cells[index]);
  const text = name === undefined ? "$(warning) no environment" : `$(symbol-variable) ${name}`;
  const item = new vscode.NotebookCellStatusBarItem(text, Left);
  item.tooltip = "The environment with the values of {{NAME}}. Click to choose another one.";
  item.command = { command: commands.rpcChooseEnvironment, title: "Choose Environment", arguments: [cell] };
  item.priority = 2;
  return [item];
}

function networkText(networks: readonly string[]): string {
  const [first] = networks;
  if (first === undefined) return "$(warning) no network";
  const icon = networks.every((one) => one === localNetwork)
    ? "$(vm)"
    : networks.some(isMainnet)
      ? "$(globe)"
      : "$(beaker)";
  return networks.length === 1 ? `${icon} ${first}` : `${icon} ${networks.length} networks`;
}

/** Short, because the bar hides items that do not fit. With a bill the USD are left out. */
function estimateText(
  { items, credits, open, mayBeReplayed, rounds }: Estimate,
  hasBill: boolean,
  price: CreditPrice,
): string {
  if (items === 0) return "nothing to send";
  const calls = plural(items, "call");
  const often = rounds > 1 ? ` · ${rounds} rounds` : "";
  const usd = open || hasBill ? "" : ` ≤ ${mostPrice(credits, price.now(), price.unit)}`;
  const replay = mayBeReplayed ? ", free if replayed" : "";
  return `${calls}${often} · ${credits === 0 ? "free" : `${open ? "≥ " : ""}${credits} credits${usd}${replay}`}`;
}

function estimateTooltip({ credits, requests, open, mayBeReplayed }: Estimate, price: CreditPrice): string {
  const sent = plural(requests, "request");
  if (credits === 0) return `${sent}, free.`;
  const cost = `${sent}, ${open ? "at least " : ""}${credits} credits, ${priceRange(credits, price.now(), price.unit)}, if every call succeeds. A call that fails costs 5 credits.`;
  return mayBeReplayed ? `${cost} ${replayText}` : cost;
}

const replayText =
  "Free if the service answered the same request with this @idempotency key in the last 24 hours: it then replays that response.";

type Output = ReturnType<RpcController["history"]["of"]>[number]["output"];

function billText(output: Output): string {
  const { total, calls } = output;
  const replayed = calls.length > 0 && calls.every((call) => call.replayed);
  if (replayed) return "$(check) replayed, free";
  const icon = isFine(output) ? "$(check)" : "$(warning)";
  return `${icon} ${total.credits} credits · ${priceOf(total.usd, output)} · ${Math.round(total.ms)} ms`;
}

function billTooltip({ total, calls, lines, atMs }: Output): string {
  const errors = lines.filter(({ outcome }) => outcome.kind === "error").length;
  const difference = total.credits - total.estimatedCredits;
  return [
    `Charged ${total.credits} credits; ${total.estimatedCredits} were expected${difference === 0 ? "" : ` (${difference > 0 ? "+" : ""}${difference})`}.`,
    ...(errors > 0 ? [`${plural(errors, "item")} failed, at 5 credits each.`] : []),
    `Run at ${new Date(atMs).toLocaleString()}. Click for earlier runs.`,
    ...calls.flatMap(({ requestId, items }) => (requestId ? [`Request ${requestId}: ${items} calls`] : [])),
  ].join("\n");
}

/** Chain RPC over the active connection on one UTC day, from the spend ledger. */
interface Spending {
  readonly day: number;
  readonly notebook: vscode.NotebookDocument;
  readonly service: string;
  readonly unit: PriceUnit;
  readonly own: ChainSpend;
  readonly all: ChainSpend;
}

interface NotebookSumDeps {
  readonly session: Session;
  readonly projects: Projects;
  readonly price: CreditPrice;
  /** The id of a notebook in the ledger. */
  readonly callerOf: (notebook: vscode.NotebookDocument) => string;
  readonly report: (error: unknown) => void;
}

/** An item in the window's status bar: the price of running the whole notebook. Its tooltip has the cost of the day. */
export function registerNotebookSum(deps: NotebookSumDeps): vscode.Disposable {
  const { session, projects, price } = deps;
  const item = vscode.window.createStatusBarItem("inference.rpc", vscode.StatusBarAlignment.Right, 49);
  item.name = "RPC Notebook";
  let spending: Spending | undefined;
  let reads = 0;
  const current = () => {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    return notebook?.notebookType === notebooks.rpc ? notebook : undefined;
  };
  const show = () => {
    const notebook = current();
    if (!notebook) return item.hide();
    const { project } = projects.of(notebook);
    const { runAll, cost } = notebookSum(project, price);
    const isCurrent = spending?.notebook === notebook && spending.day === dayOf(Date.now());
    item.text = `$(notebook) ${runAll}`;
    const label = [runAll, ...(spending && isCurrent ? [textOf(spending)] : [])].join(" · ");
    item.accessibilityInformation = { label };
    item.tooltip = [cost, ...(spending && isCurrent ? tooltipOf(spending) : [])].join("\n");
    item.show();
    // A new day has begun.
    if (spending && !isCurrent) void read();
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
      const { paidIn } = await spend.totals(active);
      // A newer read has started.
      if (turn !== reads) return;
      price.takePaidIn(active.id, paidIn);
      spending = { day, notebook, service: active.name, unit: price.unit, own, all };
      if (current() === notebook) show();
    } catch (error) {
      deps.report(error);
    }
  };
  const refresh = () => {
    show();
    void read();
  };
  refresh();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveNotebookEditor(refresh),
    vscode.workspace.onDidChangeNotebookDocument((event) => {
      if (changesText(event)) show();
    }),
    vscode.workspace.onDidOpenNotebookDocument(show),
    vscode.workspace.onDidCloseNotebookDocument(show),
    session.onDidSpend(({ connection }) => {
      if (connection.id === session.active?.id) void read();
    }),
    session.onDidChangeActive(() => {
      spending = undefined;
      refresh();
    }),
    // Another window may have spent credits meanwhile.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void read();
    }),
  );
}

function textOf({ own, all }: Spending): string {
  const others = all.credits > own.credits ? ` (${creditsText(all)} in all)` : "";
  return `spent ${creditsText(own)} today${others}`;
}

function tooltipOf({ own, all, service, unit }: Spending): readonly string[] {
  const money = unit.isPlayMoney ? " play money" : "";
  const spentText = ({ spent }: ChainSpend) => spendText(spent, exactPrice, unit.isDiem ? "DIEM" : "USD");
  const sumText = (sum: ChainSpend) => `${creditsText(sum)} credits, ${spentText(sum)}${money}`;
  return [
    `Spent today (UTC) in this notebook: ${sumText(own)}.`,
    `All chain RPC over ${service}: ${sumText(all)}.`,
  ];
}

/** In the form of the price above it. */
function exactPrice(money: AnyMoney): string {
  const { currency } = money;
  return isPriced(currency)
    ? priceOf(Number(money.digits()), { isDiem: currency === "DIEM" })
    : moneyText(money);
}

function isPriced(currency: string): boolean {
  return currency === "USD" || currency === "DIEM";
}

function creditsText({ credits, unstated }: ChainSpend): string {
  return unstated > 0 ? `at least ${credits}` : String(credits);
}

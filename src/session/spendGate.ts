import * as vscode from "vscode";
import { ApiError } from "../api/errors.ts";
import { dayOf, dayText, monthOf } from "../shared/days.ts";
import { commands } from "../shared/ids.ts";
import { moneyText } from "../shared/money/moneyText.ts";
import type { Connection } from "./session.ts";
import type { Spend } from "./spend.ts";
import { type BudgetPeriod, type BudgetState, type Budgets, budgetStates } from "./spendBudget.ts";

export interface SpendGateDeps {
  readonly spend: Pick<Spend, "totals">;
  readonly budgets: () => Budgets;
  /** Remembers, in all windows, which warnings were given and which overdrafts were allowed. */
  readonly state: vscode.Memento;
  readonly now: () => number;
}

/** Stands before every billable call. Throws ApiError `payment-required` where the call would exceed a budget. */
export type SpendGate = (connection: Connection, signal: AbortSignal | undefined) => Promise<void>;

const warnedKey = "spend.warned";
const allowedKey = "spend.allowed";

export function createSpendGate({ spend, budgets, state, now }: SpendGateDeps): SpendGate {
  let asking: Promise<boolean> | undefined;
  const stampOf = (connection: Connection, period: BudgetPeriod) =>
    `${connection.id} ${period} ${dayText(period === "day" ? dayOf(now()) : monthOf(now()).from)}`;
  const isMarked = (key: string, stamp: string) => state.get<readonly string[]>(key, []).includes(stamp);
  const mark = (key: string, stamp: string) =>
    state.update(key, [...state.get<readonly string[]>(key, []).slice(-20), stamp]);
  const warn = async (connection: Connection, budget: BudgetState) => {
    const stamp = stampOf(connection, budget.period);
    if (isMarked(warnedKey, stamp)) return;
    await mark(warnedKey, stamp);
    const change = "Change Budget";
    const answer = await vscode.window.showWarningMessage(
      `${spentOf(budget)}. ${moneyText(budget.left, "USD")} is left.`,
      change,
    );
    if (answer === change) await vscode.commands.executeCommand(commands.budgetEdit);
  };
  const askOnce = (connection: Connection, budget: BudgetState): Promise<boolean> => {
    // Calls that wait for the same question share its answer.
    asking ??= ask(budget, async () => {
      await mark(allowedKey, stampOf(connection, budget.period));
    }).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return async (connection, signal) => {
    const { hardStop, ...limits } = budgets();
    if (limits.dayUsd === undefined && limits.monthUsd === undefined) return;
    const states = budgetStates({ hardStop, ...limits }, await spend.totals(connection));
    for (const budget of states.filter(({ level }) => level === "spent")) {
      if (!hardStop && isMarked(allowedKey, stampOf(connection, budget.period))) continue;
      if (hardStop || !(await orAborted(askOnce(connection, budget), signal))) throw refusal(budget);
    }
    const near = states.find(({ level }) => level === "near");
    // The call does not wait for the warning to be read.
    if (near) void warn(connection, near);
  };
}

async function ask(budget: BudgetState, allow: () => Promise<void>): Promise<boolean> {
  const once = "Send Anyway";
  const all = budget.period === "day" ? "Allow for the Rest of the Day" : "Allow for the Rest of the Month";
  const change = "Change Budget";
  const answer = await vscode.window.showWarningMessage(
    `${spentOf(budget)}. Send this anyway?`,
    { modal: true, detail: "It costs money. Days and months are counted in UTC." },
    once,
    all,
    change,
  );
  if (answer === all) await allow();
  if (answer === change) await vscode.commands.executeCommand(commands.budgetEdit);
  return answer === once || answer === all;
}

function spentOf({ period, spent, limit }: BudgetState): string {
  const whose = period === "day" ? "today's" : "this month's";
  return `${moneyText(spent, "USD")} of ${whose} budget of ${moneyText(limit, "USD")} is spent`;
}

function refusal({ period, spent, limit }: BudgetState): ApiError {
  const what = `${moneyText(spent, "USD")} of ${moneyText(limit, "USD")} is spent`;
  return new ApiError("payment-required", `the budget of this ${period} is used up: ${what}`, {
    source: "budget",
    mayHaveArrived: false,
  });
}

function orAborted(answer: Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(new ApiError("cancelled", "cancelled before it was sent", { mayHaveArrived: false }));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

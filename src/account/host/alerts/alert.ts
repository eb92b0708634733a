import type { Connection } from "../../../session/connection/connection.ts";
import type { BudgetState } from "../../../session/spend/spendBudget.ts";
import type { AmountTexts } from "../../../shared/money/amounts.ts";
import { scopeId } from "../../../shared/money/scopedBudget.ts";
import { dayOf, dayText, monthOf } from "../../../shared/time/days.ts";
import type { Balance } from "../accountData.ts";

type AlertKind = "budget" | "forecast" | "balance" | "test";

/** The JSON that a program or an address gets. Amounts are decimal texts by currency. It has no key. */
export interface Alert {
  readonly version: 1;
  readonly kind: AlertKind;
  readonly connection: string;
  readonly isPlayMoney: boolean;
  /** `2026-11` or `2026-11-26`, UTC. */
  readonly period: string;
  /** ISO 8601. */
  readonly time: string;
  readonly budget?: "day" | "month";
  /** The part of the calls that the budget counts; only the names of its dimensions unless names are wanted. */
  readonly per?: readonly string[] | Readonly<Record<string, string>>;
  /** 80 or 100: the share of the limit that was reached. */
  readonly level?: 80 | 100;
  readonly spent?: AmountTexts;
  /** False if more may be spent: the bill is not completely read. */
  readonly isComplete?: boolean;
  /** What the spend uses up of the limit. USD and DIEM 1:1, as budgets count. */
  readonly counted?: string;
  readonly limit?: string;
  /** Of `limit`, `counted` and `expected`. */
  readonly currency?: "USD";
  /** At the end of the period, if it goes on as in the last days. */
  readonly expected?: string;
  readonly balance?: AmountTexts;
}

/** An alert, and what it is about: it is sent once per subject, in all windows. */
export interface DueAlert {
  readonly subject: string;
  readonly alert: Alert;
}

type Of = Pick<Connection, "id" | "name" | "kind">;

function head(kind: AlertKind, { name, kind: of }: Of, period: string, nowMs: number) {
  const time = new Date(nowMs).toISOString();
  return { version: 1, kind, connection: name, isPlayMoney: of === "sandbox", period, time } as const;
}

function periodText(period: "day" | "month", nowMs: number): string {
  return period === "day" ? dayText(dayOf(nowMs)) : dayText(monthOf(nowMs).from).slice(0, 7);
}

/** The budgets that are at 80 % or used up. Each level is an alert of its own. */
export function budgetAlerts(
  of: Of,
  states: readonly BudgetState[],
  hasNames: boolean,
  nowMs: number,
): readonly DueAlert[] {
  return states.flatMap((state) => {
    if (state.level === "fine") return [];
    const level = state.level === "spent" ? 100 : 80;
    const period = periodText(state.period, nowMs);
    const per = state.per === undefined ? "" : scopeId(state.per);
    return {
      subject: `${of.id} budget ${state.period} ${per} ${level} ${period}`,
      alert: {
        ...head("budget", of, period, nowMs),
        level,
        ...budgetMembers(state),
        ...(state.per === undefined ? {} : { per: hasNames ? { ...state.per } : Object.keys(state.per) }),
      },
    };
  });
}

function budgetMembers({ period, spent, isWhole, counted, limit }: BudgetState) {
  const sums = { counted: counted.digits(), limit: limit.digits(), currency: "USD" } as const;
  return { budget: period, spent: spent.toTexts(), isComplete: isWhole, ...sums };
}

/** The budget of a month that will be passed if the spend goes on as in the last days. */
export function forecastAlert(of: Of, state: BudgetState, expected: string, nowMs: number): DueAlert {
  const period = periodText("month", nowMs);
  return {
    subject: `${of.id} forecast month ${period}`,
    alert: { ...head("forecast", of, period, nowMs), ...budgetMembers(state), expected },
  };
}

/** The balance can't pay for calls. Once a day. */
export function balanceAlert(of: Of, { usd, diem }: Balance, nowMs: number): DueAlert {
  const period = periodText("day", nowMs);
  const balance = {
    ...(usd === undefined ? {} : { USD: usd.digits() }),
    ...(diem === undefined ? {} : { DIEM: diem.digits() }),
  };
  return {
    subject: `${of.id} balance ${period}`,
    alert: { ...head("balance", of, period, nowMs), balance },
  };
}

/** With figures of no account. */
export function testAlert(of: Of, nowMs: number): Alert {
  const sums = { spent: { USD: "8" }, counted: "8", limit: "10", currency: "USD", isComplete: true } as const;
  return { ...head("test", of, periodText("month", nowMs), nowMs), budget: "month", level: 80, ...sums };
}

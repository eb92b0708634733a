import * as vscode from "vscode";
import { ask, choose, pickedFrom } from "../../../platform/editor/dialogs/ask.ts";
import { sentenceCase } from "../../../platform/errors/errorMessage.ts";
import { type Budgets, readBudgets, writeUserSetting } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Spend } from "../../../session/spend/spend.ts";
import { allBudgetStates, type BudgetState, countedText } from "../../../session/spend/spendBudget.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { decimalText } from "../../../shared/money/exact.ts";
import {
  type BudgetPeriod,
  type BudgetScope,
  faultText,
  type ScopedBudget,
  scopeId,
} from "../../../shared/money/scopedBudget.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { settings } from "../../../shared/names/ids.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { addBudget, askLimit, isUsd } from "./addBudget.ts";
import { budgetLabel, budgetRest, reachText } from "./budgetNodes.ts";
import { type BudgetEntry, BudgetSetting } from "./budgetSetting.ts";

/** The part of the active connection that the dialogs read. */
export interface BudgetDialogs {
  readonly connection: Connection;
  readonly spend: Pick<Spend, "totals" | "scopes" | "entries">;
}

/** Lists the budgets with what is left of each, and adds, changes or removes one. Without a connection, opens the settings. */
export async function changeBudget(of: BudgetDialogs | undefined): Promise<void> {
  if (!of) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "inference.account");
    return;
  }
  const setting = new BudgetSetting();
  const action = pickedFrom(await choose<Action>({ title, placeholder, items: await itemsOf(of, setting) }));
  try {
    await run(action, of, setting);
  } catch (error) {
    const why = messageOf(error);
    const sentence = `The budget was not changed: ${why.replace(/\.$/, "")}. Save or correct your settings, and try again.`;
    await vscode.window.showErrorMessage(withoutLinks(sentence));
  }
}

const title = "Change Budget";
const placeholder = "Select a budget to change it";

type Action =
  | { readonly is: "add" | "hardStop" | "settings" | "file" }
  | { readonly is: "connection"; readonly period: BudgetPeriod }
  | { readonly is: "entry"; readonly entry: BudgetEntry };

type Item = vscode.QuickPickItem & { readonly value: Action };

async function itemsOf(
  { spend, connection }: BudgetDialogs,
  setting: BudgetSetting,
): Promise<readonly Item[]> {
  const budgets = readBudgets();
  // Without its sums a budget can be changed all the same.
  const states = await allBudgetStates(spend, connection, budgets).catch(() => []);
  const stateOf = (per: BudgetScope | undefined, period: BudgetPeriod) =>
    states.find((state) => state.period === period && sameScope(state.per, per));
  const entries = setting.entries();
  const listed = (entries ?? []).map((entry): Item => {
    const { budget, fault } = entry;
    if (!budget) return faultItem(fault ? faultText(fault) : "", { is: "file" });
    return {
      ...budgetTexts(budget, stateOf(budget.per, budget.period)),
      detail: reachText({ isHardStop: budget.onReach === "stop" }),
      value: { is: "entry", entry },
    };
  });
  const ofSetting = entries ? [] : [faultItem(`${settings.accountBudgets} is no list`, { is: "file" })];
  const add: Item = {
    label: "$(add) Add a Budget…",
    detail: "Of a workspace folder, a branch, a model, a client or an API key.",
    value: { is: "add" },
  };
  const openSettings: Item = { label: "$(gear) Open the Settings", value: { is: "settings" } };
  return [
    ...(entries ? [add] : ofSetting),
    ...listed,
    ...(["day", "month"] as const).map((period) =>
      connectionItem(period, budgets, stateOf(undefined, period)),
    ),
    hardStopItem(budgets),
    openSettings,
  ];
}

function sameScope(one: BudgetScope | undefined, other: BudgetScope | undefined): boolean {
  return one && other ? scopeId(one) === scopeId(other) : one === other;
}

function budgetTexts(
  { per, period, limitUsd }: ScopedBudget,
  state: BudgetState | undefined,
): Pick<Item, "label" | "description"> {
  const label = sentenceCase(budgetLabel({ per, period }));
  return { label, description: state ? stateText(state) : `$${decimalText(limitUsd)}` };
}

function stateText(state: BudgetState): string {
  return `${countedText(state)}, ${budgetRest(state)}`;
}

function connectionItem(period: BudgetPeriod, budgets: Budgets, state: BudgetState | undefined): Item {
  const label = period === "day" ? "Each connection · day" : "Each connection · month";
  const usd = period === "day" ? budgets.dayUsd : budgets.monthUsd;
  const description = state ? stateText(state) : usd === undefined ? "no budget" : `$${decimalText(usd)}`;
  return { label, description, value: { is: "connection", period } };
}

function hardStopItem({ hardStop }: Budgets): Item {
  return {
    label: "When the budget of a connection is used up",
    description: hardStop ? "refuse" : "ask",
    detail: reachText({ isHardStop: hardStop }),
    value: { is: "hardStop" },
  };
}

function faultItem(detail: string, value: Action): Item {
  return { label: "$(warning) A budget can't be read", detail, value };
}

async function run(action: Action | undefined, of: BudgetDialogs, setting: BudgetSetting): Promise<void> {
  switch (action?.is) {
    case "add":
      return addBudget(of, setting);
    case "entry":
      return changeEntry(action.entry, setting);
    case "connection":
      return changeOfConnection(action.period);
    case "hardStop":
      return writeUserSetting(settings.accountBudgetHardStop, !readBudgets().hardStop);
    case "settings":
      await vscode.commands.executeCommand("workbench.action.openSettings", "inference.account");
      return;
    case "file":
      return setting.openFile();
  }
}

async function changeOfConnection(period: BudgetPeriod): Promise<void> {
  const { dayUsd, monthUsd } = readBudgets();
  const now = period === "day" ? dayUsd : monthUsd;
  const typed = await ask({
    title: `Budget of each connection for a ${period}`,
    prompt: `USD for a UTC ${period}, or DIEM if only DIEM are paid: they count 1:1. 0 for no budget.`,
    value: now === undefined ? "" : String(now),
    problem: (text) =>
      isUsd(text, 0) ? undefined : "Enter an amount such as 5 or 0.25, or 0 for no budget.",
  });
  if (typeof typed !== "object") return;
  const id = period === "day" ? settings.accountDayBudgetUsd : settings.accountMonthBudgetUsd;
  await writeUserSetting(id, Number(typedAmount(typed.value)));
}

async function changeEntry(entry: BudgetEntry, setting: BudgetSetting): Promise<void> {
  const { budget } = entry;
  if (!budget) return setting.openFile();
  const isStop = budget.onReach === "stop";
  const answer = await choose<"limit" | "reach" | "remove">({
    title: sentenceCase(budgetLabel(budget)),
    placeholder: `$${decimalText(budget.limitUsd)} for each ${budget.period}`,
    items: [
      { label: "Change the Limit…", value: "limit" },
      {
        label: isStop ? "Warn and Ask" : "Refuse",
        detail: reachText({ isHardStop: !isStop }),
        value: "reach",
      },
      { label: "Remove", value: "remove" },
    ],
  });
  switch (pickedFrom(answer)) {
    case "limit": {
      const typed = await askLimit(budget, {});
      if (typeof typed === "object") await setting.replace(entry, typed);
      return;
    }
    case "reach":
      return setting.replace(entry, { ...budget, onReach: isStop ? "warn" : "stop" });
    case "remove":
      return setting.replace(entry, undefined);
  }
}

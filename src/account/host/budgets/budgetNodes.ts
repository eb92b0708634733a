import { sentenceCase } from "../../../platform/errors/errorMessage.ts";
import {
  type BudgetState,
  countedText,
  limitText,
  restText,
  ruleText,
} from "../../../session/spend/spendBudget.ts";
import { moneyText } from "../../../shared/money/moneyText.ts";
import { type BudgetFault, faultText, scopeId, scopeLabel } from "../../../shared/money/scopedBudget.ts";
import { type AccountNode, type Fact, shareBar } from "../tree/treeNode.ts";

/** More budgets are shown when the row is expanded. */
const mostOpen = 5;

/** The row of the budgets, the one with the least left first, and the rows of those that can't be read. */
export function budgetNodes(
  states: readonly BudgetState[],
  faults: readonly BudgetFault[],
): readonly AccountNode[] {
  const rows = [...faults.map(faultNode), ...states.map(budgetNode)];
  if (rows.length === 0) return [];
  const [tightest] = states;
  return [
    {
      id: "budgets",
      label: "Budgets",
      description:
        faults.length > 0 || !tightest
          ? `– ${faults.length === 1 ? "one" : faults.length} can't be read`
          : `${budgetRest(tightest)}, ${budgetLabel(tightest)}`,
      tooltip: { notes: ["The budget with the least left is the first."], isBelow: true },
      icon: "target",
      ...tintOf(faults.length > 0 ? "spent" : tightest?.level),
      isOpen: rows.length <= mostOpen,
      children: async () => rows,
    },
  ];
}

/** `folder app · month`, `this connection · day`. */
export function budgetLabel({ per, period }: Pick<BudgetState, "per" | "period">): string {
  return `${per ? scopeLabel(per) : "this connection"} · ${period}`;
}

/** What is left is at most this much while more may have been spent than is known. */
export function budgetRest(state: BudgetState): string {
  if (state.isWhole) return restText(state);
  return `${state.over.sign > 0 ? "at least" : "at most"} ${restText(state)}`;
}

/** The answer to a call beyond the budget. */
export function reachText({ isHardStop }: Pick<BudgetState, "isHardStop">): string {
  return isHardStop
    ? "A call that may pass it is refused."
    : "At 80 % you get a notice. From 100 % on, each call that costs money asks first.";
}

function budgetNode(state: BudgetState): AccountNode {
  const rule = ruleText(state);
  const facts: Fact[] = [
    ["Spent", countedText(state)],
    ["Left", budgetRest(state)],
    ...(state.claimed.sign > 0
      ? [
          [
            "In progress or of unknown price",
            `up to ${moneyText(state.claimed.shownIn(state.unit))}`,
          ] as const,
        ]
      : []),
  ];
  return {
    id: `budget:${state.period}:${state.per ? scopeId(state.per) : ""}`,
    label: sentenceCase(budgetLabel(state)),
    description: `${restOfLimit(state)}  ${shareBar(usedShare(state))}`,
    tooltip: {
      facts,
      notes: [
        reachText(state),
        ...(state.per
          ? [
              "It counts the calls of this extension over this connection on this computer. Days and months are in UTC.",
            ]
          : []),
        ...(rule ? [rule] : []),
      ],
    },
    icon: state.isHardStop ? "circle-slash" : "bell",
    ...tintOf(state.level),
    command: "changeBudget",
  };
}

/** A share of the budget has its limit in brackets: `76 % of the budget left ($8.00)`. */
function restOfLimit(state: BudgetState): string {
  const limit = limitText(state);
  return state.unit ? `${budgetRest(state)} of ${limit}` : `${budgetRest(state)} (${limit})`;
}

function faultNode(fault: BudgetFault): AccountNode {
  const text = faultText(fault);
  return {
    id: `budget:fault:${fault.field}`,
    label: "A budget can't be read",
    description: text,
    tooltip: { notes: [`${text}. No call is sent that it may concern.`] },
    icon: "error",
    tint: "error",
    command: "changeBudget",
  };
}

/** A limit of nothing is used up. */
function usedShare({ counted, limit }: BudgetState): number {
  return limit.sign > 0 ? counted.shareOf(limit) : 1;
}

function tintOf(level: BudgetState["level"] | undefined): Pick<AccountNode, "tint"> {
  if (level === "spent") return { tint: "error" };
  return level === "near" ? { tint: "warning" } : {};
}

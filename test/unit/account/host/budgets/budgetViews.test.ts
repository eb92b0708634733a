// Budgets of parts of the calls in the tree and the status bar.
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetNodes } from "../../../../../src/account/host/budgets/budgetNodes.ts";
import {
  type ShownSpend,
  shownScope,
  spendBarOf,
} from "../../../../../src/account/host/tree/spendBarText.ts";
import type { Budgets } from "../../../../../src/platform/settings.ts";
import { noSum, type ScopeSum } from "../../../../../src/session/spend/scopes/scopeSums.ts";
import { scopedState } from "../../../../../src/session/spend/spendBudget.ts";
import { amountIn } from "../../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import {
  readScopedBudgets,
  type ScopedBudget,
  scopeId,
} from "../../../../../src/shared/money/scopedBudget.ts";
import { dayOf } from "../../../../../src/shared/time/days.ts";
import { usd } from "../money.ts";

const nowMs = Date.UTC(2026, 7, 15, 12);
const connection = { name: "Live", kind: "live" } as const;
const app: ScopedBudget = { per: { folder: "app" }, limitUsd: 5, period: "month", onReach: "stop" };
const mcp: ScopedBudget = { per: { client: "mcp:a|b" }, limitUsd: 2, period: "day", onReach: "warn" };
const spent = (amount: number, unpriced = 0): ScopeSum => ({ ...noSum, spent: usd(amount), unpriced });

const budgets = (...scoped: readonly ScopedBudget[]): Budgets => ({
  dayUsd: undefined,
  monthUsd: 100,
  hardStop: false,
  parts: { scoped, faults: [] },
});

function shown(day: number, scopes: ShownSpend["scopes"]): ShownSpend {
  const month = { today: usd(1).toTexts(), month: usd(20).toTexts() };
  return { day, ...month, isTodayBilled: true, isMonthBilled: true, ...(scopes ? { scopes } : {}) };
}

test("the status bar names the budget with the least left, and its tooltip lists those of parts", () => {
  const scopes = {
    [scopeId(app.per)]: shownScope({ today: spent(1), month: spent(4.6) }),
    [scopeId(mcp.per)]: shownScope({ today: spent(1, 1), month: spent(1, 1) }),
  };
  const bar = spendBarOf(connection, budgets(app, mcp), shown(dayOf(nowMs), scopes), nowMs);
  assert.equal(bar?.text, "$1.00 today · $0.40 left (folder app)");
  assert.equal(bar.colour, "warning");
  assert.match(bar.tooltip, /\| Budget of the month, folder app \| \\\$5\.00, \\\$0\.40 left \|/);
  assert.match(
    bar.tooltip,
    /\| Budget of the day, MCP client a\\\|b \| \\\$2\.00, at most \\\$1\.00 left \|/,
  );
  assert.match(bar.tooltip, /\| Budget of the month \| \\\$100\.00, \\\$80\.00 left \|/);
  // Yesterday's sum of a day says nothing of today.
  const later = spendBarOf(connection, budgets(app, mcp), shown(dayOf(nowMs) - 1, scopes), nowMs);
  assert.match(later?.tooltip ?? "", /folder app/);
  assert.doesNotMatch(later?.tooltip ?? "", /MCP client/);
  // A sum that was never read is not zero.
  const unread = spendBarOf(connection, budgets(app), shown(dayOf(nowMs), undefined), nowMs);
  assert.equal(unread?.text, "$1.00 today · $80.00 left");
  assert.doesNotMatch(unread.tooltip, /folder app/);
});

test("the status bar says that a budget can't be read, with the field and the rule", () => {
  const parts = readScopedBudgets([{ ...app, period: "week" }], "inference.account.budgets");
  const bar = spendBarOf(connection, { ...budgets(), parts }, undefined, nowMs);
  assert.equal(bar?.text, "– today · a budget can't be read");
  assert.equal(bar.colour, "error");
  assert.match(
    bar.tooltip,
    /A budget can't be read: inference\.account\.budgets\\\[0\\\]\.period has to be "day" or "month"/,
  );
});

test("many budgets are a few in the tooltip and all in the tree, the least left first", async () => {
  const many = Array.from({ length: 8 }, (_, index) => ({ ...app, per: { folder: `f${index}` } }));
  const scopes = Object.fromEntries(
    many.map(({ per }, index) => [scopeId(per), shownScope({ today: noSum, month: spent(index / 2) })]),
  );
  const bar = spendBarOf(connection, budgets(...many), shown(dayOf(nowMs), scopes), nowMs);
  assert.match(bar?.text ?? "", /\$1\.50 left \(folder f7\)$/);
  assert.match(bar?.tooltip ?? "", /4 more budgets have more left/);
  const states = many.map((budget, index) => scopedState(budget, { today: noSum, month: spent(index / 2) }));
  const [row] = budgetNodes(states.toReversed(), []);
  assert.equal(row?.description, "$1.50 left, folder f7 · month");
  assert.equal(row.isOpen, false);
  assert.equal((await row.children?.())?.length, 8);
});

test("the tree shows each budget with its rest, then its share, and what happens beyond it", async () => {
  const states = [
    scopedState(app, {
      today: noSum,
      month: spent(4.6),
      claims: { today: Counted.zero, month: Counted.parse(1) },
    }),
    scopedState(mcp, { today: spent(3, 2), month: spent(3, 2) }),
    scopedState(app, { today: noSum, month: { ...noSum, spent: usd(1).plus(amountIn("DIEM", 1)) } }),
  ];
  const [row] = budgetNodes(states, []);
  const rows = (await row?.children?.()) ?? [];
  assert.deepEqual(
    rows.map(({ label, description, tint }) => [label, description, tint]),
    [
      ["Folder app · month", "$0.40 left of $5.00  ▰▰▰▰▰▰▰▱ 92 %", "warning"],
      ["MCP client a|b · day", "at least $1.00 over budget of $2.00  ▰▰▰▰▰▰▰▰ 150 %", "error"],
      ["Folder app · month", "60 % of the budget left ($5.00)  ▰▰▰▱▱▱▱▱ 40 %", undefined],
    ],
  );
  assert.deepEqual(rows[0]?.tooltip?.facts, [
    ["Spent", "$4.60 of $5.00"],
    ["Left", "$0.40 left"],
    ["In progress or of unknown price", "up to $1.00"],
  ]);
  assert.match(
    rows[0]?.tooltip?.notes?.join(" ") ?? "",
    /is refused\. It counts the calls of this extension/,
  );
  assert.match(rows[1]?.tooltip?.notes?.join(" ") ?? "", /asks first/);
  assert.deepEqual(budgetNodes([], []), []);
  const { faults } = readScopedBudgets([{ ...app, period: "week" }], "b");
  const [broken] = budgetNodes(states, faults);
  assert.equal(broken?.description, "– one can't be read");
  assert.match((await broken?.children?.())?.[0]?.description ?? "", /^b\[0\]\.period has to be/);
});

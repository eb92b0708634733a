import type { SpendTotals } from "../../../session/spend/spendBook.ts";
import { type Amounts, addAmounts, nothing, sumAmounts } from "../../../shared/money/amounts.ts";
import { budgetRule } from "../../../shared/money/budgetRule.ts";
import { fullMoneyText, moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { spanText } from "../../../shared/time/days.ts";
import { type AccountData, type Balance, type DayRange, lastDays, needsAdmin } from "../accountData.ts";
import { type AccountNode, factTable, plain } from "../treeNode.ts";
import {
  type AnalyticsTotals,
  analyticsCurrencies,
  type ModelSpend,
  type NamedSpend,
} from "./analyticsTotals.ts";
import type { ModelTotals } from "./dayTally.ts";
import type { LoadedUsage } from "./usageStore.ts";

const lookbacks = [7, 30, 90] as const;

export interface UsageNodesDeps {
  readonly data: AccountData;
  /** From the ledger of this computer. */
  readonly own: SpendTotals;
  /** A sentence with the reason of a failure and the step that helps. */
  readonly explain: (error: unknown) => string;
}

/** Balance, today, the last days. Parts that need a key of type ADMIN are omitted without one. */
export async function usageNodes({ data, own, explain }: UsageNodesDeps): Promise<readonly AccountNode[]> {
  const [balance, today] = await Promise.all([data.balance.load(), data.today.load()]);
  const nodes = [
    balance.value ? balanceNode(balance.value) : failedNode("balance", "Balance", explain(balance.error)),
    ownNode(own, today.value === undefined ? explain(today.error) : undefined),
  ];
  if (needsAdmin(today.error)) return [...nodes, adminNode];
  const { value } = today;
  await Promise.all(lookbacks.map((days) => data.analytics(lastDays(days, data.now())).load()));
  return [
    ...nodes,
    value ? todayNode(value, own) : failedNode("today", "Today (UTC)", explain(today.error)),
    ...lookbacks.map((days) => lookbackNode({ data, own, explain }, days)),
  ];
}

/** Shown once in this view. A click adds the key. */
const adminNode: AccountNode = {
  id: "admin",
  label: "The account's usage needs an ADMIN key",
  description: "Add one…",
  tooltip:
    "The key in use is of type INFERENCE, which can't read the bill. Add a key of type ADMIN. It is used only for these views.",
  icon: "shield",
  tint: "warning",
  command: "addAdmin",
};

function failedNode(id: string, label: string, reason: string): AccountNode {
  return {
    id,
    label,
    description: `– ${reason}`,
    tooltip: plain(reason),
    icon: "warning",
    tint: "warning",
  };
}

function balanceNode({ usd, diem, diemPerDay }: Balance): AccountNode {
  const parts = [
    ...(usd === undefined ? [] : [moneyText(usd, "USD")]),
    ...(diem === undefined ? [] : [moneyText(diem, "DIEM")]),
  ];
  const isEmpty = (usd ?? 0n) <= 0n && (diem ?? 0n) <= 0n;
  const facts: (readonly [string, string])[] = [
    ...(usd === undefined ? [] : [["USD", plain(fullMoneyText(usd, "USD"))] as const]),
    ...(diem === undefined ? [] : [["DIEM left today", plain(fullMoneyText(diem, "DIEM"))] as const]),
    ...(diemPerDay === undefined ? [] : [["DIEM a day", plain(fullMoneyText(diemPerDay, "DIEM"))] as const]),
  ];
  return {
    id: "balance",
    label: "Balance",
    description: parts.join(" · ") || "unknown",
    tooltip: factTable(facts),
    icon: "credit-card",
    ...(isEmpty ? { tint: "error" as const } : {}),
    kind: "fact",
    copyText: parts.join(" · "),
  };
}

/** `problem`: the reason that the bill could not be read now, if it could not. */
function ownNode(totals: SpendTotals, problem: string | undefined): AccountNode {
  const { today, month, unbilled, unpriced, isTodayBilled, isMonthBilled } = totals;
  const source = isMonthBilled
    ? "The last bill, and the calls of this extension since then"
    : "The calls of this extension, and the part of the bill that has been read. The dashboard reads the rest";
  const facts: (readonly [string, string])[] = [
    ["Today (UTC)", plain(sumText(today, isTodayBilled, fullMoneyText))],
    ["This month (UTC)", plain(sumText(month, isMonthBilled, fullMoneyText))],
    ["Not on the bill yet", plain(spendText(unbilled, fullMoneyText))],
    ...(unpriced > 0 ? [["Calls without a known price", String(unpriced)] as const] : []),
  ];
  const text = sumText(month, isMonthBilled);
  const isUnknown = !isMonthBilled && month.size === 0;
  return {
    id: "own",
    label: "Spent this month",
    description: isUnknown ? `– ${problem ?? unreadMonth}` : text,
    tooltip: [factTable(facts), `${source}.`, ...(problem ? [plain(problem)] : []), budgetRule].join("\n\n"),
    icon: "pulse",
    kind: "fact",
    copyText: isUnknown ? "" : text,
  };
}

const unreadMonth = "The bill is not read yet. Open the dashboard to read it.";

/** Without the whole bill, the account may have spent more; if nothing is known, the sum is unknown. */
function sumText(spend: Amounts, isBilled: boolean, textOf = moneyText): string {
  if (isBilled) return spendText(spend, textOf);
  return spend.size === 0 ? "unknown" : `at least ${spendText(spend, textOf)}`;
}

function todayNode({ tallies, warningMessage: warning }: LoadedUsage, own: SpendTotals): AccountNode {
  const [tally] = tallies;
  // The ledger also has the calls that are not on the bill yet, as the status bar and the budgets count them.
  const spend = own.isTodayBilled ? own.today : (tally?.total.spend ?? nothing);
  return {
    id: "today",
    label: "Today (UTC)",
    description: spendText(spend),
    tooltip: [spendTable(spend), ...(warning ? [plain(warning)] : [])].join("\n\n"),
    icon: "calendar",
    kind: "spend",
    copyText: spendText(spend),
    ...(tally && tally.models.size > 0
      ? {
          children: async () =>
            sortedModels(tally.models).map(([name, totals]) => tallyNode("today", name, totals)),
        }
      : {}),
  };
}

function sortedModels(models: ReadonlyMap<string, ModelTotals>): [string, ModelTotals][] {
  return [...models].sort(([, a], [, b]) => (a.usdValue < b.usdValue ? 1 : a.usdValue > b.usdValue ? -1 : 0));
}

function tallyNode(under: string, name: string, totals: ModelTotals): AccountNode {
  const id = `${under}:model:${name}`;
  return {
    id,
    label: name,
    description: spendText(totals.spend),
    tooltip: `**${plain(name)}**\n\n${spendTable(totals.spend)}`,
    icon: "symbol-namespace",
    kind: "model",
    copyText: name,
    ...(totals.parts.size > 0
      ? {
          children: async () =>
            [...totals.parts].map(([part, of]) => ({
              id: `${id}:${part}`,
              label: part,
              description: spendText(of.spend),
              icon: partIcon(part),
              kind: "fact",
              copyText: spendText(of.spend),
            })),
        }
      : {}),
  };
}

function lookbackNode({ data, own, explain }: UsageNodesDeps, days: number): AccountNode {
  const range = lastDays(days, data.now());
  const part = data.analytics(range);
  const { value, asOfMs, error } = part.cached;
  if (!value) return failedNode(`last:${days}`, `Last ${days} days`, explain(error));
  const age = asOfMs === undefined ? "" : ` (${spanText(data.now() - asOfMs)} old)`;
  const others = othersOf(data, range);
  const spend = addAmounts(value.total, others ?? nothing);
  // Analytics have USD and DIEM alone. An account that pays with something else has a longer bill.
  const isShort = others === undefined && othersIn(own.month).size > 0;
  const text = `${spendText(spend)}${isShort ? " and credits" : ""}`;
  return {
    id: `last:${days}`,
    label: `Last ${days} days`,
    description: text,
    tooltip: [
      spendTable(spend),
      `UTC days, today included${plain(age)}. The service counts models and keys every 10 minutes. The total includes today's bill.`,
      ...(others
        ? []
        : ["VCU and bundled credits are not in these sums. The dashboard reads them from the bill."]),
    ].join("\n\n"),
    icon: "graph",
    kind: "spend",
    copyText: text,
    children: async () => {
      const loaded = await part.load();
      if (needsAdmin(loaded.error)) return [adminNode];
      if (!loaded.value) return [failedNode(`last:${days}:failed`, "Usage", explain(loaded.error))];
      return groupNodes(`last:${days}`, loaded.value, spend);
    },
  };
}

/** What the bill of these days has in currencies that analytics do not count; undefined if it was not read. */
function othersOf(data: AccountData, range: DayRange): Amounts | undefined {
  const tallies = data.usage.loaded(range);
  return tallies && othersIn(sumAmounts(tallies.map(({ total }) => total.spend)));
}

function othersIn(spend: Amounts): Amounts {
  return new Map([...spend].filter(([currency]) => !analyticsCurrencies.includes(currency)));
}

function groupNodes(id: string, totals: AnalyticsTotals, spend: Amounts): readonly AccountNode[] {
  if (totals.models.length === 0 && totals.keys.length === 0 && spend.size === 0) {
    return [{ id: `${id}:none`, label: "No usage", icon: "circle-outline", tint: "quiet" }];
  }
  const total: AccountNode = {
    id: `${id}:total`,
    label: "Total",
    description: spendText(spend),
    tooltip: spendTable(spend),
    icon: "symbol-operator",
    kind: "fact",
    copyText: spendText(spend),
  };
  const web = totals.keys.find((key) => key.id === null);
  const { uncounted } = totals;
  const rest = {
    spend: addAmounts(uncounted, othersIn(spend)),
    name: "Not counted by model and key",
    units: 0,
  };
  return [
    total,
    group(`${id}:models`, "By model", totals.models.length, () =>
      totals.models.map((model) => modelNode(id, model)),
    ),
    group(`${id}:keys`, "By key", totals.keys.length, () =>
      totals.keys.map((key) =>
        spendNode(`${id}:key:${key.id ?? ""}`, key, key.id === null ? "globe" : "key", key.id ?? "Web App"),
      ),
    ),
    ...(rest.spend.size === 0 ? [] : [spendNode(`${id}:uncounted`, rest, "history", spendText(rest.spend))]),
    ...(web ? [spendNode(`${id}:web`, { ...web, name: "Web app" }, "globe", "Web App")] : []),
  ];
}

function group(id: string, label: string, count: number, nodes: () => readonly AccountNode[]): AccountNode {
  return { id, label, description: String(count), icon: "list-tree", children: async () => nodes() };
}

function modelNode(under: string, model: ModelSpend): AccountNode {
  const id = `${under}:model:${model.name}`;
  const node = spendNode(id, model, modelIcon(model.modelType), model.name);
  const unit = model.unitType ?? "units";
  const tooltip = `**${plain(model.name)}** ${plain(model.modelType ?? "no model")}\n\n${spendTable(model.spend)}\n\n${plain(
    `${model.units.toLocaleString("en-US")} ${unit}`,
  )}`;
  if (model.breakdown.length === 0) return { ...node, tooltip };
  return {
    ...node,
    tooltip,
    children: async () =>
      model.breakdown.map((part) =>
        spendNode(`${id}:${part.name}`, part, partIcon(part.name), spendText(part.spend)),
      ),
  };
}

function spendNode(id: string, spend: NamedSpend, icon: string, copyText: string): AccountNode {
  return {
    id,
    label: spend.name,
    description: spendText(spend.spend),
    tooltip: `**${plain(spend.name)}**\n\n${spendTable(spend.spend)}`,
    icon,
    kind: "spend",
    copyText,
  };
}

const typeIcons: Readonly<Record<string, string>> = {
  LLM: "comment",
  IMAGE: "file-media",
  TTS: "unmute",
  ASR: "mic",
  VIDEO: "play-circle",
};

function modelIcon(type: string | undefined): string {
  return type !== undefined && Object.hasOwn(typeIcons, type)
    ? (typeIcons[type] ?? "symbol-misc")
    : "symbol-misc";
}

function partIcon(part: string): string {
  if (part === "Input") return "arrow-right";
  if (part === "Output") return "arrow-left";
  return part.startsWith("Cache") ? "database" : "symbol-misc";
}

function spendTable(spend: Amounts): string {
  return factTable(
    [...spend].map(([currency, amount]) => [plain(currency), plain(fullMoneyText(amount, currency))]),
  );
}

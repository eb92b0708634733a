import type { SpendTotals } from "../../session/spendBook.ts";
import { spanText } from "../../shared/days.ts";
import { fullMoneyText, moneyText, type SpendAmounts, spendText } from "../../shared/money/moneyText.ts";
import { type AccountData, type Balance, lastDays, needsAdmin } from "./accountData.ts";
import {
  type AnalyticsTotals,
  bothText,
  type ModelSpend,
  type NamedSpend,
  type TwoCurrencies,
} from "./analyticsTotals.ts";
import type { ModelTotals, Totals } from "./dayTally.ts";
import { type AccountNode, factTable, plain } from "./treeNode.ts";

const lookbacks = [7, 30, 90] as const;

/** Balance, today, the last days. Parts that need a key of type ADMIN are omitted without one. */
export async function usageNodes(data: AccountData, own: SpendTotals): Promise<readonly AccountNode[]> {
  const [balance, today] = await Promise.all([data.balance.load(), data.today.load()]);
  const nodes = [balance.value ? balanceNode(balance.value) : failedNode("balance", "Balance"), ownNode(own)];
  if (needsAdmin(today.error)) return [...nodes, adminNode];
  const { value } = today;
  await Promise.all(lookbacks.map((days) => data.analytics(lastDays(days, data.now())).load()));
  return [
    ...nodes,
    value ? todayNode(value.tallies[0], value.warningMessage) : failedNode("today", "Today"),
    ...lookbacks.map((days) => lookbackNode(data, days)),
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

function failedNode(id: string, label: string): AccountNode {
  return {
    id,
    label,
    description: "could not be read; refresh to try again",
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

function ownNode(totals: SpendTotals): AccountNode {
  const { todayUsd, monthUsd, unbilledUsd, unpriced, isMonthBilled } = totals;
  // Without the whole bill, the sum may be smaller than that of the account's last days.
  const month = `${isMonthBilled ? "" : "at least "}${moneyText(monthUsd, "USD")}`;
  const source = isMonthBilled
    ? "The last bill, and the calls of this extension since then"
    : "The calls of this extension, and the part of the bill that has been read. The dashboard reads the rest";
  const facts: (readonly [string, string])[] = [
    ["Today (UTC)", plain(fullMoneyText(todayUsd, "USD"))],
    ["This month (UTC)", plain(fullMoneyText(monthUsd, "USD"))],
    ["Not on the bill yet", plain(fullMoneyText(unbilledUsd, "USD"))],
    ...(unpriced > 0 ? [["Calls without a known price", String(unpriced)] as const] : []),
  ];
  return {
    id: "own",
    label: "Spent this month",
    description: month,
    tooltip: `${factTable(facts)}\n\n${source}. In USD, as budgets count it.`,
    icon: "pulse",
    kind: "fact",
    copyText: month,
  };
}

function todayNode(
  tally: { total: Totals; models: ReadonlyMap<string, ModelTotals> } | undefined,
  warning: string | undefined,
): AccountNode {
  const total = tally?.total;
  return {
    id: "today",
    label: "Today (UTC)",
    description: spendText(total?.spend ?? new Map()),
    tooltip: [spendTable(total?.spend ?? new Map()), ...(warning ? [plain(warning)] : [])].join("\n\n"),
    icon: "calendar",
    kind: "spend",
    copyText: spendText(total?.spend ?? new Map()),
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

function lookbackNode(data: AccountData, days: number): AccountNode {
  const part = data.analytics(lastDays(days, data.now()));
  const { value, asOfMs } = part.cached;
  const age = asOfMs === undefined ? "" : ` (${spanText(data.now() - asOfMs)} old)`;
  return {
    id: `last:${days}`,
    label: `Last ${days} days`,
    description: value ? bothText(value.total) : "could not be read",
    tooltip: value
      ? `${twoTable(value.total)}\n\nUTC days, today included${plain(age)}. The service counts models and keys every 10 minutes. The total includes today's bill.`
      : "UTC days, today included.",
    icon: "graph",
    kind: "spend",
    copyText: value ? bothText(value.total) : "",
    children: async () => {
      const loaded = await part.load();
      if (needsAdmin(loaded.error)) return [adminNode];
      if (!loaded.value) return [failedNode(`last:${days}:failed`, "Usage")];
      return groupNodes(`last:${days}`, loaded.value);
    },
  };
}

function groupNodes(id: string, totals: AnalyticsTotals): readonly AccountNode[] {
  if (totals.models.length === 0 && totals.keys.length === 0) {
    return [{ id: `${id}:none`, label: "No usage", icon: "circle-outline", tint: "quiet" }];
  }
  const total: AccountNode = {
    id: `${id}:total`,
    label: "Total",
    description: bothText(totals.total),
    tooltip: twoTable(totals.total),
    icon: "symbol-operator",
    kind: "fact",
    copyText: bothText(totals.total),
  };
  const web = totals.keys.find((key) => key.id === null);
  const { uncounted } = totals;
  const isCounted = uncounted.usd === 0n && uncounted.diem === 0n;
  const rest = { ...uncounted, name: "Not counted by model and key yet", units: 0 };
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
    ...(isCounted ? [] : [spendNode(`${id}:uncounted`, rest, "history", bothText(uncounted))]),
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
  const tooltip = `**${plain(model.name)}** ${plain(model.modelType ?? "no model")}\n\n${twoTable(model)}\n\n${plain(
    `${model.units.toLocaleString("en-US")} ${unit}`,
  )}`;
  if (model.breakdown.length === 0) return { ...node, tooltip };
  return {
    ...node,
    tooltip,
    children: async () =>
      model.breakdown.map((part) =>
        spendNode(`${id}:${part.name}`, part, partIcon(part.name), bothText(part)),
      ),
  };
}

function spendNode(id: string, spend: NamedSpend, icon: string, copyText: string): AccountNode {
  return {
    id,
    label: spend.name,
    description: bothText(spend),
    tooltip: `**${plain(spend.name)}**\n\n${twoTable(spend)}`,
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

function twoTable({ usd, diem }: TwoCurrencies): string {
  return spendTable(
    new Map([
      ["USD", usd],
      ["DIEM", diem],
    ]),
  );
}

function spendTable(spend: SpendAmounts): string {
  return factTable(
    [...spend].map(([currency, amount]) => [plain(currency), plain(fullMoneyText(amount, currency))]),
  );
}

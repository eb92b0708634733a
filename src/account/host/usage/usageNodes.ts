import { billing } from "../../../api/endpoints/account/billing.ts";
import type { SpendTotals } from "../../../session/spend/spendBook.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { budgetRule, type CountedCurrency, unitOf } from "../../../shared/money/budgetRule.ts";
import { currencyName, fullMoneyText, moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { spanText } from "../../../shared/time/days.ts";
import { type AccountData, type Balance, type DayRange, lastDays, needsAdmin } from "../accountData.ts";
import type { AccountNode, Fact, RowTooltip } from "../tree/treeNode.ts";
import {
  type AnalyticsTotals,
  isInAnalytics,
  type KeySpend,
  type ModelSpend,
  type NamedSpend,
} from "./analyticsTotals.ts";
import type { ModelTotals, Totals } from "./days/dayTally.ts";
import { commonUnit, unitsText } from "./unitsText.ts";
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
  const told = tellingOnce(explain);
  const nodes = [
    balance.value ? balanceNode(balance.value) : failedNode("balance", "Balance", told(balance.error)),
    ownNode(own, today.value === undefined ? told(today.error) : undefined),
  ];
  if (needsAdmin(today.error)) return [...nodes, adminNode];
  const { value } = today;
  await Promise.all(lookbacks.map((days) => data.analytics(lastDays(days, data.now())).load()));
  return [
    ...nodes,
    value ? todayNode(value, own) : failedNode("today", "Today (UTC)", told(today.error)),
    ...lookbacks.map((days) => lookbackNode({ data, explain, told }, days)),
  ];
}

/** Shown once in this view. A click adds the key. */
const adminNode: AccountNode = {
  id: "admin",
  label: "The account's usage needs an ADMIN key",
  description: "Add one…",
  tooltip: {
    notes: [
      "The key in use is of type INFERENCE, which can't read the bill. Add a key of type ADMIN. It is used only for these views.",
    ],
  },
  icon: "shield",
  tint: "warning",
  command: "addAdmin",
};

/** Why a row has no value. A reason that a row above has shown is only in the tooltip. */
interface Reason {
  readonly text: string;
  readonly isShown: boolean;
}

function tellingOnce(explain: UsageNodesDeps["explain"]): (error: unknown) => Reason {
  const shown = new Set<string>();
  return (error) => {
    const text = explain(error);
    const isShown = shown.has(text);
    shown.add(text);
    return { text, isShown };
  };
}

function reasonText({ text, isShown }: Reason): string {
  return isShown ? "– not read either" : `– ${text}`;
}

function failedNode(id: string, label: string, reason: Reason): AccountNode {
  return {
    id,
    label,
    description: reasonText(reason),
    tooltip: { notes: [reason.text] },
    icon: "warning",
    tint: "warning",
  };
}

function balanceNode(balance: Balance): AccountNode {
  const { usd, diem, diemPerDay, canConsume, currency } = balance;
  const parts = [
    ...(usd === undefined ? [] : [moneyText(usd)]),
    ...(diem === undefined ? [] : [moneyText(diem)]),
  ];
  const isRed = isUnusable(balance);
  const refusal = canConsume === false ? `can't be used: ${whyUnusable(balance)}` : undefined;
  const paidIn = currency === undefined ? undefined : `paid in ${shortCurrency(currency)}`;
  const state = refusal ?? paidIn;
  const facts: Fact[] = [
    ...(usd === undefined ? [] : [["USD", fullMoneyText(usd)] as const]),
    ...(diem === undefined ? [] : [["DIEM left today", fullMoneyText(diem)] as const]),
    ...(diemPerDay === undefined ? [] : [["DIEM a day", fullMoneyText(diemPerDay)] as const]),
    ...(refusal === undefined ? [] : [["Now", refusal] as const]),
    ...(paidIn === undefined ? [] : [["Calls", paidIn] as const]),
  ];
  return {
    id: "balance",
    label: "Balance",
    description: [parts.join(" · ") || "unknown", ...(state === undefined ? [] : [state])].join(" · "),
    tooltip: { facts },
    icon: "credit-card",
    ...(isRed ? { tint: "error" as const } : {}),
    kind: "fact",
    copyText: parts.join(" · "),
  };
}

/** True if it can't pay for calls. An account that pays with bundled credits has no other balance. */
export function isUnusable(balance: Balance): boolean {
  const { canConsume } = balance;
  return canConsume === false || (canConsume !== true && isEmpty(balance));
}

/** True if nothing of it is left. One that the service does not state counts as empty. */
function isEmpty({ usd, diem }: Balance): boolean {
  return (usd?.sign ?? 0) <= 0 && (diem?.sign ?? 0) <= 0;
}

/** The reason for the refusal, from the numbers of the balance. */
function whyUnusable(balance: Balance): string {
  const { usd, diem, currency } = balance;
  if (isEmpty(balance) && (usd ?? diem) !== undefined) return "it is empty";
  const ofCurrency = currency === "USD" ? usd : currency === "DIEM" ? diem : undefined;
  return ofCurrency !== undefined && ofCurrency.sign <= 0
    ? `no ${currency} is left`
    : "the service gives no reason";
}

/** Characters of a currency's name. */
const longestCurrency = 20;

function shortCurrency(currency: string): string {
  return visibleLine(shortened(currencyName(currency), longestCurrency));
}

/** `problem`: the reason that the bill could not be read now, if it could not. */
function ownNode(totals: SpendTotals, problem: Reason | undefined): AccountNode {
  const { today, month, unbilled, unpriced, isTodayBilled, isMonthBilled } = totals;
  const paidIn = unitOf(month, totals.paidIn);
  const source = isMonthBilled
    ? "The last bill, and the calls of this extension since then"
    : "The calls of this extension, and the part of the bill that has been read. The dashboard reads the rest";
  const facts: Fact[] = [
    ["Today (UTC)", sumText(today, isTodayBilled, { textOf: fullMoneyText, paidIn })],
    ["This month (UTC)", sumText(month, isMonthBilled, { textOf: fullMoneyText, paidIn })],
    ["Not on the bill yet", spendText(unbilled, fullMoneyText, paidIn)],
    ...(unpriced > 0 ? [["Calls without a known price", String(unpriced)] as const] : []),
  ];
  const text = sumText(month, isMonthBilled, { textOf: moneyText, paidIn });
  const isUnknown = !isMonthBilled && month.size === 0;
  return {
    id: "own",
    label: "Spent this month",
    description: isUnknown ? (problem ? reasonText(problem) : `– ${unreadMonth}`) : text,
    tooltip: { facts, notes: [`${source}.`, ...(problem ? [problem.text] : []), budgetRule] },
    icon: "pulse",
    kind: "fact",
    copyText: isUnknown ? "" : text,
  };
}

const unreadMonth = "The bill is not read yet. Open the dashboard to read it.";

/** Without the whole bill, the account may have spent more; if nothing is known, the sum is unknown. */
function sumText(
  spend: Amounts,
  isBilled: boolean,
  { textOf, paidIn }: { readonly textOf: typeof moneyText; readonly paidIn: CountedCurrency | undefined },
): string {
  if (isBilled) return spendText(spend, textOf, paidIn);
  return spend.size === 0 ? "unknown" : `at least ${spendText(spend, textOf)}`;
}

function todayNode({ tallies, warningMessage: warning }: LoadedUsage, own: SpendTotals): AccountNode {
  const [tally] = tallies;
  // The ledger also has the calls that are not on the bill yet, as the status bar and the budgets count them.
  const spend = own.isTodayBilled ? own.today : (tally?.total.spend ?? nothing);
  const text = spendText(spend, moneyText, unitOf(own.month, own.paidIn));
  return {
    id: "today",
    label: "Today (UTC)",
    description: text,
    tooltip: { facts: spendFacts(spend), notes: warning ? [warning] : [] },
    icon: "calendar",
    kind: "spend",
    copyText: text,
    ...(tally && tally.models.size > 0
      ? {
          children: async () =>
            sortedModels(tally.models).map(([name, totals]) => tallyNode("today", name, totals)),
        }
      : {}),
  };
}

function sortedModels(models: ReadonlyMap<string, ModelTotals>): [string, ModelTotals][] {
  return [...models].sort(([, a], [, b]) => b.usdValue.compare(a.usdValue));
}

function tallyNode(under: string, name: string, totals: ModelTotals): AccountNode {
  const id = `${under}:model:${name}`;
  return {
    id,
    label: name,
    description: tallyText(totals),
    tooltip: { title: name, facts: spendFacts(totals.spend) },
    icon: "symbol-namespace",
    kind: "model",
    copyText: name,
    ...(totals.parts.size > 0
      ? {
          children: async () =>
            [...totals.parts].map(([part, of]) => ({
              id: `${id}:${part}`,
              label: part,
              description: tallyText(of),
              tooltip: { title: part, facts: spendFacts(of.spend) },
              icon: partIcon(part),
              kind: "fact",
              copyText: spendText(of.spend),
            })),
        }
      : {}),
  };
}

/** The bill has the unit of a record in its product alone, so that only tokens are known as such. */
function tallyText({ spend, tokens }: Totals): string {
  return tokens > 0 ? `${spendText(spend)}, ${unitsText(tokens, "tokens")}` : spendText(spend);
}

const unreadOthers = "VCU and credits not read";
const othersNote =
  "VCU, bundled credits and other currencies are only on the bill, which is not read for all of these days.";

/** A click reads them. */
function unreadNode(days: number): AccountNode {
  return {
    id: `last:${days}:unread`,
    label: "VCU and bundled credits",
    description: "– not read. Read the bill of these days…",
    tooltip: { notes: [othersNote] },
    icon: "cloud-download",
    tint: "warning",
    command: "readBill",
    days,
  };
}

interface LookbackDeps extends Omit<UsageNodesDeps, "own"> {
  readonly told: (error: unknown) => Reason;
}

function lookbackNode({ data, explain, told }: LookbackDeps, days: number): AccountNode {
  const range = lastDays(days, data.now());
  const part = data.analytics(range);
  const { value, asOfMs, error } = part.cached;
  if (!value) return failedNode(`last:${days}`, `Last ${days} days`, told(error));
  const age = asOfMs === undefined ? "" : ` (${spanText(data.now() - asOfMs)} old)`;
  const others = othersOf(data, range);
  const spend = value.total.plus(others ?? nothing);
  // Analytics have USD and DIEM alone. An account that pays with something else has a longer bill.
  const text = others ? spendText(spend) : `${spendText(spend)} · ${unreadOthers}`;
  return {
    id: `last:${days}`,
    label: `Last ${days} days`,
    description: text,
    tooltip: {
      facts: spendFacts(spend),
      notes: [
        `UTC days, today included${age}. The service counts models and keys every 10 minutes. The total includes today's bill.`,
        `The analytics of models and keys are ${billing.analytics.status} at the service and may change.`,
        ...(others ? [] : [othersNote]),
      ],
    },
    icon: "graph",
    kind: "spend",
    copyText: text,
    children: async () => {
      const loaded = await part.load();
      if (needsAdmin(loaded.error)) return [adminNode];
      if (!loaded.value)
        return [failedNode(`last:${days}:failed`, "Usage", { text: explain(loaded.error), isShown: false })];
      const groups = groupNodes(`last:${days}`, loaded.value, spend, others ? "" : " in USD or DIEM");
      return others ? groups : [unreadNode(days), ...groups];
    },
  };
}

/** What the bill of these days has in currencies that analytics do not count; undefined if it was not read. */
function othersOf(data: AccountData, range: DayRange): Amounts | undefined {
  const tallies = data.usage.loaded(range);
  return tallies && othersIn(Amounts.sum(tallies.map(({ total }) => total.spend)));
}

function othersIn(spend: Amounts): Amounts {
  return spend.where((currency) => !isInAnalytics(currency));
}

/** `part` names the currencies that were read, if not all were. */
function groupNodes(
  id: string,
  totals: AnalyticsTotals,
  spend: Amounts,
  part: string,
): readonly AccountNode[] {
  if (totals.models.length === 0 && totals.keys.length === 0 && spend.size === 0) {
    return [{ id: `${id}:none`, label: `No usage${part}`, icon: "circle-outline", tint: "quiet" }];
  }
  const total: AccountNode = {
    id: `${id}:total`,
    label: "Total",
    description: spendText(spend),
    tooltip: { facts: spendFacts(spend) },
    icon: "symbol-operator",
    kind: "fact",
    copyText: spendText(spend),
  };
  const { uncounted } = totals;
  const rest = { name: "Not counted by model and key", spend: uncounted.plus(othersIn(spend)) };
  const unit = commonUnit(totals.models);
  const keyNode = (key: KeySpend, id: string, name = key.name) => {
    const shown = { ...key, name, unitsText: unitsText(key.units, unit) };
    return spendNode(id, shown, key.id === null ? "globe" : "key", key.id ?? "Web App");
  };
  return [
    total,
    group(`${id}:models`, "By model", totals.models.length, () =>
      totals.models.map((model) => modelNode(id, model)),
    ),
    group(`${id}:keys`, "By key", totals.keys.length, () =>
      totals.keys.map((key) => keyNode(key, `${id}:key:${key.id ?? ""}`)),
    ),
    ...(rest.spend.size === 0 ? [] : [spendNode(`${id}:uncounted`, rest, "history", spendText(rest.spend))]),
    ...totals.keys.filter((key) => key.id === null).map((web) => keyNode(web, `${id}:web`, "Web app")),
  ];
}

function group(id: string, label: string, count: number, nodes: () => readonly AccountNode[]): AccountNode {
  return { id, label, description: String(count), icon: "list-tree", children: async () => nodes() };
}

function modelNode(under: string, model: ModelSpend): AccountNode {
  const id = `${under}:model:${model.name}`;
  const { unitType, modelType } = model;
  const shown = { ...model, unitsText: unitsText(model.units, unitType) };
  const node = spendNode(id, shown, modelIcon(modelType), model.name, [["Type", modelType ?? "no model"]]);
  if (model.breakdown.length === 0) return node;
  return {
    ...node,
    children: async () =>
      model.breakdown.map((part) => {
        const shownPart = { ...part, unitsText: unitsText(part.units, unitType) };
        return spendNode(`${id}:${part.name}`, shownPart, partIcon(part.name), spendText(part.spend));
      }),
  };
}

interface ShownSpend extends Pick<NamedSpend, "name" | "spend"> {
  /** Undefined if units are not counted. */
  readonly unitsText?: string;
}

/** The units are in the description, where a keyboard reaches them, too. A narrow view cuts them off before the spend. */
function spendNode(
  id: string,
  { name, spend, unitsText: units }: ShownSpend,
  icon: string,
  copyText: string,
  facts: readonly Fact[] = [],
): AccountNode {
  const tooltip: RowTooltip = {
    title: name,
    facts: [...facts, ...spendFacts(spend), ...(units === undefined ? [] : [["Units", units] as const])],
  };
  return {
    id,
    label: name,
    description: units === undefined ? spendText(spend) : `${spendText(spend)}, ${units}`,
    tooltip,
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

function spendFacts(spend: Amounts): readonly Fact[] {
  return [...spend].map((money) => [money.currency, fullMoneyText(money)]);
}

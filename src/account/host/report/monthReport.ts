import type { Budgets } from "../../../platform/settings.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Known, known } from "../../../shared/known.ts";
import type { Amounts } from "../../../shared/money/amounts.ts";
import { currencyName } from "../../../shared/money/moneyText.ts";
import { dayMs, daysText, isClosed } from "../../../shared/time/days.ts";
import { callFacts, callValueName, groupCalls, ledgerFacts, sumOfCalls } from "../dashboard/callGroups.ts";
import { isInAnalytics } from "../usage/analyticsTotals.ts";
import { unitsText } from "../usage/unitsText.ts";
import type { StoredDays } from "../usage/usageStore.ts";
import { budgetRows } from "./budgetRows.ts";
import { type ComparedMonths, comparedLines, comparedRows, type NamedSums } from "./comparison.ts";
import { modelSums, type PeriodSums, totalSums } from "./periodSums.ts";
import type { MonthReport, ReportSection } from "./reportShape.ts";
import type { TopCall } from "./topCalls.ts";

export interface ReportFacts {
  readonly service: string;
  readonly isPlayMoney: boolean;
  readonly months: ComparedMonths;
  readonly now: PeriodSums;
  readonly before: PeriodSums;
  readonly budgets: Budgets;
  readonly nowMs: number;
}

/** The report of a month. Every sum is in its own currency, and what was not read says so. */
export function toMonthReport(facts: ReportFacts): MonthReport {
  const { service, isPlayMoney, months, now, before, budgets, nowMs } = facts;
  const asOfMs = now.usage.is === "value" ? now.usage.value.asOfMs : undefined;
  return {
    title: `Usage of ${service} in ${monthText(months.now)}`,
    facts: [
      ["Service", isPlayMoney ? `${service} (play money)` : service],
      ["Days (UTC)", `${daysText(months.now)}${months.isOver ? "" : ", today so far"}`],
      ["Compared with (UTC)", daysText(months.before)],
      [
        "Read",
        asOfMs === undefined
          ? "not read"
          : `${new Date(asOfMs).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      ],
    ],
    nowHead: months.isOver ? monthText(months.now) : daysText(months.now),
    beforeHead: months.isOver ? monthText(months.before) : daysText(months.before),
    sections: [
      compared(
        "Total",
        "The bill, in each of its currencies. Currencies are never converted.",
        totalSums(before),
        totalSums(now),
      ),
      productSection(facts),
      cacheSection(now, before),
      compared(
        "Keys",
        "The service's analytics of the same days, by the description of a key.",
        before.keys,
        now.keys,
      ),
      ...ledgerFacts.map((dimension) => callSection(dimension, facts)),
      topSection(now),
      {
        title: "Budgets",
        note: "By the budgets as they are set now. They count USD, and DIEM 1:1.",
        isCompared: false,
        detailHead: "How it ended",
        rows: budgetRows(budgets, now),
        empty: "No budget is set.",
      },
    ],
    unknowns: unknownsOf(facts, nowMs),
  };
}

function compared(title: string, note: string, before: NamedSums, now: NamedSums): ReportSection {
  const rows = comparedRows(before, now)
    .flatMap(comparedLines)
    .map((line) => ({ ...line, detail: "" }));
  const [reason] = [now, before].flatMap((side) => (side.is === "unknown" ? side.reason : []));
  const empty = reason === undefined ? "Nothing was spent." : `Not read. ${reason}`;
  return { title, note, isCompared: true, detailHead: "", rows, empty };
}

/** With the tokens of this month. Units of other products are in the service's analytics alone. */
function productSection({ now, before }: ReportFacts): ReportSection {
  const section = compared(
    "Products and models",
    "The bill, by the name in its products.",
    modelSums(before),
    modelSums(now),
  );
  const tokensOf = (name: string) =>
    now.models.is === "value" ? (now.models.value.get(name)?.tokens ?? 0) : 0;
  const named = new Set<string>();
  const rows = section.rows.map((row) => {
    // In the first row of a name alone: they are those of all its currencies, and the column adds up.
    const tokens = named.has(row.name) ? 0 : tokensOf(row.name);
    named.add(row.name);
    return tokens > 0 ? { ...row, detail: unitsText(tokens, "tokens") } : row;
  });
  return { ...section, rows, detailHead: rows.some(({ detail }) => detail) ? "Tokens" : "" };
}

/** Of the tokens that were sent: the share that the service had in its cache. */
function cacheSection(now: PeriodSums, before: PeriodSums): ReportSection {
  const names = now.models.is === "value" ? [...now.models.value.keys()] : [];
  const rows = names.flatMap((name) => {
    const [rate, former] = [cacheRate(now, name), cacheRate(before, name)];
    if (rate === undefined) return [];
    return [{ name, currency: "", detail: former === undefined ? rate : `${rate}, before ${former}` }];
  });
  return {
    title: "Cache",
    note: "The share of the tokens sent that the service read from its cache, from the bill.",
    isCompared: false,
    detailHead: "Hit rate",
    rows,
    empty:
      now.models.is === "unknown"
        ? `Not read. ${now.models.reason}`
        : "No record counts tokens read from the cache.",
  };
}

function cacheRate({ models }: PeriodSums, name: string): string | undefined {
  const parts = models.is === "value" ? models.value.get(name)?.parts : undefined;
  const tokens = (part: string) => parts?.get(part)?.tokens ?? 0;
  const [read, sent] = [tokens("Cache Read"), tokens("Input") + tokens("Cache Write")];
  if (!parts?.has("Cache Read") || read + sent <= 0) return undefined;
  return `${((read * 100) / (read + sent)).toFixed(1)} %`;
}

type Dimension = (typeof ledgerFacts)[number];

const dimensionTitles: Readonly<Partial<Record<Dimension, string>>> = {
  source: "Sources",
  client: "Clients",
  folder: "Workspace folders",
  branch: "Git branches",
  key: "Keys in use here",
};

/** The calls of this computer, and what the bill has beyond them. */
function callSection(dimension: Dimension, { now, before }: ReportFacts): ReportSection {
  const sumsOf = ({ calls }: PeriodSums): NamedSums =>
    known(
      new Map(
        groupCalls(calls, dimension).map(({ values, spend }) => [
          callValueName(values[dimension] ?? "", dimension),
          spend,
        ]),
      ),
    );
  const elsewhere = { name: "Elsewhere", before: elsewhereOf(before), now: elsewhereOf(now) };
  const hasElsewhere = [elsewhere.before, elsewhere.now].some((of) => of.is !== "value" || of.value.size > 0);
  const note =
    "Calls of this extension over this connection on this computer; Elsewhere is the rest of the bill.";
  const section = compared(dimensionTitles[dimension] ?? dimension, note, sumsOf(before), sumsOf(now));
  const rest = hasElsewhere ? comparedLines(elsewhere).map((line) => ({ ...line, detail: "" })) : [];
  const empty = "No call of this extension on this computer was recorded.";
  return { ...section, rows: [...section.rows, ...rest], empty };
}

function elsewhereOf({ calls, total }: PeriodSums): Known<Amounts> {
  return total.is === "value" ? known(total.value.excessOver(sumOfCalls(calls))) : total;
}

function topSection({ top, calls }: PeriodSums): ReportSection {
  const byRequest = new Map(calls.map((call) => [call.requestId, call]));
  const rows = top.is === "value" ? [...top.value] : [];
  return {
    title: "Most expensive calls",
    note: "The ten of each currency. What is known of the call of this computer is beside it.",
    isCompared: false,
    detailHead: "Call",
    rows: rows.flatMap(([currency, list]) =>
      list.map((call) => ({
        name: new Date(call.atMs).toISOString().slice(0, 19).replace("T", " "),
        currency,
        now: known(call.spent),
        detail: topText(call, byRequest.get(call.requestId)),
      })),
    ),
    empty: top.is === "unknown" ? `Not read. ${top.reason}` : "Nothing was spent.",
  };
}

function topText({ sku, requestId }: TopCall, call: SpentEntry | undefined): string {
  const facts = requestId && call ? [...callFacts(call).values()] : [];
  return [sku, ...facts, requestId].filter(Boolean).join(" · ");
}

function unknownsOf({ now, before, months, isPlayMoney }: ReportFacts, nowMs: number): string[] {
  const reasons = (part: string, of: Known<unknown>) =>
    of.is === "unknown" ? [`${part}: ${of.reason}`] : [];
  const unpriced = now.calls.filter((call) => paidFor(call) === undefined).length;
  const open = isClosed(months.now.to, nowMs) ? [] : ["Records of the last two days may still arrive."];
  const others =
    now.total.is === "value" ? now.total.value.currencies.filter((currency) => !isInAnalytics(currency)) : [];
  return [
    ...reasons("The bill of this month was not read", now.total),
    ...reasons("The bill of the month before was not read", before.total),
    ...(now.total.is === "unknown" ? [] : reasons("Keys were not read", now.keys)),
    ...(before.total.is === "unknown" ? [] : reasons("Keys of the month before were not read", before.keys)),
    ...(others.length > 0
      ? [
          `Which key spent ${others.map(currencyName).join(" and ")}: the service counts keys in USD and DIEM alone.`,
        ]
      : []),
    "Source, client, folder and branch of calls of other programs, other computers and other connections.",
    ...(unpriced > 0 ? [`The price of ${unpriced.toLocaleString("en-US")} calls of this computer.`] : []),
    ...(now.total.is === "unknown" ? [] : open),
    ...(isPlayMoney ? ["The sandbox has no lasting bill: its figures are those of this window."] : []),
  ];
}

export function monthText({ from }: Pick<StoredDays, "from">): string {
  const date = new Date(from * dayMs);
  return date.toLocaleDateString("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
}

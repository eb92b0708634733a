import { dayMs, dayOf, daysBetween, dayText, monthOf } from "../../shared/days.ts";
import { type Exact, exactText, toNumber } from "../../shared/money/exact.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import type { UsageCard, UsageRank, UsageSeries, UsageState } from "../../shared/usageProtocol.ts";
import type { Balance } from "./accountData.ts";
import { type AnalyticsTotals, analyticsCurrencies, type KeySpend } from "./analyticsTotals.ts";
import { mergeDays } from "./dayTally.ts";
import { type Forecast, forecastOf } from "./forecast.ts";
import type { LoadedUsage, StoredDays } from "./usageStore.ts";

/** The user's choices in the dashboard. */
export interface DashboardChoice {
  readonly range: StoredDays;
  readonly lookback: number;
  readonly groupBy: "model" | "key";
  /** Empty for the currency with the highest spend. */
  readonly currency: string;
}

/** Data for the dashboard. */
export interface DashboardFacts {
  readonly service: string;
  /** True for the sandbox's account. */
  readonly isPlayMoney: boolean;
  readonly usage: LoadedUsage;
  /** Sums of the whole range by key; undefined if they could not be loaded. */
  readonly totals: AnalyticsTotals | undefined;
  /** Keys of each day if they are charted, because records name no key. */
  readonly keysByDay: ReadonlyMap<number, readonly KeySpend[]>;
  readonly balance: Balance | undefined;
  readonly nowMs: number;
  readonly problem: string;
}

const charted = 8;
const others = "Other";

/** The complete state of the dashboard, in display order. */
export function toDashboardState(choice: DashboardChoice, facts: DashboardFacts): UsageState {
  const { usage } = facts;
  const { total, models } = mergeDays(usage.tallies);
  const currencies = [...new Set(["USD", "DIEM", ...total.spend.keys()])];
  const currency = choice.currency || mostSpent(total.spend);
  const amountOf = (spend: ReadonlyMap<string, Exact>) => spend.get(currency) ?? 0n;
  const days = daysBetween(choice.range.from, choice.range.to);
  const series =
    choice.groupBy === "model" ? modelSeries(usage, days, amountOf) : keySeries(facts, days, currency);
  const all = amountOf(total.spend);
  return {
    service: facts.service,
    from: dayText(choice.range.from),
    to: dayText(choice.range.to),
    lookback: choice.lookback,
    groupBy: choice.groupBy,
    currency,
    currencies,
    days: days.map(dayText),
    series: topSeries(series),
    cards: cardsOf(choice, facts, currency, total.spend),
    models: ranked(
      [...models].map(([name, totals]) => ({
        name,
        amount: amountOf(totals.spend),
        spend: spendText(totals.spend),
        perThousand: perThousandTokens(totals.tokensUsdValue, totals.tokens),
      })),
      all,
    ),
    keys: ranked(keyRows(facts, currency, all), all),
    records: total.records,
    asOfMs: usage.asOfMs,
    warning: usage.warningMessage ?? "",
    problem: facts.problem,
    needsAdmin: false,
  };
}

/** Each key, and the part of the bill that is not assigned to a key yet, so that the list adds up to the chart. */
function keyRows({ totals }: DashboardFacts, currency: string, all: Exact) {
  if (!totals) return [];
  const rows = totals.keys.map((key) => ({
    name: key.name,
    amount: ofKey(key, currency),
    spend: spendText(key.spend),
    perThousand: "",
  }));
  const rest = all - rows.reduce((sum, { amount }) => sum + amount, 0n);
  if (rest <= 0n || !analyticsCurrencies.includes(currency)) return rows;
  const spend = moneyText(rest, currency);
  return [...rows, { name: notCounted, amount: rest, spend, perThousand: "" }];
}

/** The service counts usage by key every ten minutes. */
const notCounted = "Not counted by key yet";

function mostSpent(spend: ReadonlyMap<string, Exact>): string {
  const [first] = [...spend].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  return first?.[0] ?? "USD";
}

interface Series {
  readonly name: string;
  readonly values: readonly Exact[];
}

function modelSeries(
  { tallies }: LoadedUsage,
  days: readonly number[],
  amountOf: (spend: ReadonlyMap<string, Exact>) => Exact,
): Series[] {
  const byDay = new Map(tallies.map((tally) => [tally.day, tally.models]));
  const names = new Set(tallies.flatMap(({ models }) => [...models.keys()]));
  return [...names].map((name) => ({
    name,
    values: days.map((day) => {
      const model = byDay.get(day)?.get(name);
      return model ? amountOf(model.spend) : 0n;
    }),
  }));
}

/** Keys are identified by id. Keys with the same description show the end of their id. */
function keySeries({ keysByDay }: DashboardFacts, days: readonly number[], currency: string): Series[] {
  const names = new Map<string | null, string>();
  for (const keys of keysByDay.values()) for (const { id, name } of keys) names.set(id, name);
  const isTwin = (name: string) => [...names.values()].filter((other) => other === name).length > 1;
  return [...names].map(([id, name]) => ({
    name: isTwin(name) && id !== null ? `${name} (…${id.slice(-6)})` : name,
    values: days.map((day) => {
      const key = keysByDay.get(day)?.find((one) => one.id === id);
      return key ? ofKey(key, currency) : 0n;
    }),
  }));
}

/** The largest series, and all others as one. */
function topSeries(all: readonly Series[]): UsageSeries[] {
  const sum = ({ values }: Series) => values.reduce((a, b) => a + b, 0n);
  const spent = all.filter(({ values }) => values.some((value) => value !== 0n));
  const sorted = spent.toSorted((a, b) => (sum(a) < sum(b) ? 1 : sum(a) > sum(b) ? -1 : 0));
  const [top, rest] = [sorted.slice(0, charted), sorted.slice(charted)];
  const shown =
    rest.length === 0
      ? top
      : [
          ...top,
          {
            name: others,
            values: (rest[0] as Series).values.map((_, day) =>
              rest.reduce((s, { values }) => s + (values[day] ?? 0n), 0n),
            ),
          },
        ];
  return shown.map((one) => ({
    name: one.name,
    values: one.values.map(exactText),
    total: exactText(sum(one)),
  }));
}

function ranked(
  rows: readonly { name: string; amount: Exact; spend: string; perThousand: string }[],
  all: Exact,
): UsageRank[] {
  return rows
    .toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
    .slice(0, 200)
    .map(({ name, amount, spend, perThousand }) => ({
      name,
      spend,
      perThousand,
      share: all > 0n ? toNumber((amount * 10n ** 18n) / all) : 0,
    }));
}

function perThousandTokens(usdValue: Exact, tokens: number): string {
  if (tokens < 1) return "";
  return moneyText((usdValue * 1000n) / BigInt(Math.round(tokens)), "USD");
}

function ofKey({ spend }: KeySpend, currency: string): Exact {
  return spend.get(currency) ?? 0n;
}

function cardsOf(
  choice: DashboardChoice,
  facts: DashboardFacts,
  currency: string,
  spend: ReadonlyMap<string, Exact>,
): UsageCard[] {
  const { usage, balance, nowMs } = facts;
  const today = usage.tallies.find(({ day }) => day === dayOf(nowMs));
  const forecast = forecastIn(facts, currency);
  const balanceText = [
    ...(balance?.usd === undefined ? [] : [moneyText(balance.usd, "USD")]),
    ...(balance?.diem === undefined ? [] : [moneyText(balance.diem, "DIEM")]),
  ].join(" · ");
  const days = choice.range.to - choice.range.from + 1;
  return [
    {
      label: "Spend in this range",
      value: spendText(spend),
      note: `${days === 1 ? "1 day" : `${days} days (UTC)`}${facts.isPlayMoney ? ", play money" : ""}`,
    },
    ...(today
      ? [
          {
            label: "Today",
            value: spendText(today.total.spend),
            note: `UTC, so far${facts.isPlayMoney ? ", play money" : ""}`,
          },
        ]
      : []),
    ...(balanceText
      ? [
          {
            label: "Balance",
            value: balanceText,
            note: facts.isPlayMoney ? "play money" : "as the service reports it",
          },
        ]
      : []),
    ...(forecast ? [forecastCard(forecast, currency, balance)] : []),
  ];
}

/** For USD to the end of the month. DIEM are granted daily, so to the end of the day. */
function forecastIn({ usage, nowMs }: DashboardFacts, currency: string): Forecast | undefined {
  const byDay = new Map(usage.tallies.map(({ day, total }) => [day, total.spend.get(currency) ?? 0n]));
  const today = dayOf(nowMs);
  const month = monthOf(nowMs);
  const [fromDay, toDay] = currency === "DIEM" ? [today, today] : [month.from, month.to - 1];
  if (usage.range.to < today || usage.range.from > fromDay) return undefined;
  return forecastOf({ byDay, nowMs, fromDay, toDay, knownFromDay: usage.range.from });
}

function forecastCard(forecast: Forecast, currency: string, balance: Balance | undefined): UsageCard {
  const { expected, low, high } = forecast;
  const span = `${moneyText(low, currency)} to ${moneyText(high, currency)}`;
  return {
    label: currency === "DIEM" ? "Forecast to the end of the day" : "Forecast to the end of the month",
    value: moneyText(expected, currency),
    note: `estimated from the last full days, ${span}${overText(forecast, currency, balance)}`,
  };
}

/** DIEM are granted daily; USD must last. */
function overText({ expected, spent }: Forecast, currency: string, balance: Balance | undefined): string {
  if (currency === "DIEM") {
    return balance?.diemPerDay !== undefined && expected > balance.diemPerDay
      ? "; exceeds the daily grant"
      : "";
  }
  const isOver = currency === "USD" && balance?.usd !== undefined && expected - spent > balance.usd;
  return isOver ? "; exceeds the balance" : "";
}

/** The range of the last days. */
export function lookbackRange(days: number, nowMs: number): StoredDays {
  const to = Math.floor(nowMs / dayMs);
  return { from: to - days + 1, to };
}

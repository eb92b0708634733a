import { billing } from "../../../api/endpoints/account/billing.ts";
import type { SpendTotals } from "../../../session/spend/spendBook.ts";
import { type Known, known, knownList, unknown } from "../../../shared/known.ts";
import { optionalMember } from "../../../shared/members.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { unitOf } from "../../../shared/money/budgetRule.ts";
import {
  type Money,
  type RuntimeCurrency,
  toRuntimeCurrency,
  type Usd,
} from "../../../shared/money/money.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { dayMs, dayOf, daysBetween, dayText, monthOf } from "../../../shared/time/days.ts";
import type { UsageCard, UsageRank, UsageSeries, UsageState } from "../../protocol/usageProtocol.ts";
import type { Balance } from "../accountData.ts";
import { type AnalyticsTotals, isInAnalytics, type KeySpend } from "../usage/analyticsTotals.ts";
import { mergeDays } from "../usage/days/dayTally.ts";
import { type Forecast, forecastOf } from "../usage/forecast.ts";
import { commonUnit, unitsText } from "../usage/unitsText.ts";
import type { LoadedUsage, StoredDays } from "../usage/usageStore.ts";

/** The user's choices in the dashboard. */
export interface DashboardChoice {
  readonly range: StoredDays;
  readonly lookback: number;
  readonly groupBy: "model" | "key";
  /** Empty for all: then the chart has the one with the highest spend. */
  readonly currency: string;
}

/** Data for the dashboard. What could not be read is unknown with the reason. */
export interface DashboardFacts {
  readonly service: string;
  /** Id of the connection. */
  readonly connection: string;
  /** True for the sandbox's account. */
  readonly isPlayMoney: boolean;
  readonly usage: Known<LoadedUsage>;
  /** Sums of the whole range by key. */
  readonly totals: Known<AnalyticsTotals>;
  /** Keys of each day if they are charted, because records name no key. */
  readonly keysByDay: Known<ReadonlyMap<number, readonly KeySpend[]>>;
  readonly balance: Known<Balance>;
  /** True if it could not be read again. */
  readonly isBalanceOld: boolean;
  /** From the ledger of this computer; undefined if it could not be read. */
  readonly spent: SpendTotals | undefined;
  /** The ends of keys by id, as far as they are known. */
  readonly keyEndings: ReadonlyMap<string, string>;
  readonly nowMs: number;
  /** True if only a key of type ADMIN can read the usage. */
  readonly needsAdmin: boolean;
}

const charted = 8;
const others = "Other";

/** The complete state of the dashboard, in display order. */
export function toDashboardState(choice: DashboardChoice, facts: DashboardFacts): UsageState {
  const { usage } = facts;
  const read = usage.is === "value" ? usage.value : undefined;
  const { total, models } = mergeDays(read?.tallies ?? []);
  const offered = ["USD", "DIEM", ...total.spend.currencies, ...(choice.currency ? [choice.currency] : [])];
  const currency = toRuntimeCurrency(choice.currency || mostSpent(total.spend, facts.spent));
  const amountOf = (spend: Amounts) => spend.in(currency);
  const days = daysBetween(choice.range.from, choice.range.to);
  const all = amountOf(total.spend);
  return {
    service: facts.service,
    connection: facts.connection,
    from: dayText(choice.range.from),
    to: dayText(choice.range.to),
    lookback: choice.lookback,
    groupBy: choice.groupBy,
    currency,
    onlyCurrency: choice.currency,
    currencies: [...new Set(offered)],
    days: days.map(dayText),
    series: seriesOf({ ...choice, currency }, facts, days, amountOf),
    cards: cardsOf(choice, facts, currency, total.spend),
    models: ofUsage(usage, () =>
      ranked(
        choice,
        [...models].map(([name, totals]) => ({
          name,
          amount: amountOf(totals.spend),
          spend: spendText(totals.spend),
          units: modelUnits(name, totals.tokens, facts),
          perThousand: perThousandTokens(totals.tokensUsdValue, totals.tokens),
        })),
        all,
      ),
    ),
    keys: keyRanks(choice, facts, currency, read && total.spend),
    records: read ? known(total.records) : asUnknown(usage),
    asOfMs: read?.asOfMs ?? null,
    warning: read?.warningMessage ?? "",
    analyticsStatus: billing.analytics.status ?? "",
    problem: problemOf(facts),
    needsAdmin: facts.needsAdmin,
  };
}

/** The bill counts tokens as such. The unit of other models is in analytics alone. */
function modelUnits(name: string, tokens: number, { totals }: DashboardFacts): string {
  if (tokens > 0) return unitsText(tokens, "tokens");
  const counted =
    totals.is === "value" ? totals.value.models.find((model) => model.name === name) : undefined;
  return counted === undefined ? "" : unitsText(counted.units, counted.unitType);
}

const notByKey = unknown(
  "The service counts keys in USD and DIEM alone. Choose one of these currencies, or stack by model.",
);
const notRead = unknown("It was not read.");

/** The reason of a part that depends on another. */
function asUnknown(of: Known<unknown>): Extract<Known<never>, { readonly is: "unknown" }> {
  return of.is === "unknown" ? of : notRead;
}

function ofUsage<Row>(usage: Known<LoadedUsage>, rows: () => readonly Row[]): Known<readonly Row[]> {
  return usage.is === "value" ? knownList(rows()) : asUnknown(usage);
}

/** Each reason once. */
function problemOf({ usage, totals, keysByDay, balance }: DashboardFacts): string {
  const reasons = [usage, totals, keysByDay, balance].flatMap((part) =>
    part.is === "unknown" ? part.reason : [],
  );
  return [...new Set(reasons)].join(" ");
}

function seriesOf(
  { groupBy, currency }: DashboardChoice,
  { usage, keysByDay }: DashboardFacts,
  days: readonly number[],
  amountOf: (spend: Amounts) => Shown,
): Known<readonly UsageSeries[]> {
  if (groupBy === "model")
    return usage.is === "value"
      ? knownList(topSeries(modelSeries(usage.value, days, amountOf)))
      : asUnknown(usage);
  if (usage.is !== "value") return asUnknown(usage);
  if (!isInAnalytics(currency)) return notByKey;
  return keysByDay.is === "value"
    ? knownList(topSeries(keySeries(keysByDay.value, days, amountOf)))
    : asUnknown(keysByDay);
}

/**
 * Each key, and the part of the bill that is not assigned to a key yet, so that the list adds up to the bill in each of its
 * currencies. `bill` is its sum, if it was read.
 */
function keyRanks(
  choice: DashboardChoice,
  { totals, keyEndings }: DashboardFacts,
  currency: RuntimeCurrency,
  bill: Amounts | undefined,
): Known<readonly UsageRank[]> {
  if (totals.is !== "value") return asUnknown(totals);
  if (choice.currency && !isInAnalytics(currency)) return notByKey;
  const { keys, total, models } = totals.value;
  const unit = commonUnit(models);
  const rows = keys.map((key) => ({
    name: key.name,
    amount: key.spend.in(currency),
    spend: spendText(key.spend),
    units: unitsText(key.units, unit),
    perThousand: "",
    ...optionalMember("keyEnding", keyEndings.get(key.id ?? "")),
  }));
  const whole = bill ?? total;
  const rest = whole.excessOver(Amounts.sum(keys.map(({ spend }) => spend)));
  const others = {
    name: rest.currencies.every(isInAnalytics) ? notCountedYet : notCounted,
    amount: rest.in(currency),
    spend: spendText(rest),
    units: "",
    perThousand: "",
  };
  const listed = rest.size === 0 ? rows : [...rows, others];
  return knownList(ranked(choice, listed, whole.in(currency)));
}

/** The service counts usage by key every ten minutes, in USD and DIEM alone. */
const notCountedYet = "Not counted by key yet";
const notCounted = "Not counted by key";

/** The currency with the highest number, which has the most to draw. */
function mostSpent(spend: Amounts, ledger: SpendTotals | undefined): string {
  const [first] = [...spend].sort((a, b) => Number(b.digits()) - Number(a.digits()));
  return first?.currency ?? ledger?.paidIn ?? "USD";
}

/** An amount in the currency that the dashboard shows. */
type Shown = Money<RuntimeCurrency>;

interface Series {
  readonly name: string;
  readonly values: readonly Shown[];
}

function modelSeries(
  { tallies }: LoadedUsage,
  days: readonly number[],
  amountOf: (spend: Amounts) => Shown,
): Series[] {
  const byDay = new Map(tallies.map((tally) => [tally.day, tally.models]));
  const names = new Set(tallies.flatMap(({ models }) => [...models.keys()]));
  return [...names].map((name) => ({
    name,
    values: days.map((day) => {
      const model = byDay.get(day)?.get(name);
      return amountOf(model?.spend ?? nothing);
    }),
  }));
}

/** Keys are identified by id. Keys with the same description show the end of their id. */
function keySeries(
  keysByDay: ReadonlyMap<number, readonly KeySpend[]>,
  days: readonly number[],
  amountOf: (spend: Amounts) => Shown,
): Series[] {
  const names = new Map<string | null, string>();
  for (const keys of keysByDay.values()) for (const { id, name } of keys) names.set(id, name);
  const isTwin = (name: string) => [...names.values()].filter((other) => other === name).length > 1;
  return [...names].map(([id, name]) => ({
    name: isTwin(name) && id !== null ? `${name} (…${id.slice(-6)})` : name,
    values: days.map((day) => {
      const key = keysByDay.get(day)?.find((one) => one.id === id);
      return amountOf(key?.spend ?? nothing);
    }),
  }));
}

/** The largest series, and all others as one. */
function topSeries(all: readonly Series[]): UsageSeries[] {
  const sum = ({ values }: Series) => values.reduce((a, b) => a.plus(b));
  const spent = all.filter(({ values }) => values.some((value) => value.sign !== 0));
  const sorted = spent.toSorted((a, b) => sum(b).compare(sum(a)));
  const [top, rest] = [sorted.slice(0, charted), sorted.slice(charted)];
  const shown =
    rest.length === 0
      ? top
      : [
          ...top,
          rest.reduce((all, { values }) => ({
            name: others,
            values: all.values.map((value, day) => value.plus(values[day] ?? value.scaled(0))),
          })),
        ];
  return shown.map((one) => ({
    name: one.name,
    values: one.values.map((value) => value.digits()),
    total: sum(one).digits(),
  }));
}

/** With a currency that the user chose, only what was spent in it. */
function ranked(
  { currency }: DashboardChoice,
  rows: readonly (Omit<UsageRank, "share"> & { readonly amount: Shown })[],
  all: Shown,
): UsageRank[] {
  return rows
    .filter(({ amount }) => currency === "" || amount.sign !== 0)
    .toSorted((a, b) => b.amount.compare(a.amount))
    .slice(0, 200)
    .map(({ amount, ...row }) => ({
      ...row,
      spend: currency === "" ? row.spend : moneyText(amount),
      share: amount.shareOf(all),
    }));
}

function perThousandTokens(usdValue: Usd, tokens: number): string {
  if (tokens < 1) return "";
  return moneyText(usdValue.scaled(1000, Math.round(tokens)));
}

function cardsOf(
  choice: DashboardChoice,
  facts: DashboardFacts,
  currency: RuntimeCurrency,
  spend: Amounts,
): UsageCard[] {
  const { usage, balance, nowMs, isPlayMoney } = facts;
  const days = choice.range.to - choice.range.from + 1;
  const play = isPlayMoney ? ", play money" : "";
  const today = dayOf(nowMs);
  const hasToday = choice.range.from <= today && today <= choice.range.to;
  const ofBill = (text: () => string): Known<string> =>
    usage.is === "value" ? known(text()) : asUnknown(usage);
  const forecast = usage.is === "value" ? forecastIn(usage.value, facts, currency) : undefined;
  return [
    {
      label: "Spend in this range",
      value: ofBill(() =>
        spendText(spend, moneyText, unitOf(facts.spent?.month ?? spend, facts.spent?.paidIn)),
      ),
      note: `${days === 1 ? "1 day" : `${days} days (UTC)`}${play}`,
    },
    ...(hasToday
      ? [{ label: "Today", value: ofBill(() => todayText(facts)), note: `UTC, so far${play}` }]
      : []),
    ...balanceCard(facts),
    ...(forecast ? [forecastCard(forecast, balance.is === "value" ? balance.value : undefined)] : []),
  ];
}

/** With the calls that are not on the bill yet, as the status bar and the budgets count them. */
function todayText({ usage, spent, nowMs }: DashboardFacts): string {
  if (spent?.isTodayBilled) return spendText(spent.today, moneyText, unitOf(spent.month, spent.paidIn));
  const tallies = usage.is === "value" ? usage.value.tallies : [];
  return spendText(tallies.find(({ day }) => day === dayOf(nowMs))?.total.spend ?? nothing);
}

function balanceCard({ balance, isBalanceOld, isPlayMoney }: DashboardFacts): UsageCard[] {
  const label = "Balance";
  if (balance.is !== "value") return [{ label, value: asUnknown(balance), note: "" }];
  const { usd, diem } = balance.value;
  const texts = [
    ...(usd === undefined ? [] : [moneyText(usd)]),
    ...(diem === undefined ? [] : [moneyText(diem)]),
  ];
  const source = isPlayMoney ? "play money" : "as the service reports it";
  const note = isBalanceOld ? "the last known; it could not be read again" : source;
  return texts.length === 0 ? [] : [{ label, value: known(texts.join(" · ")), note }];
}

/** For USD to the end of the month. DIEM are granted daily, so to the end of the day. */
function forecastIn(
  usage: LoadedUsage,
  { nowMs, spent }: DashboardFacts,
  currency: RuntimeCurrency,
): Forecast<RuntimeCurrency> | undefined {
  const byDay = new Map(usage.tallies.map(({ day, total }) => [day, total.spend]));
  const spentOn = (day: number) => (byDay.get(day) ?? nothing).in(currency);
  const today = dayOf(nowMs);
  const month = monthOf(nowMs);
  const isDaily = isGrantedDaily(currency);
  const [fromDay, toDay] = isDaily ? [today, today] : [month.from, month.to - 1];
  if (usage.range.to < today || usage.range.from > fromDay) return undefined;
  // The ledger also has the calls that are not on the bill yet.
  const spentAtLeast = ((isDaily ? spent?.today : spent?.month) ?? nothing).in(currency);
  return forecastOf({ spentOn, nowMs, fromDay, toDay, knownFromDay: usage.range.from, spentAtLeast });
}

function forecastCard(forecast: Forecast<RuntimeCurrency>, balance: Balance | undefined): UsageCard {
  const { expected, low, high } = forecast;
  const span = `${moneyText(low)} to ${moneyText(high)}`;
  return {
    label: isGrantedDaily(expected.currency)
      ? "Forecast to the end of the day"
      : "Forecast to the end of the month",
    value: known(moneyText(expected)),
    note: `estimated from the last full days, ${span}${overText(forecast, balance)}`,
  };
}

/** DIEM are granted daily; USD must last. */
function overText({ expected, spent }: Forecast<RuntimeCurrency>, balance: Balance | undefined): string {
  const { diemPerDay, usd } = balance ?? {};
  if (diemPerDay && expected.as("DIEM")?.exceeds(diemPerDay)) return "; exceeds the daily grant";
  return usd && expected.minus(spent).as("USD")?.exceeds(usd) ? "; exceeds the balance" : "";
}

function isGrantedDaily(currency: string): boolean {
  return currency === "DIEM";
}

/** The range of the last days. */
export function lookbackRange(days: number, nowMs: number): StoredDays {
  const to = Math.floor(nowMs / dayMs);
  return { from: to - days + 1, to };
}

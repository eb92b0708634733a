import { type Known, known, knownList } from "../../../shared/known.ts";
import type { AnyMoney } from "../../../shared/money/money.ts";
import { moneyText } from "../../../shared/money/moneyText.ts";
import { daysText } from "../../../shared/time/days.ts";
import type { ComparisonLine, ComparisonState, ToComparisonView } from "../../protocol/comparisonProtocol.ts";
import type { StoredDays } from "../usage/usageStore.ts";
import {
  type ComparedLine,
  comparedLines,
  comparedMonths,
  comparedRows,
  type NamedSums,
} from "./comparison.ts";
import { modelSums, type PeriodSums, type ReportAccount, readPeriod, totalSums } from "./periodSums.ts";

/** The dashboard's comparison of this month with the same days of the last one. */
export class MonthComparison {
  readonly #account: () => ReportAccount | undefined;
  readonly #post: (message: ToComparisonView) => void;
  #reading = new AbortController();

  constructor(account: () => ReportAccount | undefined, post: (message: ToComparisonView) => void) {
    this.#account = account;
    this.#post = post;
  }

  /** Reads both months, and posts the comparison if the account is still the active one. A later call replaces it. */
  async show(): Promise<void> {
    const of = this.#account();
    this.clear();
    const { signal } = this.#reading;
    if (!of) return;
    const nowMs = of.data.now();
    const months = comparedMonths(nowMs, nowMs);
    const read = (range: StoredDays) =>
      readPeriod({ of, range, calls: [], hasTop: false, signal, onProgress() {} });
    try {
      const [now, before] = [await read(months.now), await read(months.before)];
      if (signal.aborted || this.#account()?.identity !== of.identity) return;
      this.#post({ v: 1, type: "comparison", state: toComparisonState(now, before) });
    } catch (error) {
      // Nothing else rejects: what can't be read is unknown.
      if (!signal.aborted) throw error;
    }
  }

  /** Stops reading: nothing of it belongs to the account, or nobody sees it. */
  clear(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }
}

function toComparisonState(now: PeriodSums, before: PeriodSums): ComparisonState {
  const sums: readonly (readonly [string, NamedSums, NamedSums])[] = [
    ["Total", totalSums(before), totalSums(now)],
    ["Products and models", modelSums(before), modelSums(now)],
    ["Keys", before.keys, now.keys],
  ];
  const reasons = [now.total, before.total, now.keys, before.keys].flatMap((part) =>
    part.is === "unknown" ? part.reason : [],
  );
  return {
    beforeDays: daysText(before.range),
    nowDays: daysText(now.range),
    groups: sums.map(([title, then, since]) => ({ title, lines: linesOf(then, since) })),
    problem: [...new Set(reasons)].join(" "),
  };
}

/** Unknown if neither month was read. */
function linesOf(before: NamedSums, now: NamedSums): Known<readonly ComparisonLine[]> {
  if (before.is === "unknown" && now.is === "unknown") return now;
  return knownList(comparedRows(before, now).flatMap(comparedLines).map(toLine));
}

function toLine({ name, before, now, difference }: ComparedLine): ComparisonLine {
  const signed = (money: AnyMoney) => `${money.sign > 0 ? "+" : ""}${amountText(money)}`;
  return { name, before: shown(before), now: shown(now), difference: shown(difference, signed) };
}

function shown(of: Known<AnyMoney>, textOf = amountText): Known<string> {
  return of.is === "value" ? known(textOf(of.value)) : of;
}

/** A sum of nothing has no currency. */
function amountText(money: AnyMoney): string {
  return money.currency === "" ? money.digits() : moneyText(money);
}

import { type Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { type BudgetScope, scopeId } from "../../../shared/money/scopedBudget.ts";
import { dayOf, monthOf } from "../../../shared/time/days.ts";
import { paidFor, type SpentEntry } from "../spendLines.ts";
import { tagsOfEntry } from "./callTags.ts";
import { isInScope, type SpendTags } from "./spendTags.ts";

/** The recorded calls of a scope in a day or a month. */
export interface ScopeSum {
  /** What the bill says that was paid, else the price of each call when it ended. */
  readonly spent: Amounts;
  /** Upper bound of the calls of unknown price, until the bill is read. */
  readonly most: Counted;
  /** Calls of unknown price, which the bill has not told either. */
  readonly unpriced: number;
}

export const noSum: ScopeSum = { spent: nothing, most: Counted.zero, unpriced: 0 };

/** More than a user can have budgets. Scopes of budgets that were removed make room for others. */
const mostScopes = 200;

/**
 * Sums of the recorded calls by scope and day. The calls of a scope are read once, when it is first asked for; then its
 * sums change with each line, so that judging a call never reads the others.
 */
export class ScopeSums {
  readonly #entries: () => Iterable<SpentEntry>;
  readonly #isBilled: (id: string) => boolean;
  /** By entry, so that many scopes read its texts once. */
  readonly #tags = new WeakMap<SpentEntry, SpendTags>();
  readonly #scopes = new Map<string, { readonly per: BudgetScope; readonly days: Map<number, ScopeSum> }>();

  constructor(entries: () => Iterable<SpentEntry>, isBilled: (id: string) => boolean) {
    this.#entries = entries;
    this.#isBilled = isBilled;
  }

  /** Before an entry changes, with the state that it has in the sums. */
  remove(entry: SpentEntry): void {
    this.#change(entry, -1);
  }

  /** After it has changed. */
  add(entry: SpentEntry): void {
    this.#change(entry, 1);
  }

  /** Of a day and of a calendar month. */
  of(per: BudgetScope, nowMs: number): { readonly today: ScopeSum; readonly month: ScopeSum } {
    const days = this.days(per);
    const { from, to } = monthOf(nowMs);
    const inMonth = [...days].filter(([day]) => day >= from && day < to).map(([, sum]) => sum);
    return { today: days.get(dayOf(nowMs)) ?? noSum, month: inMonth.reduce(plus, noSum) };
  }

  /** By UTC day. */
  days(per: BudgetScope): ReadonlyMap<number, ScopeSum> {
    const id = scopeId(per);
    const known = this.#scopes.get(id);
    if (known) return known.days;
    const days = new Map<number, ScopeSum>();
    for (const entry of this.#entries()) this.#count(days, per, entry, 1);
    const [oldest] = this.#scopes.keys();
    if (oldest !== undefined && this.#scopes.size >= mostScopes) this.#scopes.delete(oldest);
    this.#scopes.set(id, { per, days });
    return days;
  }

  #change(entry: SpentEntry, sign: 1 | -1): void {
    for (const { per, days } of this.#scopes.values()) this.#count(days, per, entry, sign);
  }

  #count(days: Map<number, ScopeSum>, per: BudgetScope, entry: SpentEntry, sign: 1 | -1): void {
    if (!isInScope(per, this.#tagsOf(entry))) return;
    const day = dayOf(entry.atMs);
    days.set(day, plus(days.get(day) ?? noSum, signed(this.#sumOf(entry), sign)));
  }

  #tagsOf(entry: SpentEntry): SpendTags {
    const tags = this.#tags.get(entry) ?? tagsOfEntry(entry);
    this.#tags.set(entry, tags);
    return tags;
  }

  #sumOf(entry: SpentEntry): ScopeSum {
    const paid = paidFor(entry);
    // No call pays back more than it cost. A bill that says so must not make room in a budget for others.
    if (paid) return { spent: paid.excessOver(nothing), most: Counted.zero, unpriced: 0 };
    // The bill has no record of it, so it was not charged.
    return this.#isBilled(entry.id)
      ? noSum
      : { spent: nothing, most: entry.most ?? Counted.zero, unpriced: 1 };
  }
}

function signed({ spent, most, unpriced }: ScopeSum, sign: 1 | -1): ScopeSum {
  return sign > 0
    ? { spent, most, unpriced }
    : { spent: spent.negated(), most: most.negated(), unpriced: -unpriced };
}

function plus(one: ScopeSum, other: ScopeSum): ScopeSum {
  return {
    spent: one.spent.plus(other.spent),
    most: one.most.plus(other.most),
    unpriced: one.unpriced + other.unpriced,
  };
}

import { explain } from "../../../platform/errors/errorMessage.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Known, known, unknown } from "../../../shared/known.ts";
import { Amounts, amountIn, nothing } from "../../../shared/money/amounts.ts";
import { dayOf } from "../../../shared/time/days.ts";
import { needsAdmin } from "../accountData.ts";
import type { Account } from "../accountOf.ts";
import { type ModelTotals, mergeDays } from "../usage/days/dayTally.ts";
import type { StoredDays, SummedUsage, TakePiece } from "../usage/usageStore.ts";
import type { NamedSums } from "./comparison.ts";
import { type TopCall, TopCalls } from "./topCalls.ts";

/** The sums of an account over some days. What could not be read is unknown, with the reason and the step that helps. */
export interface PeriodSums {
  readonly range: StoredDays;
  readonly usage: Known<SummedUsage>;
  readonly total: Known<Amounts>;
  readonly models: Known<ReadonlyMap<string, ModelTotals>>;
  /** By description of the key, and the part of the bill that has none. */
  readonly keys: NamedSums;
  /** Calls of this extension on this computer, with what the bill says of each. Newest first. */
  readonly calls: readonly SpentEntry[];
  /** By currency. */
  readonly top: Known<ReadonlyMap<string, readonly TopCall[]>>;
}

/** The part of an account that a report reads. */
export type ReportAccount = Pick<Account, "identity" | "connection" | "admin" | "data">;

export interface ReadPeriod {
  readonly of: ReportAccount;
  readonly range: StoredDays;
  /** Calls in the ledger of the connection. */
  readonly calls: readonly SpentEntry[];
  /** False to read sums alone, which reads no day twice. */
  readonly hasTop: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (read: number, total: number | undefined) => void;
}

/** Reads the bill without holding its records. Rejects only if it was cancelled. */
export async function readPeriod({
  of,
  range,
  calls,
  hasTop,
  signal,
  onProgress,
}: ReadPeriod): Promise<PeriodSums> {
  const reasonOf = (error: unknown) => {
    const { sentence } = explain(error, { service: of.admin.name, kind: of.admin.kind });
    return unknown(needsAdmin(error) ? `${sentence} ${adminStep}` : sentence);
  };
  const own = calls.filter(({ atMs }) => dayOf(atMs) >= range.from && dayOf(atMs) <= range.to);
  const [top, paid] = [new TopCalls(), new PaidByRequest(own)];
  const take: TakePiece = (columns, words) => {
    top.take(columns, words);
    paid.take(columns, words);
  };
  const usage = await of.data.usage
    .sum(range, { signal, onProgress }, hasTop ? take : undefined)
    .then(known, (error: unknown) => {
      signal.throwIfAborted();
      return reasonOf(error);
    });
  if (usage.is !== "value") {
    return { range, usage, total: usage, models: usage, keys: usage, calls: own, top: usage };
  }
  const { total, models } = mergeDays(usage.value.tallies);
  const { value, error } = await of.data.analytics(range).load();
  signal.throwIfAborted();
  return {
    range,
    usage,
    total: known(total.spend),
    models: known(models),
    keys: value ? known(byKey(value.keys, total.spend)) : reasonOf(error),
    calls: paid.ofCalls(),
    top: known(top.calls),
  };
}

const adminStep = "Or add one: Add ADMIN Key… in the view Usage.";

/** All of a period under one name. */
export function totalSums({ total }: PeriodSums): NamedSums {
  return total.is === "value" ? known(new Map([["All", total.value]])) : total;
}

/** By product and model. */
export function modelSums({ models }: PeriodSums): NamedSums {
  if (models.is !== "value") return models;
  return known(new Map([...models.value].map(([name, { spend }]) => [name, spend])));
}

/** Two keys may have the same description: the later ones show the end of their id. */
function byKey(
  keys: readonly { readonly id: string | null; readonly name: string; readonly spend: Amounts }[],
  total: Amounts,
): ReadonlyMap<string, Amounts> {
  const sums = new Map<string, Amounts>();
  for (const { id, name, spend } of keys)
    sums.set(sums.has(name) ? `${name} (…${(id ?? "").slice(-6)})` : name, spend);
  const rest = total.excessOver(Amounts.sum(keys.map(({ spend }) => spend)));
  if (rest.size > 0) sums.set(notByKey, rest);
  return sums;
}

const notByKey = "Not counted by key (the service counts keys in USD and DIEM alone)";

/** What the bill says of the calls of this computer, from records that pass by. */
class PaidByRequest {
  readonly #calls: readonly SpentEntry[];
  readonly #paid = new Map<string, Amounts>();
  readonly #wanted: ReadonlySet<string>;

  constructor(calls: readonly SpentEntry[]) {
    this.#calls = calls;
    this.#wanted = new Set(calls.flatMap(({ requestId }) => requestId ?? []));
  }

  readonly take: TakePiece = (columns, words) => {
    const codes = new Map(
      columns.requestIds.flatMap((id, code) => (this.#wanted.has(id) ? [[code, id] as const] : [])),
    );
    if (codes.size === 0) return;
    for (let row = 0; row < columns.size; row++) {
      const id = codes.get(columns.request[row] ?? 0);
      if (id === undefined) continue;
      const currency = words.currencies.list[columns.currency[row] ?? -1] ?? "";
      const amount = amountIn(currency, -(columns.amount[row] ?? 0));
      this.#paid.set(id, amount.plus(this.#paid.get(id) ?? nothing));
    }
  };

  /** A repeated request has the id of the first, which paid. */
  ofCalls(): readonly SpentEntry[] {
    const taken = new Set<string>();
    return this.#calls.map((call) => {
      const { requestId = "" } = call;
      const paid = this.#paid.get(requestId);
      if (paid === undefined) return call;
      if (taken.has(requestId)) return { ...call, paid: paidFor(call) ?? nothing };
      taken.add(requestId);
      return { ...call, paid };
    });
  }
}

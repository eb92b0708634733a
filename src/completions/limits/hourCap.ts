import type { Connection } from "../../session/connection/connection.ts";
import type { Spend } from "../../session/spend/spend.ts";
import { paidFor, type SpentEntry } from "../../session/spend/spendLines.ts";
import { Counted } from "../../shared/money/budgetRule.ts";
import { computedIn } from "../../shared/money/money.ts";
import { dayMs, dayOf } from "../../shared/time/days.ts";
import { type CompletionSum, completionSum } from "./completionSum.ts";

const hourMs = 3_600_000;

/** The cost of the completions of one connection. */
export interface CompletionSpend {
  /** What the limit counts: prices. */
  readonly hour: CompletionSum;
  /** Since midnight UTC: what the bill says was paid, as in the dashboard; prices of calls that it does not have yet. */
  readonly day: CompletionSum;
}

/** A completion before it is sent. */
interface BoundedCall {
  readonly model: string;
  readonly mostUsd: number;
}

/** The cost of completions, from the session's spend ledger. */
export interface HourCap {
  spent(connection: Connection): Promise<CompletionSpend>;
  /**
   * Undefined if a call of this model for at most `mostUsd` fits below the cap; else the Unix time in milliseconds at
   * which it will fit, `Infinity` if it never does. A cap of 0 means no cap. A model that costs nothing always fits.
   */
  blockedUntil(connection: Connection, call: BoundedCall, capUsd: number): Promise<number | undefined>;
  /** The ledger has changed. */
  forget(): void;
}

export function createHourCap(spend: () => Promise<Spend>, now: () => number): HourCap {
  let known:
    | { readonly id: string; readonly day: number; readonly entries: Promise<readonly SpentEntry[]> }
    | undefined;
  const entriesOf = (connection: Connection) => {
    const day = dayOf(now());
    if (known?.id !== connection.id || known.day !== day) {
      const read = async () => (await spend()).completions(connection, Math.min(day * dayMs, now() - hourMs));
      known = { id: connection.id, day, entries: read() };
      const mine = known;
      mine.entries.catch(() => {
        if (known === mine) known = undefined;
      });
    }
    return known.entries;
  };
  return {
    async spent(connection) {
      const entries = await entriesOf(connection);
      const since = (atMs: number) => entries.filter((entry) => entry.atMs >= atMs);
      return {
        hour: completionSum(since(now() - hourMs), ({ cost }) => cost),
        day: completionSum(since(dayOf(now()) * dayMs), paidFor),
      };
    },
    async blockedUntil(connection, { model, mostUsd }, capUsd) {
      if (capUsd === 0) return undefined;
      const [most, cap] = [Counted.price(computedIn("USD", mostUsd)), Counted.parse(capUsd)];
      if (most.exceeds(cap)) return Number.POSITIVE_INFINITY;
      const entries = await entriesOf(connection);
      const recent = entries.filter(({ atMs }) => atMs > now() - hourMs).sort((a, b) => a.atMs - b.atMs);
      const hasCharged = recent.some((entry) => entry.model === model && costOf(entry).sign > 0);
      if (mostUsd === 0 && !hasCharged) return undefined;
      let left = sumOf(recent).plus(most).minus(cap);
      for (const entry of recent) {
        if (left.sign <= 0) break;
        left = left.minus(costOf(entry));
        if (left.sign <= 0) return entry.atMs + hourMs;
      }
      return undefined;
    },
    forget() {
      known = undefined;
    },
  };
}

/** At the price when it ended, so that the limit holds whichever balance pays. */
function costOf({ cost, most = Counted.zero }: SpentEntry): Counted {
  return cost ? Counted.of(cost) : most;
}

function sumOf(entries: readonly SpentEntry[]): Counted {
  return entries.reduce((sum, entry) => sum.plus(costOf(entry)), Counted.zero);
}

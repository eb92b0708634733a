import { dayOf } from "../../../shared/time/days.ts";
import { addNano, type Nano } from "./decimal.ts";
import type { BillCurrency } from "./entry.ts";

/** Charges of a key by currency, as positive amounts. */
export type KeyTotals = Readonly<Record<BillCurrency, Nano>>;

const nothing: KeyTotals = { USD: 0, VCU: 0, DIEM: 0, BUNDLED_CREDITS: 0 };

/** Sums per key and UTC day, for limits and the seven-day usage, and the time of the last charge. */
export class DailyKeySpend {
  readonly #keys = new Map<string, Map<number, KeyTotals>>();
  readonly #lastAtMs = new Map<string, number>();

  add(keyId: string, atMs: number, currency: BillCurrency, amount: Nano): void {
    const days = this.#keys.get(keyId) ?? new Map<number, KeyTotals>();
    this.#keys.set(keyId, days);
    this.#lastAtMs.set(keyId, Math.max(atMs, this.lastAtMs(keyId) ?? atMs));
    const day = dayOf(atMs);
    const totals = days.get(day) ?? nothing;
    days.set(day, { ...totals, [currency]: addNano(totals[currency], amount) });
  }

  /** Unix milliseconds; undefined if the key was never charged. */
  lastAtMs(keyId: string): number | undefined {
    return this.#lastAtMs.get(keyId);
  }

  /** Since the start of a UTC day. */
  since(keyId: string, day: number): KeyTotals {
    const days = [...(this.#keys.get(keyId) ?? [])].filter(([of]) => of >= day);
    return days.map(([, totals]) => totals).reduce(sum, nothing);
  }
}

function sum(a: KeyTotals, b: KeyTotals): KeyTotals {
  return {
    USD: addNano(a.USD, b.USD),
    VCU: addNano(a.VCU, b.VCU),
    DIEM: addNano(a.DIEM, b.DIEM),
    BUNDLED_CREDITS: addNano(a.BUNDLED_CREDITS, b.BUNDLED_CREDITS),
  };
}

import { type Nano, nanoText } from "../billing/decimal.ts";
import type { KeyTotals } from "../billing/keySpend.ts";
import { Refusal } from "../refusal.ts";
import type { KeyRecord } from "./keyRecord.ts";
import { type KeyLimitPeriod, windowEndMs, windowStart } from "./limitPeriod.ts";

const periodNames: Readonly<Record<KeyLimitPeriod, string>> = {
  EPOCH: "a UTC day",
  MONTH: "a UTC month",
  LIFETIME: "the key's life",
};

/** Throws the 402 of a key that has spent a cap of its current window. */
export function checkCaps(
  { id, caps, limitPeriod }: Pick<KeyRecord, "id" | "caps" | "limitPeriod">,
  spentSince: (keyId: string, day: number) => KeyTotals,
  nowMs: number,
): void {
  if (caps.usd === undefined && caps.diem === undefined) return;
  const spent = spentSince(id, windowStart(limitPeriod, nowMs));
  const refuse = (currency: string, cap: Nano) => {
    const end = windowEndMs(limitPeriod, nowMs);
    const until = end === undefined ? "" : `; it opens again at ${new Date(end).toISOString()}`;
    const limit = `${nanoText(cap)} ${currency} for ${periodNames[limitPeriod]}`;
    return new Refusal(402, `API key spend limit reached: ${limit}${until}`);
  };
  if (caps.usd !== undefined && spent.USD >= caps.usd) throw refuse("USD", caps.usd);
  if (caps.diem !== undefined && spent.DIEM >= caps.diem) throw refuse("DIEM", caps.diem);
}

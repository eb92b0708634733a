import { dayMs } from "../../../../shared/time/days.ts";
import type { KeyDetails } from "../keyRow.ts";

/** A reason to look at a key. */
export type KeyConcern = "expiring" | "expired" | "unused" | "unlimited";

/** A key that expires sooner than this is soon to expire. */
export const soonMs = 7 * dayMs;
/** A key that was not used for so long is unused. */
export const unusedDays = 30;
/** A key that was never used has so long to be used first. */
const newMs = 7 * dayMs;

/**
 * Why a key needs attention. `hasSpent`: whether the usage of the last 30 days has the key; undefined if that was not
 * read. What is not known is no concern: a service may not tell when a key was used.
 */
export function concernsOf(
  details: KeyDetails,
  hasSpent: boolean | undefined,
  nowMs: number,
): readonly KeyConcern[] {
  const { expiresAtMs, limits } = details;
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return ["expired"];
  const isExpiring = expiresAtMs !== undefined && expiresAtMs - nowMs < soonMs;
  const isUnlimited = Object.values(limits).every((limit) => limit === undefined);
  return [
    ...(isExpiring ? ["expiring" as const] : []),
    ...(isUnused(details, hasSpent, nowMs) ? ["unused" as const] : []),
    ...(isUnlimited ? ["unlimited" as const] : []),
  ];
}

function isUnused(
  { lastUsedAtMs, createdAtMs, sevenDays }: KeyDetails,
  hasSpent: boolean | undefined,
  nowMs: number,
): boolean {
  if (hasSpent || (sevenDays?.size ?? 0) > 0) return false;
  if (lastUsedAtMs !== undefined) return nowMs - lastUsedAtMs > unusedDays * dayMs;
  // Without a time of the last use, the sums have to say that there was none.
  const saysNone = sevenDays !== undefined && hasSpent === false;
  return saysNone && (createdAtMs === undefined || nowMs - createdAtMs > newMs);
}

/** Keys whose end is near, and of which this end was not told before. */
export function newlyExpiring<Key extends { readonly id: string; readonly details?: KeyDetails }>(
  keys: readonly Key[],
  told: readonly string[],
  nowMs: number,
): readonly Key[] {
  const known = new Set(told);
  return keys.filter((key) => {
    const { expiresAtMs } = key.details ?? {};
    if (expiresAtMs === undefined || expiresAtMs <= nowMs || expiresAtMs - nowMs >= soonMs) return false;
    return !known.has(expiryStamp(key));
  });
}

/** An end of a key. A key that is extended may be told of again. */
export function expiryStamp({ id, details }: { readonly id: string; readonly details?: KeyDetails }): string {
  return `${id} ${details?.expiresAtMs ?? ""}`;
}

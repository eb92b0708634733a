import { dayMs } from "../../../../shared/time/days.ts";
import { type NewKey, withOtherLimits } from "../keyForm.ts";
import type { KeyDetails, KeyRow } from "../keyRow.ts";

/** When the old key of a rotation ends. */
export type OldKeyEnd =
  | { readonly by: "date"; readonly days: number }
  /** Revoked once the new key is in use and the old one is not any more. */
  | { readonly by: "use" }
  | { readonly by: "hand" };

/** A rotation whose old key is to be revoked once the new key is in use. */
export interface PendingRotation {
  readonly oldId: string;
  readonly newId: string;
}

/** A key with the name, owner, type, limits and privacy of another. It is valid as long as that one was. */
export function successorOf(
  { description, type, limits, period, privacy, ...times }: KeyDetails,
  nowMs: number,
): NewKey {
  const caps = withOtherLimits(limits, {});
  const hasLimit = Object.keys(caps).length > 0;
  const expiresAtMs = endOfSuccessor(times, nowMs);
  return {
    apiKeyType: type === "ADMIN" ? "ADMIN" : "INFERENCE",
    description,
    ...(hasLimit ? { consumptionLimit: caps } : {}),
    ...(hasLimit && isPeriod(period) ? { limitPeriod: period } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    ...(isPrivacy(privacy) ? { modelPrivacy: privacy } : {}),
  };
}

/** Undefined for never. Without the time of its creation, the new key is valid for as long as the old one has left. */
function endOfSuccessor(
  { expiresAtMs, createdAtMs }: Pick<KeyDetails, "expiresAtMs" | "createdAtMs">,
  nowMs: number,
): number | undefined {
  if (expiresAtMs === undefined) return undefined;
  const lifeMs = expiresAtMs - (createdAtMs ?? nowMs);
  return nowMs + Math.max(lifeMs, dayMs);
}

function isPeriod(period: string): period is NonNullable<NewKey["limitPeriod"]> {
  return ["EPOCH", "MONTH", "LIFETIME"].includes(period);
}

function isPrivacy(privacy: string | undefined): privacy is NonNullable<NewKey["modelPrivacy"]> {
  return privacy !== undefined && ["PRIVATE_TEXT", "PRIVATE_ONLY", "ALL"].includes(privacy);
}

/** The end of the old key, never later than it has already. Undefined if its date stays. */
export function endOfOldKey(
  end: OldKeyEnd,
  { expiresAtMs }: Pick<KeyDetails, "expiresAtMs">,
  nowMs: number,
): number | undefined {
  if (end.by !== "date") return undefined;
  const atMs = nowMs + end.days * dayMs;
  return expiresAtMs !== undefined && expiresAtMs <= atMs ? undefined : atMs;
}

/** Used again within this time, the old key is still in use. */
const quietMs = dayMs;

export type RotationState = "waiting" | "due" | "over";

/** `due`: the new key was used, and the old one was not for a day. `over`: one of them is gone. */
export function stateOf(
  { oldId, newId }: PendingRotation,
  keys: readonly KeyRow[],
  nowMs: number,
): RotationState {
  const oldKey = keys.find(({ id }) => id === oldId);
  const newKey = keys.find(({ id }) => id === newId);
  if (!oldKey || !newKey) return "over";
  const usedMs = newKey.details?.lastUsedAtMs;
  const oldUsedMs = oldKey.details?.lastUsedAtMs;
  if (usedMs === undefined) return "waiting";
  return oldUsedMs === undefined || nowMs - oldUsedMs > quietMs ? "due" : "waiting";
}

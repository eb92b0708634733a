import type { ApiKey } from "../../../api/endpoints/account/keys.ts";
import { Amounts, amountIn } from "../../../shared/money/amounts.ts";
import { type Diem, diem, type Money, moneyIn, type Usd, usd } from "../../../shared/money/money.ts";

/** A key of the account view: at least its id, and its record if it was read. */
export interface KeyRow {
  readonly id: string;
  readonly description: string;
  /** Source of the key. */
  readonly source: "list" | "created" | "usage" | "lookedUp";
  /** The record, if the service's list contains it. */
  readonly details?: KeyDetails;
}

export type LimitMember = "usd" | "diem" | "vcu";

export interface KeyDetails {
  readonly description: string;
  readonly type: string | undefined;
  readonly last6: string | undefined;
  /** EPOCH, MONTH, LIFETIME, or a value of a newer service. */
  readonly period: string;
  /** ALL, PRIVATE_TEXT, PRIVATE_ONLY, or a value of a newer service; undefined if unknown. */
  readonly privacy: string | undefined;
  /** `vcu` is deprecated in favour of `diem` (spec, API key record). A key may still have it. */
  readonly limits: {
    readonly usd: Usd | undefined;
    readonly diem: Diem | undefined;
    readonly vcu: Money<"VCU"> | undefined;
  };
  /** Unix time in milliseconds; undefined for never. */
  readonly expiresAtMs: number | undefined;
  readonly createdAtMs: number | undefined;
  readonly lastUsedAtMs: number | undefined;
  /** Undefined if the service does not state it. */
  readonly sevenDays: Amounts | undefined;
}

/** A key's record as it is read (spec, API key record). Invalid members count as unknown. */
export function toKeyDetails(key: ApiKey): KeyDetails {
  return {
    description: key.description || "(no description)",
    type: key.apiKeyType ?? undefined,
    last6: key.last6Chars ?? undefined,
    period: key.limitPeriod ?? "EPOCH",
    privacy: key.modelPrivacy ?? undefined,
    limits: {
      usd: capOf(usd, key.consumptionLimits?.usd),
      diem: capOf(diem, key.consumptionLimits?.diem),
      vcu: capOf((cap) => moneyIn("VCU", cap), key.consumptionLimits?.vcu),
    },
    expiresAtMs: timeOf(key.expiresAt),
    createdAtMs: timeOf(key.createdAt),
    lastUsedAtMs: timeOf(key.lastUsedAt),
    sevenDays: spendOf(key.usage?.trailingSevenDays),
  };
}

function capOf<Cap>(money: (cap: number) => Cap, cap: number | null | undefined): Cap | undefined {
  return cap === null || cap === undefined || !Number.isFinite(cap) ? undefined : money(cap);
}

/** Undefined if nothing is stated, or a member is not a number: an unknown part is not zero. */
function spendOf(spend: NonNullable<ApiKey["usage"]>["trailingSevenDays"]): Amounts | undefined {
  const stated = (["usd", "diem", "vcu"] as const).flatMap((name) => {
    const amount = spend?.[name];
    return amount === null || amount === undefined ? [] : [[name.toUpperCase(), amount] as const];
  });
  if (stated.length === 0) return undefined;
  try {
    return Amounts.sum(stated.map(([currency, amount]) => amountIn(currency, amount)));
  } catch {
    return undefined;
  }
}

function timeOf(text: string | null | undefined): number | undefined {
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

import { type Nano, nanoNumber, nanoText, toNano } from "../billing/ledger/decimal.ts";
import type { KeyTotals } from "../billing/ledger/keySpend.ts";
import { badField } from "../refusal.ts";
import type { KeyLimitPeriod } from "./limitPeriod.ts";

export type KeyRecordType = "INFERENCE" | "ADMIN";

/** The models that a key may use, by privacy (wire.md section 11). */
export type KeyPrivacy = "ALL" | "PRIVATE_TEXT" | "PRIVATE_ONLY";

/** Caps in requests. null removes one. `vcu` is deprecated in favour of `diem`, but a member of its own (spec E6). */
export interface KeyLimit {
  readonly usd?: number | null | undefined;
  readonly diem?: number | null | undefined;
  readonly vcu?: number | null | undefined;
}

/** Effective caps. */
export interface Caps {
  readonly usd: Nano | undefined;
  readonly diem: Nano | undefined;
  readonly vcu: Nano | undefined;
}

/** A stored key. It contains a digest of the secret only. */
export interface KeyRecord {
  readonly id: string;
  readonly digest: Buffer;
  readonly last6Chars: string;
  readonly type: KeyRecordType;
  readonly createdAtMs: number;
  readonly description: string;
  readonly caps: Caps;
  readonly limitPeriod: KeyLimitPeriod;
  /** Undefined if the dialect has none. */
  readonly modelPrivacy: KeyPrivacy | undefined;
  /** Undefined for never. */
  readonly expiresAtMs: number | undefined;
  readonly lastUsedAtMs: number | undefined;
  readonly revoked: boolean;
}

export const noCaps: Caps = { usd: undefined, diem: undefined, vcu: undefined };

/** The caps after a change. Caps that it does not name stay the same. */
export function changedCaps(caps: Caps, change: KeyLimit | undefined): Caps {
  if (!change) return caps;
  return {
    usd: changed(caps.usd, change.usd),
    diem: changed(caps.diem, change.diem),
    vcu: changed(caps.vcu, change.vcu),
  };
}

/** An empty date means never. Throws a 400 for a time that has passed. */
export function expiryOfDate(date: string | undefined, nowMs: number): number | undefined {
  if (date === undefined || date === "") return undefined;
  const ms = Date.parse(date);
  if (ms <= nowMs) throw badField(["expiresAt"], `must be in the future; ${date} has passed`);
  return ms;
}

/** `data` of the reply to a creation, the only one with the secret (spec E6). */
export function createdForm(record: KeyRecord, secret: string): object {
  return {
    id: record.id,
    apiKey: secret,
    apiKeyType: record.type,
    description: record.description,
    consumptionLimit: capsForm(record.caps),
    limitPeriod: record.limitPeriod,
    expiresAt: dateForm(record.expiresAtMs) ?? "",
    ...privacyForm(record),
  };
}

/** A key in replies (spec E12). */
export function readForm(record: KeyRecord, lastSevenDays: KeyTotals): object {
  return {
    id: record.id,
    apiKeyType: record.type,
    description: record.description,
    consumptionLimits: capsForm(record.caps),
    limitPeriod: record.limitPeriod,
    createdAt: dateForm(record.createdAtMs),
    expiresAt: dateForm(record.expiresAtMs),
    lastUsedAt: dateForm(record.lastUsedAtMs),
    last6Chars: record.last6Chars,
    ...privacyForm(record),
    usage: {
      trailingSevenDays: {
        usd: nanoText(lastSevenDays.USD),
        vcu: nanoText(lastSevenDays.VCU),
        diem: nanoText(lastSevenDays.DIEM),
      },
    },
  };
}

function changed(cap: Nano | undefined, wanted: number | null | undefined): Nano | undefined {
  if (wanted === undefined) return cap;
  return wanted === null ? undefined : toNano(wanted);
}

/** The read form of the spec has no `vcu`: it is there only for a key that has one. */
function capsForm({ usd, diem, vcu }: Caps): object {
  const form = (cap: Nano | undefined) => (cap === undefined ? null : nanoNumber(cap));
  return { usd: form(usd), diem: form(diem), ...(vcu === undefined ? {} : { vcu: form(vcu) }) };
}

function privacyForm({ modelPrivacy }: KeyRecord): object {
  return modelPrivacy === undefined ? {} : { modelPrivacy };
}

function dateForm(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

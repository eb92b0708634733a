// Keys as the service lists them, for tests.
import { type KeyDetails, type KeyRow, toKeyDetails } from "../../../../../src/account/host/keys/keyRow.ts";

export const dayMs = 86_400_000;
export const nowMs = Date.parse("2026-11-23T12:00:00Z");

/** A key that was made 90 days ago and used yesterday, with a limit and without an end. */
export function keyRow(description: string, more: Partial<KeyDetails> = {}): KeyRow {
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const details = toKeyDetails({
    id: `id-${description}`,
    apiKeyType: "INFERENCE",
    description,
    last6Chars: "abc123",
    consumptionLimits: { usd: 5, diem: null },
    limitPeriod: "MONTH",
    createdAt: iso(nowMs - 90 * dayMs),
    lastUsedAt: iso(nowMs - dayMs),
    usage: { trailingSevenDays: { usd: "0", diem: "0" } },
  });
  return { id: `id-${description}`, description, source: "list", details: { ...details, ...more } };
}

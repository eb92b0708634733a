// Set-up and rules that the rows of API keys share.
import type { DialectId } from "../../../../src/api/dialect/dialect.ts";
import type { World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { send } from "../../suite/wire.ts";

export const keyInput = { apiKeyType: "INFERENCE", description: "contract" } as const;

/** A new key for one case. */
export async function newKey({ api }: Pick<World, "api">, more: object = {}) {
  const { data } = await api.keys.create({ ...keyInput, ...more });
  return data;
}

/** The id of a new key, created without the client. */
export async function newKeyId(target: SandboxTarget): Promise<string> {
  const { json } = await send(target, { path: "/api_keys", body: keyInput });
  return (json as { data: { id: string } }).data.id;
}

/** Rules of each dialect for a key (spec E6; wire.md section 11). */
const isVenice = (dialect: DialectId) => dialect === "venice";
export const limitRule = (dialect: DialectId) => ({
  good: [{}, { usd: 1 }, { usd: 0, diem: 0.5, vcu: 2 }, { usd: 1_000_000 }],
  bad: [{ usd: -1 }, { usd: "1" }, { eur: 1 }, 5, ...(isVenice(dialect) ? [{ usd: 10_000_000_000 }] : [])],
});
export const descriptionRule = (dialect: DialectId, bad: readonly unknown[]) => ({
  good: ["", "a key", "日本", "x".repeat(64), ...(isVenice(dialect) ? [] : ["x".repeat(65)])],
  bad: [...bad, ...(isVenice(dialect) ? ["x".repeat(65)] : [])],
});
export const privacyRule = (dialect: DialectId) =>
  isVenice(dialect)
    ? { good: ["ALL", "PRIVATE_TEXT", "PRIVATE_ONLY"], bad: ["NONE", 1] }
    : { good: [], bad: ["ALL"] };
export const periodRule = { good: ["EPOCH", "MONTH", "LIFETIME"], bad: ["WEEK", "month", 1] };
export const expiryRule = (dialect: DialectId) => {
  const finer = ["2030-01-01T10:00:00.000+02:00", "2030-01-01T10:00:00.123456Z"];
  return {
    good: [
      "2030-01-01",
      "2030-01-01T10:00:00Z",
      "2030-01-01T10:00:00.000Z",
      "",
      ...(isVenice(dialect) ? [] : finer),
    ],
    bad: ["tomorrow", "2030-13-01", 1_900_000_000, ...(isVenice(dialect) ? finer : [])],
  };
};
export const readForm = {
  nullable: [
    ...["apiKeyType", "description", "consumptionLimits", "limitPeriod", "expiresAt", "createdAt"],
    ...["lastUsedAt", "last6Chars", "usage", "usage.trailingSevenDays", "usage.trailingSevenDays.usd"],
  ],
  required: ["id"],
};

export async function chatWith(target: SandboxTarget, key: string) {
  const body = { model: "echo", messages: [{ role: "user", content: "hi" }] };
  return send(target, { path: "/chat/completions", body, key });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  endOfOldKey,
  stateOf,
  successorOf,
} from "../../../../../../src/account/host/keys/rotation/rotationPlan.ts";
import { moneyIn, usd } from "../../../../../../src/shared/money/money.ts";
import { dayMs, keyRow, nowMs } from "../keyRows.ts";

const detailsOf = (...args: Parameters<typeof keyRow>) => keyRow(...args).details ?? assert.fail();

test("the new key has name, owner, type, limits, period and privacy of the old one, and lasts as long", () => {
  const old = detailsOf("ci · ana", {
    type: "ADMIN",
    limits: { usd: usd("2.5"), diem: undefined, vcu: moneyIn("VCU", 1) },
    period: "LIFETIME",
    privacy: "PRIVATE_ONLY",
    expiresAtMs: nowMs + 10 * dayMs,
  });
  assert.deepEqual(successorOf(old, nowMs), {
    apiKeyType: "ADMIN",
    description: "ci · ana",
    consumptionLimit: { usd: 2.5, vcu: 1 },
    limitPeriod: "LIFETIME",
    expiresAt: new Date(nowMs + 100 * dayMs).toISOString(),
    modelPrivacy: "PRIVATE_ONLY",
  });
});

test("a key without limit and end gives one without, and what a newer service names is left out", () => {
  const limits = { usd: undefined, diem: undefined, vcu: undefined };
  const old = detailsOf("ci", { limits, period: "WEEK", privacy: "NEWER", type: undefined });
  assert.deepEqual(successorOf(old, nowMs), { apiKeyType: "INFERENCE", description: "ci" });
});

test("a key that has expired gives one that lasts at least a day", () => {
  const old = detailsOf("ci", { expiresAtMs: nowMs - dayMs, createdAtMs: undefined });
  assert.equal(successorOf(old, nowMs).expiresAt, new Date(nowMs + dayMs).toISOString());
});

test("the old key ends after the overlap, never later than it would", () => {
  const never = detailsOf("ci");
  const soon = detailsOf("ci", { expiresAtMs: nowMs + 2 * dayMs });
  const end = { by: "date", days: 7 } as const;
  assert.equal(endOfOldKey(end, never, nowMs), nowMs + 7 * dayMs);
  assert.equal(endOfOldKey(end, soon, nowMs), undefined);
  assert.equal(endOfOldKey({ by: "use" }, never, nowMs), undefined);
  assert.equal(endOfOldKey({ by: "hand" }, never, nowMs), undefined);
});

test("the old key is due once the new one was used and it was not for a day", () => {
  const rotation = { oldId: "id-old", newId: "id-new" };
  const state = (oldUsedMs: number | undefined, newUsedMs: number | undefined) =>
    stateOf(
      rotation,
      [keyRow("old", { lastUsedAtMs: oldUsedMs }), keyRow("new", { lastUsedAtMs: newUsedMs })],
      nowMs,
    );
  assert.equal(state(nowMs - 2 * dayMs, nowMs - 1), "due");
  assert.equal(state(undefined, nowMs - 1), "due");
  assert.equal(state(nowMs - 1, nowMs - 1), "waiting");
  assert.equal(state(nowMs - 2 * dayMs, undefined), "waiting");
  assert.equal(stateOf(rotation, [keyRow("new")], nowMs), "over");
  assert.equal(stateOf(rotation, [keyRow("old")], nowMs), "over");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  concernsOf,
  expiryStamp,
  newlyExpiring,
} from "../../../../../../src/account/host/keys/health/keyHealth.ts";
import { reviewNodes } from "../../../../../../src/account/host/keys/health/reviewNodes.ts";
import type { KeyDetails } from "../../../../../../src/account/host/keys/keyRow.ts";
import { nothing } from "../../../../../../src/shared/money/amounts.ts";
import { usd as dollars } from "../../../../../../src/shared/money/money.ts";
import { usd } from "../../money.ts";
import { dayMs, keyRow, nowMs } from "../keyRows.ts";

const unlimited = { usd: undefined, diem: undefined, vcu: undefined };
const cases: readonly (readonly [string, Partial<KeyDetails>, boolean | undefined, readonly string[]])[] = [
  ["nothing", {}, true, []],
  ["the end in 6 days", { expiresAtMs: nowMs + 6 * dayMs }, true, ["expiring"]],
  ["the end in 8 days", { expiresAtMs: nowMs + 8 * dayMs }, true, []],
  ["an end that has passed, alone", { expiresAtMs: nowMs, limits: unlimited }, false, ["expired"]],
  ["no limit", { limits: unlimited }, true, ["unlimited"]],
  ["a limit of zero is a limit", { limits: { ...unlimited, usd: dollars(0) } }, true, []],
  ["used 31 days ago", { lastUsedAtMs: nowMs - 31 * dayMs }, false, ["unused"]],
  ["used 29 days ago", { lastUsedAtMs: nowMs - 29 * dayMs }, false, []],
  ["never used", { lastUsedAtMs: undefined }, false, ["unused"]],
  ["never used, but new", { lastUsedAtMs: undefined, createdAtMs: nowMs - 6 * dayMs }, false, []],
  ["spent, though no use is told", { lastUsedAtMs: undefined, sevenDays: usd("1") }, false, []],
  ["in the usage, though no use is told", { lastUsedAtMs: nowMs - 60 * dayMs, sevenDays: nothing }, true, []],
  [
    "unknown: the service tells neither use nor sums",
    { lastUsedAtMs: undefined, sevenDays: undefined },
    false,
    [],
  ],
  ["unknown: the usage was not read", { lastUsedAtMs: undefined }, undefined, []],
];
for (const [why, details, hasSpent, expected] of cases) {
  test(`a key to review: ${why}`, () => {
    const { details: read } = keyRow("ci", details);
    assert.ok(read);
    assert.deepEqual(concernsOf(read, hasSpent, nowMs), expected);
  });
}

test("an end is told once, and again after the key was extended", () => {
  const soon = keyRow("soon", { expiresAtMs: nowMs + dayMs });
  const rows = [
    soon,
    keyRow("late", { expiresAtMs: nowMs + 30 * dayMs }),
    keyRow("past", { expiresAtMs: nowMs - 1 }),
    keyRow("never"),
  ];
  assert.deepEqual(newlyExpiring(rows, [], nowMs), [soon]);
  const told = [expiryStamp(soon)];
  assert.deepEqual(newlyExpiring(rows, told, nowMs), []);
  const extended = keyRow("soon", { expiresAtMs: nowMs + 2 * dayMs });
  assert.deepEqual(newlyExpiring([extended], told, nowMs), [extended]);
});

test("one row sums up the keys to review, and each group has its keys, for an action on all of them", async () => {
  const reviewed = (name: string, details: Partial<KeyDetails>, hasSpent = true) => {
    const row = keyRow(name, details);
    return { row, node: { id: `key:${row.id}`, label: name, keyId: row.id, kind: "key" }, hasSpent };
  };
  const [root] = reviewNodes(
    [
      reviewed("a", { expiresAtMs: nowMs + dayMs, limits: unlimited }),
      reviewed("b", { limits: unlimited }),
      reviewed("c", {}),
    ],
    nowMs,
  );
  assert.deepEqual(
    [root?.label, root?.description, root?.tint],
    ["To review", "1 expiring, 2 without limit", "warning"],
  );
  const groups = (await root?.children?.()) ?? [];
  assert.deepEqual(
    groups.map(({ label, description, kind, keyIds }) => [label, description, kind, keyIds]),
    [
      ["Expire within 7 days", "1", "keyGroup", ["id-a"]],
      ["Without a limit", "2", "keyGroup", ["id-a", "id-b"]],
    ],
  );
  const rows = await Promise.all(groups.map(async ({ children }) => (await children?.()) ?? []));
  const ids = rows.flat().map(({ id }) => id);
  assert.equal(new Set(ids).size, 3, "a key in two groups has two rows");
  assert.deepEqual(
    rows.flat().map(({ keyId, kind }) => [keyId, kind]),
    [
      ["id-a", "key"],
      ["id-a", "key"],
      ["id-b", "key"],
    ],
  );
  assert.deepEqual(reviewNodes([reviewed("c", {})], nowMs), []);
});

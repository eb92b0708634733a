import assert from "node:assert/strict";
import { test } from "node:test";
import { type BulkChange, planEdits } from "../../../../../../src/account/host/keys/bulk/editPlan.ts";
import { dialects } from "../../../../../../src/api/dialect/dialect.ts";
import { dayMs, keyRow, nowMs } from "../keyRows.ts";

const plan = (rows: Parameters<typeof planEdits>[0], change: BulkChange) =>
  planEdits(rows, change, { dialect: dialects.venice, nowMs });

test("each key is extended from its own end, one that has passed from now; one without an end is left", () => {
  const rows = [
    keyRow("soon", { expiresAtMs: nowMs + 2 * dayMs }),
    keyRow("past", { expiresAtMs: nowMs - dayMs }),
    keyRow("always"),
  ];
  const { edits, skipped } = plan(rows, { of: "extension", days: 30 });
  assert.deepEqual(
    edits.map(({ change }) => change.expiresAt),
    ["2026-12-25T12:00:00.000Z", "2026-12-23T12:00:00.000Z"],
  );
  assert.deepEqual(skipped, [["always (…abc123)", "it never expires"]]);
});

test("owner and prefix change the name once: a plan made of the result changes nothing", () => {
  const rows = [keyRow("ci"), keyRow("docs · ana"), keyRow("a · b · ana")];
  const owned = plan(rows, { of: "owner", owner: "bo" }).edits.map(({ change }) => change.description);
  assert.deepEqual(owned, ["ci · bo", "docs · bo", "a · b · bo"]);
  const again = plan(
    owned.map((name) => keyRow(name ?? "")),
    { of: "owner", owner: "bo" },
  );
  assert.deepEqual([again.edits.length, again.skipped.length], [0, 3]);
  const none = plan(rows, { of: "owner", owner: "" });
  assert.deepEqual(
    none.edits.map(({ change }) => change.description),
    ["docs", "a · b"],
  );
  const prefixed = plan([keyRow("ci · ana"), keyRow("eu docs")], { of: "prefix", prefix: "eu " });
  assert.deepEqual(
    [prefixed.edits.map(({ change }) => change.description), prefixed.skipped.map(([name]) => name)],
    [["eu ci · ana"], ["eu docs (…abc123)"]],
  );
});

test("a name that would be too long for the service is left, with the rule", () => {
  const { edits, skipped } = plan([keyRow("x".repeat(60))], { of: "owner", owner: "somebody" });
  assert.equal(edits.length, 0);
  assert.match(skipped[0]?.[1] ?? "", /64.*; this one has 71\.$/);
});

test("limits, period and expiry are the same for all", () => {
  const rows = [keyRow("a"), keyRow("b")];
  const changes = (change: BulkChange) => plan(rows, change).edits.map((edit) => edit.change);
  assert.deepEqual(changes({ of: "usd", limit: 2 }), [
    { consumptionLimit: { usd: 2 } },
    { consumptionLimit: { usd: 2 } },
  ]);
  assert.deepEqual(changes({ of: "diem", limit: null })[0], { consumptionLimit: { diem: null } });
  assert.deepEqual(changes({ of: "period", period: "EPOCH" })[1], { limitPeriod: "EPOCH" });
  assert.deepEqual(changes({ of: "expiry", expiresAtMs: undefined })[0], { expiresAt: "" });
  assert.deepEqual(changes({ of: "expiry", expiresAtMs: nowMs })[0], {
    expiresAt: "2026-11-23T12:00:00.000Z",
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  batchSummary,
  countProblem,
  envText,
  type KeyBatch,
  namesOf,
  namesProblem,
  newKeysOf,
} from "../../../../../../src/account/host/keys/bulk/keyBatch.ts";
import { emptyKeyDraft } from "../../../../../../src/account/host/keys/keyForm.ts";
import { describedBy } from "../../../../../../src/account/host/keys/keyOwner.ts";
import { dialects } from "../../../../../../src/api/dialect/dialect.ts";

const batch = (more: Partial<KeyBatch>): KeyBatch => ({ ...emptyKeyDraft, count: "3", owner: "", ...more });

test("names are numbered with equal length, and end with the owner", () => {
  assert.deepEqual(namesOf(batch({ description: "worker-{n}", owner: " ana " })), [
    "worker-1 · ana",
    "worker-2 · ana",
    "worker-3 · ana",
  ]);
  assert.deepEqual(namesOf(batch({ description: "ci", count: "10" })).slice(8), ["ci 09", "ci 10"]);
  assert.deepEqual(describedBy("a · b · ana"), { label: "a · b", owner: "ana" });
  assert.deepEqual(describedBy("Example: CI · "), { label: "Example: CI · ", owner: undefined });
});

test("the count and the longest name are checked before anything is created", () => {
  assert.equal(countProblem("100"), undefined);
  for (const wrong of ["", "0", "1", "101", "2.5", "-3", "1e1", "ten"])
    assert.match(countProblem(wrong) ?? "", /2 to 100/);
  const long = batch({ description: "x".repeat(61), count: "10" });
  assert.match(namesProblem(dialects.venice, { ...long, owner: "bo" }) ?? "", /at most 64 characters/);
  assert.equal(namesProblem(dialects.venice, { ...long, description: "x".repeat(61 - 1) }), undefined);
});

test("each key has the same limits and end, and the summary says them", () => {
  const made = batch({
    description: "w",
    usd: "2.5",
    period: "EPOCH",
    expiresAtMs: Date.parse("2030-01-01T00:00:00Z"),
  });
  assert.deepEqual(newKeysOf(made)[2], {
    apiKeyType: "INFERENCE",
    description: "w 3",
    consumptionLimit: { usd: 2.5 },
    limitPeriod: "EPOCH",
    expiresAt: "2030-01-01T00:00:00.000Z",
  });
  assert.match(batchSummary(made), /^Type: INFERENCE, calls models only\nLimit: \$2.5 per day\nExpires: 20/);
});

test("variables of a .env file are named after the keys, each once", () => {
  const made = ["worker-1 · ana", "worker 1 ana", "1st", "…"].map((name, id) => ({
    name,
    id: `${id}`,
    secret: `s${id}`,
  }));
  assert.equal(envText(made), "WORKER_1_ANA=s0\nWORKER_1_ANA_2=s1\nKEY_1ST=s2\nKEY_=s3\n");
});

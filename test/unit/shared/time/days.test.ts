import assert from "node:assert/strict";
import { test } from "node:test";
import { productOf } from "../../../../src/account/host/usage/skuProduct.ts";
import {
  dayFrom,
  dayMs,
  dayOf,
  dayStart,
  daysBetween,
  dayText,
  isClosed,
  monthOf,
  spanText,
} from "../../../../src/shared/time/days.ts";

test("reads a day from a date or a full timestamp", () => {
  const day = dayOf(Date.UTC(2026, 7, 1));
  assert.equal(dayFrom("2026-08-01"), day);
  assert.equal(dayFrom("2026-08-01T00:00:00.000Z"), day);
  assert.equal(dayFrom("2026-08-01T23:59:59Z"), day);
  assert.equal(dayFrom("2026-08-01T23:30:00-02:00"), day + 1);
  for (const bad of ["2026-02-31", "yesterday", "", "2026-8-1", "2026-08-01T00:00:00"]) {
    assert.equal(dayFrom(bad), undefined, bad);
  }
});

test("a day is closed 48 hours after its end, not before", () => {
  const day = dayOf(Date.UTC(2026, 7, 1));
  const end = (day + 1) * dayMs;
  assert.equal(isClosed(day, end + 2 * dayMs - 1), false);
  assert.equal(isClosed(day, end + 2 * dayMs), true);
});

test("months begin and end in UTC", () => {
  const { from, to } = monthOf(Date.UTC(2026, 11, 31, 23, 59));
  assert.deepEqual([dayText(from), dayText(to)], ["2026-12-01", "2027-01-01"]);
});

test("a day begins at midnight in UTC, and a range has both its ends", () => {
  assert.equal(dayStart(0), "1970-01-01T00:00:00.000Z");
  assert.equal(dayOf(Date.parse(dayStart(20_700))), 20_700);
  assert.deepEqual(daysBetween(3, 5), [3, 4, 5]);
  assert.deepEqual(daysBetween(5, 3), []);
});

test("durations use their largest unit", () => {
  assert.deepEqual([0, 59_000, 90_000, 3_600_000, 5_400_000, 3 * dayMs].map(spanText), [
    "0 s",
    "59 s",
    "2 min",
    "1 h",
    "1 h 30 min",
    "3 days",
  ]);
});

test("an SKU contains model, side and tokens", () => {
  assert.deepEqual(productOf("guide-llm-cache-input-token"), {
    model: "guide",
    part: "Cache Read",
    tokensPerUnit: 1,
  });
  assert.deepEqual(productOf("a-llm-b-llm-output-mtoken"), {
    model: "a-llm-b",
    part: "Output",
    tokensPerUnit: 1e6,
  });
  assert.equal(productOf("x-llm-constructor-token").part, "constructor");
  assert.equal(productOf("speaker-tts-char").model, "speaker");
  assert.equal(productOf("crypto-rpc-base-mainnet-credit").model, "crypto-rpc-base-mainnet");
  assert.equal(productOf("augment-text-parser-request").model, "augment-text-parser");
  assert.equal(productOf("__proto__").model, "__proto__");
});

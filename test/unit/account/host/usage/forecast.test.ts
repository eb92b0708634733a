import assert from "node:assert/strict";
import { test } from "node:test";
import { type ForecastQuestion, forecastOf } from "../../../../../src/account/host/usage/forecast.ts";
import { usd } from "../../../../../src/shared/money/money.ts";
import { dayMs, dayOf } from "../../../../../src/shared/time/days.ts";

const noon = Date.UTC(2026, 7, 16, 12);
const today = dayOf(noon);
const first = dayOf(Date.UTC(2026, 7, 1));

function asked(spend: (day: number) => number, rest: Partial<ForecastQuestion<"USD">> = {}) {
  const days = Array.from({ length: 60 }, (_, back) => today - back);
  const byDay = new Map(days.map((day) => [day, usd(spend(day))]));
  return forecastOf({
    spentOn: (day) => byDay.get(day) ?? usd(0),
    spentAtLeast: usd(0),
    nowMs: noon,
    fromDay: first,
    toDay: first + 30,
    knownFromDay: today - 29,
    ...rest,
  });
}

test("a constant pace extrapolates exactly", () => {
  // 15 complete days at 1, half of the 16th at 0.5, 15.5 days to come.
  const forecast = asked((day) => (day === today ? 0.5 : 1));
  assert.deepEqual(
    [forecast?.spent, forecast?.expected, forecast?.low, forecast?.high].map((sum) => sum?.digits()),
    ["15.5", "31", "31", "31"],
  );
});

test("today counts as spent but not for the pace; the cheapest and dearest day are the bounds", () => {
  const forecast = asked((day) => (day === today ? 100 : day === today - 1 ? 8 : 1));
  assert.equal(forecast?.spent.digits(), "122");
  assert.equal(forecast?.expected.digits(), "153");
  assert.equal(forecast?.low.digits(), "137.5");
  assert.equal(forecast?.high.digits(), "246");
});

test("has no forecast at the beginning, after the end, or with fewer than three complete days", () => {
  assert.equal(
    asked(() => 1, { nowMs: first * dayMs + 1000, knownFromDay: 0 }),
    undefined,
  );
  assert.equal(
    asked(() => 1, { toDay: today - 1 }),
    undefined,
  );
  assert.equal(
    asked(() => 1, { knownFromDay: today }),
    undefined,
  );
  assert.equal(
    asked(() => 1, { knownFromDay: today - 2 }),
    undefined,
  );
  assert.ok(asked(() => 1, { knownFromDay: today - 3 }));
});

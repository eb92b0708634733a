import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromZonedText, localZone, toZonedInput, zonedText } from "../../../../src/shared/time/zonedTime.ts";

const instantOf = (text: string, zone: string) => {
  const read = fromZonedText(text, zone);
  return "atMs" in read ? new Date(read.atMs).toISOString() : read.problem;
};

test("a typed time is one of its zone, in summer and in winter", () => {
  assert.equal(instantOf("2026-12-31 18:00", "Europe/Berlin"), "2026-12-31T17:00:00.000Z");
  assert.equal(instantOf("2026-07-01T9:05", "Europe/Berlin"), "2026-07-01T07:05:00.000Z");
  assert.equal(instantOf(" 2026-07-01 ", "Asia/Kathmandu"), "2026-06-30T18:15:00.000Z");
  assert.equal(instantOf("2026-07-01 12:00", "America/Los_Angeles"), "2026-07-01T19:00:00.000Z");
  assert.equal(instantOf("2026-07-01 12:00", "UTC"), "2026-07-01T12:00:00.000Z");
  assert.equal(instantOf("2026-07-01 12:00", "Pacific/Kiritimati"), "2026-06-30T22:00:00.000Z");
});

test("a time that clocks skip is refused; of one that comes twice, the first is meant unless an offset is given", () => {
  assert.match(instantOf("2027-03-28 02:30", "Europe/Berlin"), /^02:30 does not exist on 2027-03-28 in/);
  assert.equal(instantOf("2027-03-28 03:30", "Europe/Berlin"), "2027-03-28T01:30:00.000Z");
  assert.equal(instantOf("2026-10-25 02:30", "Europe/Berlin"), "2026-10-25T00:30:00.000Z");
  assert.equal(instantOf("2026-10-25 02:30 +01:00", "Europe/Berlin"), "2026-10-25T01:30:00.000Z");
  assert.equal(instantOf("2026-10-25 02:30Z", "Europe/Berlin"), "2026-10-25T02:30:00.000Z");
  // Half an hour.
  assert.match(instantOf("2026-10-04 02:15", "Australia/Lord_Howe"), /does not exist/);
  // A whole day.
  assert.match(instantOf("2011-12-30 12:00", "Pacific/Apia"), /does not exist/);
});

test("what is no time is refused with its value", () => {
  const refused = {
    "2026-02-31 10:00": "2026-02-31 is not a day of the calendar.",
    "2026-13-01": "2026-13-01 is not a day of the calendar.",
    "0000-00-00": "0000-00-00 is not a day of the calendar.",
    "2026-01-01 24:00": "24:00 is not a time of day. Enter one from 00:00 to 23:59.",
    "2026-01-01 10:60": "10:60 is not a time of day. Enter one from 00:00 to 23:59.",
  };
  for (const [text, problem] of Object.entries(refused)) assert.equal(instantOf(text, "UTC"), problem);
  for (const text of ["", "tomorrow", "31.12.2026 18:00", "2026-1-1", "2026-01-01 6 pm", "２０２６-01-01"])
    assert.match(instantOf(text, "UTC"), /^Enter a day and a time as YYYY-MM-DD HH:MM/, text);
});

test("a time is shown with its zone, in digits that can be typed again", () => {
  const atMs = Date.UTC(2026, 11, 31, 17);
  assert.equal(zonedText(atMs, "Europe/Berlin"), "2026-12-31 18:00 (Europe/Berlin, UTC+01:00)");
  assert.equal(zonedText(atMs, "Asia/Kathmandu"), "2026-12-31 22:45 (Asia/Kathmandu, UTC+05:45)");
  assert.equal(zonedText(atMs, "America/New_York"), "2026-12-31 12:00 (America/New_York, UTC-05:00)");
  assert.equal(zonedText(atMs, "UTC"), "2026-12-31 17:00 UTC");
  assert.doesNotThrow(() => zonedText(atMs, localZone()));
  assert.equal(toZonedInput(atMs, "Europe/Berlin"), "2026-12-31 18:00");
  assert.equal(toZonedInput(Date.UTC(2026, 9, 25, 1, 30), "Europe/Berlin"), "2026-10-25 02:30 +01:00");
  const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC"];
  const minute = fc.integer({ min: 0, max: 130 * 365 * 24 * 60 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...zones), (at, zone) => {
      const [, day = "", time = "", offset = ""] =
        /^(\S+) (\S+) (?:\(.*UTC(\S+)\)|UTC)$/.exec(zonedText(at * 60_000, zone)) ?? [];
      const iso = new Date(at * 60_000).toISOString();
      assert.equal(instantOf(`${day} ${time}${offset || "Z"}`, zone), iso);
      assert.equal(instantOf(toZonedInput(at * 60_000 + 59_999, zone), zone), iso);
    }),
  );
});

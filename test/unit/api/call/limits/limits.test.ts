// The forms of rate limits and reset times (spec, Limits; wire.md section 2).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  clockAheadMs,
  httpDate,
  readLimits,
  resetAtMs,
  retryAtMs,
} from "../../../../../src/api/call/limits/limits.ts";
import { completion, sendJson } from "../../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve, transports } from "../../client.ts";

const nowMs = Date.parse("2026-10-01T12:00:00Z");
const times: readonly [text: string | null, atMs: number | undefined][] = [
  ["1790856030000", 1_790_856_030_000],
  ["1790856030", 1_790_856_030_000],
  ["1790856030.5", 1_790_856_030_500],
  ["30", nowMs + 30_000],
  ["0.5", nowMs + 500],
  ["0", nowMs],
  [" 7 ", nowMs + 7_000],
  ["1m30s", nowMs + 90_000],
  ["250ms", nowMs + 250],
  ["6m0.5s", nowMs + 360_500],
  ["1d2h", nowMs + 93_600_000],
  ["Thu, 01 Oct 2026 12:00:30 GMT", nowMs + 30_000],
  ["Thursday, 01-Oct-26 12:00:30 GMT", nowMs + 30_000],
  ["Thu Oct  1 12:00:30 2026", nowMs + 30_000],
  ["2026-10-01T12:01:00Z", nowMs + 60_000],
  ["", undefined],
  [null, undefined],
  ["-1", undefined],
  ["soon", undefined],
  ["try later 5", undefined],
  ["5 minutes", undefined],
  ["NaN", undefined],
  ["9".repeat(400), undefined],
];

for (const [text, expected] of times) {
  test(`${JSON.stringify(text)?.slice(0, 40)} is ${expected === undefined ? "no time" : new Date(expected).toISOString()}`, () => {
    assert.equal(resetAtMs(text, nowMs), expected);
  });
}

test("no header text becomes a time that is not finite", () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789.eE+-smhd ") }));
  fc.assert(
    fc.property(texts, (text) => {
      const atMs = resetAtMs(text, nowMs);
      assert.ok(atMs === undefined || Number.isFinite(atMs), `${text} → ${atMs}`);
    }),
  );
});

test("each form of an HTTP date is the same time", () => {
  const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
  const seconds = fc.integer({ min: Date.UTC(1990) / 1000, max: Date.UTC(2060) / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const date = new Date(second * 1000);
      const imf = date.toUTCString();
      const [, day = "", month = "", year = "", time = ""] = imf.split(/[ ,]+/);
      const weekday = weekdays[date.getUTCDay()] ?? "";
      assert.equal(httpDate(imf), date.getTime(), imf);
      assert.equal(
        httpDate(`${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`),
        date.getTime(),
      );
      assert.equal(
        httpDate(`${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`),
        date.getTime(),
        "RFC 850",
      );
    }),
  );
});

test("a wait is the service's, whatever this machine's clock says", () => {
  const toleranceMs = 1000;
  const ahead = fc.integer({ min: -10_000_000, max: 10_000_000 });
  fc.assert(
    fc.property(ahead, fc.integer({ min: 1, max: 600 }), (aheadMs, waitS) => {
      const serviceMs = nowMs + aheadMs;
      const until = serviceMs + waitS * 1000;
      const spelled = [String(until), String(until / 1000), new Date(until).toUTCString(), String(waitS)];
      for (const value of spelled) {
        const headers = new Headers({ "retry-after": value, date: new Date(serviceMs).toUTCString() });
        const atMs = retryAtMs(headers, nowMs) ?? Number.NaN;
        const known = clockAheadMs(headers, nowMs) === 0 ? 5000 : 0;
        assert.ok(Math.abs(atMs - nowMs - waitS * 1000) <= known + toleranceMs, `${value}: ${atMs - nowMs}`);
      }
    }),
  );
});

const rfc850Days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** `Thursday, 01-Oct-26 12:00:30 GMT`: the second form of RFC 9110, 5.6.7. */
function rfc850(atMs: number): string {
  const [, day, month, year = "", time] = new Date(atMs).toUTCString().split(" ");
  return `${rfc850Days[new Date(atMs).getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

for (const { name, create } of transports) {
  for (const aheadMs of [3_600_000, -3_600_000]) {
    for (const spell of [(atMs: number) => new Date(atMs).toUTCString(), rfc850]) {
      const clock = `${aheadMs / 60_000} minutes ahead, as ${spell(nowMs)}`;
      test(`${name}: a service whose clock is ${clock}, is waited for as long as it says, and asked once`, async (t) => {
        const serviceMs = nowMs + aheadMs;
        const server = await serve(t, (_, response) =>
          sendJson(response, 429, {}, { date: spell(serviceMs), "retry-after": spell(serviceMs + 30_000) }),
        );
        const stop = new AbortController();
        const waits: number[] = [];
        const { api } = clientOf(t, server.origin, {
          transport: create(),
          now: () => nowMs,
          observe(event) {
            if (event.type !== "waiting") return;
            waits.push(event.ms);
            stop.abort();
          },
        });
        assert.equal(
          (await failureOf(api.chat.complete(question, { signal: stop.signal }))).kind,
          "cancelled",
        );
        assert.deepEqual([waits, server.received.length], [[30_000], 1]);
      });
    }
  }
}

test("reads both header families, or only the three of the requests", () => {
  const headers = new Headers({
    "x-ratelimit-limit-requests": "50",
    "x-ratelimit-remaining-requests": "49",
    "x-ratelimit-reset-requests": String(nowMs + 1000),
  });
  const requests = { limit: 50, remaining: 49, resetAtMs: nowMs + 1000 };
  assert.deepEqual(readLimits(headers, nowMs), { requests });
  headers.set("x-ratelimit-limit-tokens", "750000");
  headers.set("x-ratelimit-reset-tokens", "12");
  const tokens = { limit: 750_000, resetAtMs: nowMs + 12_000 };
  assert.deepEqual(readLimits(headers, nowMs), { requests, tokens });
  const rpc = new Headers({
    "X-RateLimit-Limit": "100",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": "1790856030",
  });
  assert.deepEqual(readLimits(rpc, nowMs), {
    requests: { limit: 100, remaining: 0, resetAtMs: 1_790_856_030_000 },
  });
  assert.deepEqual(readLimits(new Headers({ "x-ratelimit-limit-requests": "many" }), nowMs), {});
});

test("reads the failure budget's own name of the reset (wire.md section 2)", () => {
  const headers = new Headers({ "x-ratelimit-remaining": "0", "x-ratelimit-resets": "30" });
  assert.deepEqual(readLimits(headers, nowMs), { requests: { remaining: 0, resetAtMs: nowMs + 30_000 } });
});

test("prefers Retry-After, then the exhausted window, then the request window", () => {
  const headers = new Headers({
    "x-ratelimit-remaining-requests": "3",
    "x-ratelimit-reset-requests": "5",
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-tokens": "40",
  });
  assert.equal(retryAtMs(headers, nowMs), nowMs + 40_000);
  headers.set("x-ratelimit-remaining-tokens", "9");
  assert.equal(retryAtMs(headers, nowMs), nowMs + 5_000);
  headers.set("retry-after", "2");
  assert.equal(retryAtMs(headers, nowMs), nowMs + 2_000);
  assert.equal(retryAtMs(new Headers(), nowMs), undefined);
});

test("an overloaded service uses Retry-After only: an open window does not predict its recovery", async (t) => {
  const server = await serve(t, (request, response) => {
    const after = request.url.endsWith("networks") ? { "retry-after": "900" } : {};
    const open = { "x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "59" };
    response.writeHead(502, { ...open, ...after }).end("{}");
  });
  const { api } = clientOf(t, server.origin, { now: () => nowMs });
  const silent = await failureOf(api.models.list({}));
  assert.deepEqual([silent.kind, silent.details.retryAtMs], ["unavailable", undefined]);
  const telling = await failureOf(api.rpc.networks({}));
  assert.equal(telling.details.retryAtMs, nowMs + 900_000);
});

test("each exchange reports the limits, the request id and the service's clock", async (t) => {
  const server = await serve(t, (_, response) => {
    const headers = { "x-ratelimit-remaining-requests": "9", "x-request-id": "req-1" };
    sendJson(response, 200, completion("ok"), headers);
  });
  const { api, events } = clientOf(t, server.origin);
  await api.chat.complete(question);
  const [event] = events;
  assert.ok(event?.type === "exchange");
  assert.deepEqual(event.limits, { requests: { remaining: 9 } });
  assert.equal(event.requestId, "req-1");
  assert.equal(event.path, "/chat/completions");
  assert.ok(!Number.isNaN(Date.parse(event.date ?? "")));
});

test("ignores a time beyond the maximum date", () => {
  for (const text of ["9".repeat(20), `${"9".repeat(15)}d`, "8640000000000001"])
    assert.equal(resetAtMs(text, 0), undefined, text);
  assert.equal(resetAtMs("8640000000000000", 0), 8.64e15);
});

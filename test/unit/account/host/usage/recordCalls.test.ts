// Records without a request id are joined with the ledger by time and sum, and a wrong join is worse than none.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type JoinedCall,
  joinWaitMs,
  RecordCalls,
  type RecordSigns,
  type RecordSpan,
} from "../../../../../src/account/host/usage/recordCalls.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { usd } from "../money.ts";

const minuteMs = 60_000;
const startMs = Date.parse("2026-11-23T00:00:00Z");
const day: RecordSpan = {
  fromMs: startMs,
  toMs: startMs + 24 * 60 * minuteMs,
  asOfMs: startMs + 48 * 60 * minuteMs,
};

/** A record of the bill, and the id of the entry that it is truly of. */
interface TrueRecord extends RecordSigns {
  readonly of: string | undefined;
}

const record = (minute: number, worth: string, more: Partial<TrueRecord> = {}): TrueRecord => ({
  atMs: startMs + minute * minuteMs,
  requestId: undefined,
  sku: "augment-search-request",
  worth: () => Counted.of(usd(worth)),
  of: undefined,
  ...more,
});
const entry = (
  id: string,
  minute: number,
  cost: string | undefined,
  more: Partial<SpentEntry> = {},
): SpentEntry => ({
  id,
  atMs: startMs + minute * minuteMs,
  endpoint: "augment.search",
  cost: cost === undefined ? undefined : usd(cost),
  ...more,
});

type Found = readonly (readonly [TrueRecord, JoinedCall | undefined])[];

/** The call of each record, after it was checked that all came out. */
function callsOf(found: Found, records: readonly TrueRecord[]) {
  assert.deepEqual(
    found.map(([one]) => one),
    records,
    "each record comes out once, in its order",
  );
  return found.map(([, call]) => call && `${call.entry.id} ${call.by}`);
}

function join(records: readonly TrueRecord[], entries: readonly SpentEntry[], span = day) {
  const calls = new RecordCalls<TrueRecord>(entries, span);
  const found: (readonly [TrueRecord, JoinedCall | undefined])[] = [];
  for (const one of records) {
    calls.put(one, one);
    found.push(...calls.take());
  }
  found.push(...calls.take(true));
  return callsOf(found, records);
}

/** The same as an export does it: what is decided at once is not held. A page has so many records. */
function passed(
  records: readonly TrueRecord[],
  entries: readonly SpentEntry[],
  span: RecordSpan,
  page: number,
) {
  const calls = new RecordCalls<TrueRecord>(entries, span);
  const found: (readonly [TrueRecord, JoinedCall | undefined])[] = [];
  for (const [index, one] of records.entries()) {
    const call = calls.pass(one, one);
    if (call !== "held") found.push([one, call === "none" ? undefined : call]);
    if (index % page === page - 1) found.push(...calls.take());
  }
  found.push(...calls.take(true));
  return callsOf(found, records);
}

test("a record that alone fits a call by time and sum is joined, and marked as such; one with an id by its id", () => {
  const records = [
    record(100, "0.01"),
    record(101, "0.02", { requestId: "r-2", sku: "guide-llm-input-token" }),
    record(102, "0.03"),
  ];
  const entries = [
    entry("search", 101, "0.01", { requestId: "not-on-the-bill" }),
    entry("chat", 101, "5", { requestId: "r-2", endpoint: "chat.stream" }),
  ];
  assert.deepEqual(join(records, entries), ["search timeAndSum", "chat requestId", undefined]);
});

const unjoined: readonly (readonly [string, readonly TrueRecord[], readonly SpentEntry[], RecordSpan?])[] = [
  ["two records of the sum", [record(100, "0.01"), record(103, "0.01")], [entry("a", 101, "0.01")]],
  ["two calls of the sum", [record(100, "0.01")], [entry("a", 99, "0.01"), entry("b", 102, "0.01")]],
  ["another sum", [record(100, "0.01")], [entry("a", 100, "0.0100001")]],
  ["too far apart", [record(100, "0.01")], [entry("a", 106, "0.01")]],
  ["an unknown price", [record(100, "0.01")], [entry("a", 100, undefined)]],
  ["a call without a cost", [record(100, "0")], [entry("a", 100, "0")]],
  [
    "a record of the sum with the id of a call elsewhere",
    [record(100, "0.01"), record(101, "0.01", { requestId: "elsewhere" })],
    [entry("a", 100, "0.01")],
  ],
  [
    "a product of another kind",
    [record(100, "0.01", { sku: "crypto-rpc-base-credits" })],
    [entry("a", 100, "0.01")],
  ],
  ["the begin of the range", [record(1, "0.01")], [entry("a", 2, "0.01")]],
  ["the end of the range", [record(1437, "0.01")], [entry("a", 1438, "0.01")]],
  [
    "records that may still arrive",
    [record(100, "0.01")],
    [entry("a", 100, "0.01")],
    { ...day, asOfMs: startMs + 110 * minuteMs },
  ],
  [
    "a resumed export, whose earlier records are not seen",
    [record(100, "5"), record(101, "0.01")],
    [entry("a", 101, "0.01")],
    { ...day, fromMs: undefined },
  ],
  [
    "records out of order",
    [record(50, "9"), record(30, "9"), record(100, "0.01")],
    [entry("a", 100, "0.01")],
  ],
];
for (const [why, records, entries, span] of unjoined) {
  test(`nothing is joined by its sum: ${why}`, () => {
    assert.deepEqual(
      join(records, entries, span),
      records.map(() => undefined),
    );
  });
}

test("nothing is joined by its sum once a request id shows that the clocks differ by more than five minutes", () => {
  const records = [record(90, "1", { requestId: "r-1" }), record(100, "0.01")];
  const entries = [entry("chat", 99, "1", { requestId: "r-1" }), entry("a", 100, "0.01")];
  assert.deepEqual(join(records, entries), ["chat requestId", undefined]);
});

test("a call that a record names by its id is of no other record, so the other call of its sum is found", () => {
  const records = [record(100, "0.01"), record(101, "0.01", { requestId: "r-2" })];
  const entries = [entry("a", 100, "0.01"), entry("b", 101, "0.01", { requestId: "r-2" })];
  assert.deepEqual(join(records, entries), ["a timeAndSum", "b requestId"]);
});

test("a mark stays between the records that it was put between", () => {
  const calls = new RecordCalls<string>([entry("a", 100, "0.01")], day);
  calls.put("one", record(100, "0.01"));
  calls.mark("end of page 1");
  calls.put("two", record(101, "7"));
  assert.deepEqual([...calls.take()], []);
  calls.put("three", record(100 + joinWaitMs / minuteMs + 1, "7"));
  const names = [...calls.take()].map(([item, call]) => `${item} ${call?.entry.id ?? "-"}`);
  assert.deepEqual(names, ["one a", "end of page 1 -", "two -", "three -"]);
});

/** The calls of an account: of this computer, and of other programs. Each answered call is billed. */
const calls = fc.array(
  fc.record({
    isMine: fc.boolean(),
    second: fc.integer({ min: 0, max: 8 * 3600 }),
    kind: fc.constantFrom("search", "scrape", "rpc", "chat", "speech"),
    price: fc.constantFrom("0.01", "0.0000125", "0.0002", "0.034"),
    isPriceKnown: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
    delaySeconds: fc.integer({ min: 0, max: 20 }),
    lateSeconds: fc.integer({ min: 0, max: 540 }),
  }),
  { minLength: 5, maxLength: 60, size: "max" },
);
const accounts = fc.record({
  calls,
  /** Of this computer's clock against the service's. */
  skewSeconds: fc.integer({ min: -90, max: 90 }),
  asOfHour: fc.integer({ min: 1, max: 12 }),
  namesAll: fc.boolean(),
});
const endpoints = {
  search: "augment.search",
  scrape: "augment.scrape",
  rpc: "rpc.call",
  chat: "chat.stream",
  speech: "audio.speech",
};
const skus = {
  search: "augment-search-request",
  scrape: "augment-scrape-request",
  rpc: "crypto-rpc-base-mainnet-credits",
  chat: "guide-llm-output-token",
  speech: "speaker-tts-characters",
};

/** A joined call is the right one, and a record with its id is joined. */
function checkJoin(
  { of, requestId }: Pick<ReturnType<typeof record>, "of" | "requestId">,
  call: string | undefined,
  entries: readonly { readonly id: string }[],
): void {
  if (call !== undefined) assert.equal(call.split(" ")[0], of);
  else if (requestId !== undefined && of !== undefined) assert.ok(!entries.some(({ id }) => id === of));
}

test("in random accounts with several programs no record is joined with a call that it is not of", (t) => {
  let [joined, possible] = [0, 0];
  fc.assert(
    fc.property(accounts, ({ calls: made, skewSeconds, asOfHour, namesAll }) => {
      const asOfMs = startMs + asOfHour * 3_600_000;
      const bill = made.map((call, index) => {
        const { second, delaySeconds, lateSeconds, kind, price, isMine } = call;
        const atMs = startMs + (second + delaySeconds) * 1000;
        const isNamed = namesAll || kind === "chat" || kind === "speech";
        const one = record(0, price, {
          atMs,
          sku: skus[kind],
          requestId: isNamed ? `r-${index}` : undefined,
          of: isMine ? `e-${index}` : undefined,
        });
        return { one, isThere: atMs + lateSeconds * 1000 <= asOfMs };
      });
      const records = bill
        .flatMap(({ one, isThere }) => (isThere ? [one] : []))
        .toSorted((a, b) => a.atMs - b.atMs);
      const entries = made.flatMap((call, index) => {
        const { second, kind, price, isPriceKnown, isMine } = call;
        const endedMs = startMs + (second + skewSeconds) * 1000;
        if (!isMine || endedMs > asOfMs) return [];
        const named = { requestId: `r-${index}`, endpoint: endpoints[kind], atMs: endedMs };
        return [entry(`e-${index}`, 0, isPriceKnown ? price : undefined, named)];
      });
      const found = join(records, entries, { ...day, asOfMs });
      assert.deepEqual(
        passed(records, entries, { ...day, asOfMs }, 7),
        found,
        "what is not held is the same",
      );
      for (const [index, one] of records.entries()) checkJoin(one, found[index], entries);
      const nameless = [...records.entries()].filter(
        ([, { of, requestId }]) => of !== undefined && requestId === undefined,
      );
      possible += nameless.length;
      joined += nameless.filter(([index]) => found[index] !== undefined).length;
    }),
  );
  t.diagnostic(`${joined} of ${possible} records without a request id were joined`);
  assert.ok(joined > possible / 5, `${joined} of ${possible}`);
});

test("thousands of calls of one sum are joined with none, and are not compared with each other", () => {
  const count = 10_000;
  const at = (index: number) => index / 6000;
  const entries = Array.from({ length: count }, (_, index) => entry(`e${index}`, at(index), "0.01"));
  let compared = 0;
  const worth = Counted.of(usd("0.01"));
  const records = Array.from({ length: count }, (_, index) =>
    record(at(index), "0.01", {
      worth: () => {
        compared += 1;
        return worth;
      },
    }),
  );
  const alone = record(60, "0.02");
  const calls = new RecordCalls<TrueRecord>([...entries, entry("alone", 60, "0.02")], day);
  const before = process.memoryUsage().heapUsed;
  for (const one of records) calls.put(one, one);
  // Each held with all the others would be some gigabytes.
  assert.ok(process.memoryUsage().heapUsed - before < 256 * 1024 * 1024);
  calls.put(alone, alone);
  const joined = [...calls.take(true)].filter(([, call]) => call);
  assert.equal(compared, count);
  assert.deepEqual(
    joined.map(([one, call]) => [one === alone, call?.entry.id]),
    [[true, "alone"]],
  );
});

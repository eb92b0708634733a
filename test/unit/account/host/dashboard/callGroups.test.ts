import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  callDimensions,
  callValueName,
  filterCalls,
  groupCalls,
} from "../../../../../src/account/host/dashboard/callGroups.ts";
import { createCallSearch, toCallsState } from "../../../../../src/account/host/dashboard/callSearch.ts";
import type { KeyFacts } from "../../../../../src/account/host/keys/keyFacts.ts";
import type { CallGrouping, ToCallsView } from "../../../../../src/account/protocol/callsProtocol.ts";
import { parseFromUsageView } from "../../../../../src/account/protocol/usageProtocol.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { optionalMember } from "../../../../../src/shared/members.ts";
import { Amounts, amountIn } from "../../../../../src/shared/money/amounts.ts";
import { exactText } from "../../../../../src/shared/money/exact.ts";
import { callAt, ledgerOf, noCalls, someCalls, sumOf } from "../callLedgers.ts";
import { usd } from "../money.ts";

const name = fc.constantFrom(undefined, "", "a", "b", "constructor", "__proto__", "toString", "Elsewhere");
const call = fc
  .record({
    kind: fc.constantFrom(undefined, "chat", "mcp", "tool", "later", "__proto__"),
    client: name,
    folder: name,
    branch: name,
    task: fc.constantFrom(undefined, "gateway-0123456789abcdef", "x"),
    keyEnding: name,
    model: name,
    cost: fc.option(
      fc
        .tuple(
          fc.constantFrom("USD", "DIEM", "VCU", "BUNDLED_CREDITS"),
          fc.bigInt({ min: 0n, max: 10n ** 24n }),
        )
        .map(([currency, amount]) => amountIn(currency, exactText(amount))),
      { nil: undefined },
    ),
  })
  .map(
    ({ kind, client, folder, branch, task, keyEnding, model, cost }): SpentEntry => ({
      id: "x",
      atMs: 0,
      endpoint: "chat.stream",
      cost,
      ...(kind
        ? { source: { kind, ...optionalMember("client", client), ...optionalMember("task", task) } }
        : {}),
      ...(folder === undefined ? {} : { folder }),
      ...(branch === undefined ? {} : { branch }),
      ...(keyEnding === undefined ? {} : { keyEnding }),
      ...(model === undefined ? {} : { model }),
    }),
  );

test("groups of any calls by any dimension sum to the ledger, and each filter gives the calls of its group", () => {
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      for (const by of [...callDimensions, "keyAndModel"] as const) {
        const groups = groupCalls(calls, by);
        assert.deepEqual(Amounts.sum(groups.map(({ spend }) => spend)), sumOf(calls));
        assert.equal(
          groups.reduce((sum, group) => sum + group.calls, 0),
          calls.length,
        );
        for (const { values, spend, calls: count } of groups) {
          const own = filterCalls(calls, values);
          assert.deepEqual([sumOf(own), own.length], [spend, count]);
        }
      }
    }),
  );
});

test("sessions of other agents and tasks of the own one are groups, named by who has them", () => {
  const of = (kind: string, task: string | undefined, client?: string): SpentEntry => ({
    id: "x",
    atMs: 0,
    endpoint: "chat.stream",
    cost: usd("1"),
    source: { kind, ...optionalMember("client", client), ...optionalMember("task", task) },
  });
  const groups = groupCalls(
    [
      of("gateway", "gateway-00000000aaaaaaaa", "Codex"),
      of("gateway", "gateway-00000000aaaaaaaa", "Codex"),
      of("gateway", "gateway-00000000bbbbbbbb", "Codex"),
      of("chat", "3d6f0a52-0000-4000-8000-00000cccccccc"),
      of("chat", undefined),
    ],
    "session",
  );
  assert.deepEqual(
    groups.map(({ values, calls }) => `${callValueName(values.session ?? "", "session")}: ${calls}`).sort(),
    ["Chat · cccccccc: 1", "Codex · aaaaaaaa: 2", "Codex · bbbbbbbb: 1", "No session: 1"],
  );
});

const request = (by: CallGrouping, filter = {}) => ({ query: 1, by, filter });
const rowsOf = (state: ReturnType<typeof toCallsState>) =>
  state.groups.map(({ name: row, spend, calls }) => `${row} ${spend} ${calls ?? "-"}`);

test("names what the bill has beyond the ledger, once per list and not in a filtered one", () => {
  const ledger = ledgerOf(someCalls, "2.49");
  const all = toCallsState(request("source"), ledger);
  assert.deepEqual(rowsOf(all), [
    "MCP client $1.25 2",
    "Chat $0.25 1",
    "Source not recorded $0.010 1",
    "RPC notebook $0.00 1",
    "Elsewhere $2.49 -",
  ]);
  assert.equal(all.groups.at(-1)?.share, 2.49 / 4);
  assert.equal(
    all.summary,
    "$1.51 for 5 calls of this extension over this connection on this computer in November 2026 (UTC). The price of 1 of them is unknown. The bill shows $2.49 more.",
  );
  const codex = toCallsState(request("folder", { client: "codex" }), ledger);
  assert.deepEqual(rowsOf(codex), ["service $0.25 1"]);
  assert.match(codex.summary, /^\$0\.25 for 1 of 5 calls /);
  assert.deepEqual(
    codex.choices.client.map((choice) => choice.name),
    ["claude-code", "No client", "codex"],
  );
});

const ofKeys = [
  callAt(0, { keyEnding: "aaa111", cost: usd("1") }),
  callAt(1, { keyEnding: "aaa111", model: "thinker", cost: usd("3") }),
  callAt(2, { keyEnding: "bbb222", cost: usd("0.5") }),
  callAt(3, { cost: usd("0.25") }),
];
const keys: KeyFacts = {
  names: new Map([
    ["aaa111", "ci"],
    ["ccc333", "docs"],
  ]),
  endings: new Map(),
  monthSpend: new Map([
    ["aaa111", usd("4.5")],
    ["ccc333", usd("0.75")],
  ]),
};

test("by key and model: the calls of this computer, and the rest of each key with an unknown model", () => {
  const ledger = { ...ledgerOf(ofKeys, "2"), keys };
  assert.deepEqual(rowsOf(toCallsState(request("keyAndModel"), ledger)), [
    "ci (…aaa111) · thinker $3.00 1",
    "ci (…aaa111) · guide $1.00 1",
    "…bbb222 · guide $0.50 1",
    "Key not recorded · guide $0.25 1",
    "docs (…ccc333) · elsewhere, model not known $0.75 -",
    "ci (…aaa111) · elsewhere, model not known $0.50 -",
    "Elsewhere $0.75 -",
  ]);
  assert.deepEqual(rowsOf(toCallsState(request("key", { model: "guide" }), ledger)), [
    "ci (…aaa111) $1.00 1",
    "…bbb222 $0.50 1",
    "Key not recorded $0.25 1",
  ]);
  const [first] = toCallsState(request("keyAndModel"), ledger).groups;
  assert.deepEqual(first?.filter, { key: "aaa111", model: "thinker" });
});

test("if the counts by key and the bill disagree, or the counts are not known, the rest is not divided", () => {
  const small = { ...ledgerOf(ofKeys, "1"), keys };
  assert.equal(rowsOf(toCallsState(request("key"), small)).at(-1), "Elsewhere $1.00 -");
  const unread = { ...ledgerOf(ofKeys, "2"), keys: { ...keys, monthSpend: undefined } };
  assert.deepEqual(rowsOf(toCallsState(request("key"), unread)).slice(3), ["Elsewhere $2.00 -"]);
});

test("reports an empty ledger, an unread bill, and play money", () => {
  const of = "of this extension over this connection on this computer in November 2026 (UTC)";
  assert.equal(toCallsState(request("source"), noCalls).summary, `No calls ${of} have cost anything.`);
  assert.deepEqual(rowsOf(toCallsState(request("branch"), ledgerOf([], "1"))), ["Elsewhere $1.00 -"]);
  const unread = { ...ledgerOf(someCalls.slice(0, 1), "0", false), isPlayMoney: true };
  assert.equal(
    toCallsState(request("source"), unread).summary,
    `$0.25 play money for 1 call ${of}. The bill of this month is not completely read.`,
  );
});

test("more than 200 groups are cut to 200 and one row with the rest", () => {
  const calls = Array.from({ length: 10_000 }, (_, index) =>
    callAt(index, { source: { kind: "mcp", client: `client ${index % 1000}` }, cost: usd("0.001") }),
  );
  const { groups, choices } = toCallsState(request("client"), ledgerOf(calls));
  assert.deepEqual([groups.length, choices.client.length], [201, 200]);
  assert.equal(groups.at(-1)?.name, "800 others");
  assert.equal(
    groups.reduce((sum, one) => sum + (one.calls ?? 0), 0),
    10_000,
  );
});

test("only the newest query is answered, and its rows are sent by page", async () => {
  const posted: ToCallsView[] = [];
  const search = createCallSearch(
    async () => ledgerOf(someCalls),
    (message) => posted.push(message),
  );
  await Promise.all([
    search.query({ query: 1, by: "source", filter: {} }),
    search.query({ query: 2, by: "source", filter: { source: "mcp" } }),
  ]);
  search.rows({ query: 1, from: 0, count: 100 });
  search.rows({ query: 2, from: 1, count: 100 });
  assert.deepEqual(
    posted.map((message) => (message.type === "calls" ? message.state.query : message.type)),
    [2, "callRows"],
  );
  const [, rows] = posted;
  assert.deepEqual(rows?.type === "callRows" && rows.rows, [
    {
      time: "2026-11-23 11:58:00",
      spend: "$0.25",
      source: "MCP client",
      client: "codex",
      folder: "service",
      branch: "main",
      session: "",
      key: "",
      endpoint: "chat.stream",
      model: "guide",
      requestId: "request-2",
    },
  ]);
});

test("requests of another form are refused", () => {
  const parse = (body: unknown) => parseFromUsageView({ v: 1, type: "calls", body });
  assert.ok(parse({ query: 1, by: "source", filter: { branch: "", client: undefined } }));
  assert.ok(parse({ query: 1, by: "keyAndModel", filter: { key: "aaa111", model: "" } }));
  assert.equal(parse({ query: 1, by: "constructor", filter: {} }), undefined);
  assert.equal(parse({ query: 1, by: "source", filter: { kind: "x" } }), undefined);
  assert.equal(parse({ query: 1, by: "source", filter: { source: "x".repeat(1001) } }), undefined);
});

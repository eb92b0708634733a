// What the list of requests shows of a call, and how it is filtered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toDetail } from "../../../../src/requests/host/requestDetail.ts";
import { choicesOf, searchRequests, toRequestRow } from "../../../../src/requests/host/requestSearch.ts";
import type { RequestQuery } from "../../../../src/requests/protocol/requestsProtocol.ts";
import { calledOf, headFor } from "./calledOf.ts";

const heads = [
  headFor({ id: "ok" }),
  headFor({
    id: "failed",
    status: 503,
    error: "unavailable",
    attempts: 3,
    model: "large",
    source: "mcp",
    client: "codex",
  }),
  headFor({
    id: "unsent",
    status: undefined,
    error: "payment-required",
    attempts: 0,
    method: "",
    path: "",
    requestIds: [],
    connectionId: "other",
  }),
];

function found(query: Partial<RequestQuery>): string[] {
  return searchRequests(heads, { query: 1, text: "", ...query }).map(({ id }) => id);
}

test("filters by text, result, source and connection", () => {
  assert.deepEqual(found({}), ["ok", "failed", "unsent"]);
  assert.deepEqual(found({ text: "LARGE completions" }), ["failed"]);
  assert.deepEqual(found({ text: "request-1" }), ["ok", "failed"]);
  assert.deepEqual(found({ text: "503" }), ["failed"]);
  assert.deepEqual(found({ text: "codex" }), ["failed"]);
  assert.deepEqual(found({ outcome: "ok" }), ["ok"]);
  assert.deepEqual(found({ outcome: "failed" }), ["failed", "unsent"]);
  assert.deepEqual(found({ outcome: "retried" }), ["failed"]);
  assert.deepEqual(found({ source: "mcp" }), ["failed"]);
  assert.deepEqual(found({ connection: "other" }), ["unsent"]);
});

test("a row says what was sent, how it ended, and what it cost in its own currency", () => {
  const rows = heads.map(toRequestRow);
  assert.deepEqual(
    rows.map(({ what, status, source }) => [what, status, source]),
    [
      ["POST /chat/completions", "200", "Chat"],
      ["POST /chat/completions", "503 (unavailable), 3 attempts", "MCP client · codex"],
      ["chat.complete", "not sent (payment-required)", "Chat"],
    ],
  );
  const priced = headFor({ promptTokens: 1204, completionTokens: 3, cost: { DIEM: "0.25" } });
  assert.equal(toRequestRow(priced).tokens, "1,204 + 3");
  assert.match(toRequestRow(priced).price, /0\.25 DIEM/);
  assert.equal(toRequestRow(headFor({ isCostUnknown: true })).price, "unknown");
  assert.equal(toRequestRow(headFor({ cost: { USD: "0.5" }, isPlayMoney: true })).price, "$0.50 play money");
  assert.equal(toRequestRow(headFor()).price, "");
  assert.equal(toRequestRow(headFor({ status: undefined, error: "network" })).status, "no answer (network)");
});

test("the choices of the filters are those of the calls", () => {
  assert.deepEqual(choicesOf(heads), {
    sources: [
      { value: "chat", name: "Chat" },
      { value: "mcp", name: "MCP client" },
    ],
    connections: [
      { value: "live", name: "Venice" },
      { value: "other", name: "Venice" },
    ],
  });
});

test("a row has a short price, and the open request that of the ledger with all digits", () => {
  const head = headFor({ cost: { USD: "0.0125499" } });
  assert.equal(toRequestRow(head).price, "$0.013");
  const { facts } = toDetail(head, calledOf());
  assert.equal(Object.fromEntries(facts).Price, "$0.0125499");
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keyNodes } from "../../../../../src/account/host/keys/keyNodes.ts";
import { limitNodes } from "../../../../../src/account/host/limits/limitNodes.ts";
import { LimitWatch } from "../../../../../src/account/host/limits/limitWatch.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import type { Charged } from "../../../../../src/api/money/charge.ts";
import { createSpend } from "../../../../../src/session/spend/spend.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { usd } from "../../../../../src/shared/money/money.ts";
import { moneyText } from "../../../../../src/shared/money/moneyText.ts";
import { accountDataOf, childrenOf, connection, noChainSpend, rowOf, usageOf } from "../accountRows.ts";
import { dayMs, openBooks } from "../bookkeeping.ts";

test("an INFERENCE key shows limits and balance, and names the missing permission once", async (t) => {
  const books = await openBooks(t);
  const data = accountDataOf(books, "inference");
  const usage = await usageNodes(usageOf(data));
  assert.deepEqual(
    usage.map(({ id }) => id),
    ["balance", "own", "admin"],
  );
  assert.equal(rowOf(usage, "Balance").description, `${moneyText(usd(100_000))} · 2.00 DIEM`);
  await assert.rejects(keyNodes(data), { kind: "admin-key-required" });
  const asked = books.requests.length;
  await usageNodes(usageOf(data));
  await assert.rejects(keyNodes(data), { kind: "admin-key-required" });
  assert.equal(books.requests.length, asked, "the refusal is cached");
  const limits = await limitNodes({
    data,
    watch: new LimitWatch(books.clock.now),
    connection,
    spend: noChainSpend,
  });
  assert.equal(rowOf(limits, "Tier").description, "paid");
  assert.equal(rowOf(limits, "Next epoch begins").description, "in 14 h");
});

test("limits show the rest from the last reply until their window resets", async (t) => {
  const books = await openBooks(t);
  const data = accountDataOf(books);
  const watch = new LimitWatch(books.clock.now);
  const nowMs = books.clock.now();
  watch.receive(connection.id, {
    type: "exchange",
    endpoint: "chat.complete",
    method: "POST",
    path: "/chat/completions",
    model: "echo",
    attempt: 0,
    ms: 1,
    limits: {
      requests: { limit: 40, remaining: 2, resetAtMs: nowMs + 30_000 },
      tokens: { limit: 1000, remaining: 900 },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const spend = createSpend({ folder, now: books.clock.now, onChange() {}, report: assert.ifError });
  const charge = (fact: Charged["fact"]) =>
    spend.record(
      connection,
      { type: "charged", endpoint: "rpc.call", fact },
      { models: async () => new Map(), names: async () => noNames, usdPerCredit: [6.25e-7, 7e-7] },
    );
  charge({ by: "credits", credits: 8_000_000, replayed: false });
  charge({ by: "credits", credits: 9, replayed: true });
  const rows = async () => {
    const nodes = await limitNodes({ data, watch, connection, spend });
    return { echo: rowOf(await childrenOf(rowOf(nodes, "By model")), "echo"), nodes };
  };
  const { echo, nodes } = await rows();
  assert.match(echo.description ?? "", /▰▱▱▱▱▱▱▱ 5 % left$/);
  assert.equal(echo.tint, "warning");
  assert.equal(
    rowOf(await childrenOf(echo), "Remaining").description,
    "2 of 40 requests, 900 of 1,000 tokens (0 s ago)",
  );
  assert.equal(rowOf(nodes, "RPC credits in 24 hours").description, "8,000,000  ▰▰▰▰▰▰▱▱ 80 %");
  books.clock.advance(31_000);
  assert.match((await rows()).echo.description ?? "", /100 % left$/);
  books.clock.advance(dayMs);
  assert.match(rowOf((await rows()).nodes, "RPC credits in 24 hours").description ?? "", /^0 /);
  assert.equal(
    rowOf(await childrenOf(rowOf(nodes, "Refused requests")), "This service has no such log").icon,
    "circle-slash",
  );
});

// 7, 30 and 90 days of random accounts in four currencies: complete after the bill was read, and before that said not to be.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  type AccountData,
  createAccountData,
  lastDays,
} from "../../../../../src/account/host/accountData.ts";
import { createDashboardController } from "../../../../../src/account/host/dashboard/dashboardController.ts";
import type { AccountNode } from "../../../../../src/account/host/tree/treeNode.ts";
import { newStringTables } from "../../../../../src/account/host/usage/days/dayColumns.ts";
import { createDayFiles, noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import { type TakePiece, UsageStore } from "../../../../../src/account/host/usage/usageStore.ts";
import type { ToUsageView } from "../../../../../src/account/protocol/usageProtocol.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import { Amounts, amountIn } from "../../../../../src/shared/money/amounts.ts";
import { fullMoneyText, spendText } from "../../../../../src/shared/money/moneyText.ts";
import { dayMs, dayOf } from "../../../../../src/shared/time/days.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { childrenOf, rowOf } from "../accountRows.ts";
import { billDouble, type Charge } from "../billDouble.ts";
import { noCalls } from "../callLedgers.ts";
import { noTotals } from "../money.ts";

const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const today = dayOf(nowMs);
const lookbacks = [7, 30, 90] as const;
const unread = "VCU and credits not read";
const connection: Connection = { id: "c", name: "C", kind: "live", baseUrl: "", dialect: "auto" };

const charge: fc.Arbitrary<Charge> = fc.record({
  atMs: fc.integer({ min: nowMs - 95 * dayMs, max: nowMs - 1 }),
  currency: fc.constantFrom("USD", "DIEM", "VCU", "BUNDLED_CREDITS"),
  nano: fc.integer({ min: 1, max: 200_000_000_000 }),
  model: fc.constantFrom("guide", "thinker"),
});

function dataOf(charges: readonly Charge[], now = () => nowMs): AccountData {
  const api = async () => billDouble(charges);
  const report = (error: unknown) => assert.fail(String(error));
  return createAccountData({
    api,
    admin: api,
    files: noDayFiles,
    createdKeys: () => [],
    now,
    onChange() {},
    report,
  });
}

function inDays(charges: readonly Charge[], days: number): Amounts {
  const some = charges.filter(({ atMs }) => dayOf(atMs) > today - days);
  return Amounts.sum(some.map(({ currency, nano }) => amountIn(currency, nano / 1e9)));
}

const rowsOf = (data: AccountData) => usageNodes({ data, own: noTotals, explain: String });
const days = (node: AccountNode) => node.tooltip?.notes?.join(" ") ?? "";

/** The card of the dashboard for the last days. */
async function cardOf(data: AccountData, lookback: number): Promise<string> {
  const posted: ToUsageView[] = [];
  const account = {
    identity: "c",
    connection,
    admin: connection,
    data,
    takeBill: async () => {},
    ledger: async () => noCalls,
    callsSince: async () => [],
  };
  const controller = createDashboardController({
    account: () => account,
    post: (message) => void posted.push(message),
    report: (error) => assert.fail(String(error)),
  });
  await controller.handle({ v: 1, type: "lookback", body: { days: lookback } });
  const state = posted.flatMap((message) => (message.type === "state" ? message.state : [])).at(-1);
  const value = state?.cards[0]?.value;
  return value?.is === "value" ? value.value : assert.fail("no sum");
}

test("7, 30 and 90 days have all currencies once their bill was read, in row, hover text, total and dashboard", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(charge, { maxLength: 40 }),
      fc.constantFrom(...lookbacks),
      async (charges, read) => {
        const data = dataOf(charges);
        const before = await rowsOf(data);
        for (const back of lookbacks) {
          const row = rowOf(before, `Last ${back} days`);
          const counted = inDays(charges, back).where((name) => ["USD", "DIEM"].includes(name));
          assert.equal(row.description, `${spendText(counted)} · ${unread}`);
          assert.match(days(row), /only on the bill, which is not read for all of these days/);
          const [offer] = await childrenOf(row);
          assert.deepEqual([offer?.command, offer?.days], ["readBill", back]);
        }
        await data.usage.sum(lastDays(read, nowMs));
        for (const back of lookbacks) {
          const row = rowOf(await rowsOf(data), `Last ${back} days`);
          const all = inDays(charges, back);
          if (back > read) {
            assert.match(row.description ?? "", new RegExp(`${unread}$`));
            continue;
          }
          assert.equal(row.description, spendText(all));
          assert.deepEqual(
            new Map(row.tooltip?.facts),
            new Map([...all].map((money) => [money.currency, fullMoneyText(money)])),
          );
          const children = await childrenOf(row);
          assert.ok(children.every(({ command }) => command !== "readBill"));
          if (all.size > 0) assert.equal(rowOf(children, "Total").description, spendText(all));
          assert.equal(await cardOf(data, back), spendText(all));
        }
      },
    ),
    { numRuns: randomCases(60) },
  );
});

test("a day that was read before its end is not read: what was spent after that would be missing", async () => {
  const clock = { nowMs };
  const charges: Charge[] = [];
  const data = dataOf(charges, () => clock.nowMs);
  await data.usage.sum(lastDays(7, nowMs));
  assert.equal(rowOf(await rowsOf(data), "Last 7 days").description, "$0.00");
  charges.push({ atMs: nowMs + 3_600_000, currency: "VCU", nano: 5_000_000_000 });
  clock.nowMs += dayMs;
  assert.equal(rowOf(await rowsOf(data), "Last 7 days").description, `$0.00 · ${unread}`);
  await data.usage.sum(lastDays(7, clock.nowMs));
  assert.equal(rowOf(await rowsOf(data), "Last 7 days").description, "5.00 VCU");
});

test("the sums of days hold few records at once, read each once, and agree with the loaded days and the stored ones", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "sums-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const busy = today - 10;
  const charges: Charge[] = Array.from({ length: 120_000 }, (_, index) => ({
    atMs: (index % 7 === 0 ? busy - 1 : busy) * dayMs + Math.floor(index / 2) * 100,
    currency: ["USD", "DIEM", "VCU"][index % 3] ?? "USD",
    nano: 1 + (index % 997),
    model: `m${index % 5}`,
    requestId: `r${Math.floor(index / 2)}`,
  }));
  const range = { from: busy - 2, to: busy + 1 };
  const storeOf = (files = noDayFiles) =>
    new UsageStore({
      api: async () => billDouble(charges),
      files,
      now: () => nowMs,
      report: (error) => assert.fail(String(error)),
    });
  const sizes: number[] = [];
  let records = 0;
  const take: TakePiece = ({ size }) => {
    sizes.push(size);
    records += size;
  };
  const sums = await storeOf().sum(range, {}, take);
  assert.equal(records, charges.length);
  assert.ok(Math.max(...sizes) <= 50_001, `${sizes}`);
  const loaded = await storeOf(createDayFiles(folder)).load(range);
  assert.deepEqual(sums.tallies, loaded.tallies);
  records = 0;
  const stored = await storeOf(createDayFiles(folder)).sum(range, {}, take);
  assert.deepEqual(stored.tallies, loaded.tallies);
  assert.equal(records, charges.length);
  assert.ok(Math.max(...sizes) <= 50_001, `${sizes}`);
  const words = newStringTables();
  assert.equal((await createDayFiles(folder).read(busy, words))?.size, loaded.days[2]?.size);
});

// All sources agree on what was spent (spec E1, E8, E12; wire.md section 6).
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { toBytes } from "../../src/api/binary.ts";
import { type DialectId, dialects } from "../../src/api/dialect/dialect.ts";
import type { UsageRecord } from "../../src/api/endpoints/account/billing.ts";
import { usagePages } from "../../src/api/usagePages.ts";
import { startTestSandbox } from "../serviceKit/testSandbox.ts";
import { csvRows } from "./rows/billing/csv.ts";
import { chatOf, longText, nano, sum } from "./suite/moneyKit.ts";
import { apiOf, failureOf, transports } from "./suite/suite.ts";
import { targetOf } from "./suite/target.ts";
import { send } from "./suite/wire.ts";

const dayMs = 86_400_000;

for (const dialect of Object.keys(dialects) as DialectId[]) {
  describe(`bill, ${dialect}`, () => {
    let aheadMs = 0;
    const clock = () => Date.UTC(2026, 7, 10, 12) + aheadMs;
    const options = { dialect, clock, tokensPerSecond: Number.POSITIVE_INFINITY, limits: "none" } as const;

    async function opened(t: TestContext, more: object = {}) {
      aheadMs = 0;
      const sandbox = await startTestSandbox({ ...options, ...more });
      const target = targetOf(sandbox, dialect, clock, () => {
        aheadMs += 61_000;
      });
      const transport = transports.host();
      t.after(async () => {
        await sandbox.close();
        await transport.close();
      });
      return { target, api: apiOf(target, transport), transport };
    }

    test("pages, CSV, analytics, balance, keys and costs agree to the last digit", async (t) => {
      const { target, api, transport } = await opened(t, { balances: { usd: 5, diemPerDay: 0.000_4 } });
      const { data: created } = await api.keys.create({ apiKeyType: "INFERENCE", description: "Second" });
      const second = apiOf(target, transport, created.apiKey);
      const start = clock();
      let costs = 0;
      for (let day = 0; day < 3; day++) {
        for (const from of [api, second]) {
          for (const model of ["guide", "thinker", "echo"]) {
            const { cost } = await from.chat.complete(chatOf(`${longText} ${day}`, { model }));
            costs += nano(cost?.usd ?? 0);
          }
        }
        aheadMs += dayMs;
      }
      const range = { start: new Date(start).toISOString(), end: new Date(clock()).toISOString() };
      const records: UsageRecord[] = [];
      for await (const page of usagePages(api, range)) records.push(...page.records);
      const of = (currency: string) =>
        -sum(records.flatMap((record) => (record.currency === currency ? [record.amount] : [])));
      assert.ok(of("USD") > 0 && of("DIEM") > 0, "both currencies were spent");
      assert.equal(records.length, 3 * 2 * 3 * 2);
      if (dialect === "venice") assert.equal(costs, of("USD") + of("DIEM"));

      const csv =
        dialect === "venice"
          ? await api.billing.historyCsv({
              startTimestamp: range.start,
              endTimestamp: range.end,
              pageSize: 1000,
            })
          : await api.billing.usageCsv({
              startDate: range.start,
              endDate: range.end,
              limit: 500,
              sortOrder: "asc",
            });
      assert.deepEqual(csvRows(Buffer.from(await toBytes(csv)).toString()), records);

      const analytics = await api.billing.analytics({ startDate: "2026-08-10", endDate: "2026-08-12" });
      const totals = (rows: readonly { totalUsd: number; totalDiem: number }[]) => [
        sum(rows.map(({ totalUsd }) => totalUsd)),
        sum(rows.map(({ totalDiem }) => totalDiem)),
      ];
      const both = [of("USD"), of("DIEM")];
      assert.deepEqual(totals(analytics.byModel), both);
      assert.deepEqual(totals(analytics.byKey), both);
      assert.deepEqual(
        [sum(analytics.byDate.map(({ USD }) => USD)), sum(analytics.byDate.map(({ DIEM }) => DIEM))],
        both,
      );
      assert.equal(analytics.byDate.length, 3);
      const daily = (rows: readonly Record<string, unknown>[]) =>
        sum(rows.flatMap(({ date: _, ...series }) => Object.values(series).map(Number)));
      assert.deepEqual(
        [daily(analytics.byModelDaily), daily(analytics.byKeyDaily)],
        [of("DIEM"), of("DIEM")],
      );
      assert.deepEqual(new Set(analytics.topModels), new Set(["guide", "thinker", "echo"]));
      for (const { modelName, totalUsd, totalDiem, totalUnits, breakdown } of analytics.byModel) {
        assert.deepEqual(
          new Set(breakdown?.map(({ type }) => type)),
          new Set(["Input", "Output"]),
          modelName,
        );
        const parts = breakdown ?? [];
        assert.equal(sum(parts.map(({ usd }) => usd)), nano(totalUsd));
        assert.equal(sum(parts.map(({ diem }) => diem)), nano(totalDiem));
        assert.equal(sum(parts.map(({ units }) => units)), nano(totalUnits));
      }
      const own = analytics.byKey.find(({ description }) => description === "Second");
      const { usage } = (await api.keys.read({ id: created.id })).data;
      assert.equal(nano(Number(usage?.trailingSevenDays?.usd)), nano(own?.totalUsd ?? 0));
      assert.equal(nano(Number(usage?.trailingSevenDays?.diem)), nano(own?.totalDiem ?? 0));

      const { balances } = (await api.account.rateLimits({})).data;
      assert.equal(nano(balances?.USD ?? 0), nano(5) - of("USD"));
      assert.equal(nano(balances?.DIEM ?? 0), nano(0.000_4), "a new day, a new allocation");
    });

    test("analytics are cached for ten minutes", async (t) => {
      const { api } = await opened(t);
      const unitsOf = async () =>
        (await api.billing.analytics({})).byModel.reduce((units, { totalUnits }) => units + totalUnits, 0);
      await api.chat.complete(chatOf("hi", { model: "echo" }));
      const before = await unitsOf();
      await api.chat.complete(chatOf("hi", { model: "echo" }));
      aheadMs += 599_000;
      assert.equal(await unitsOf(), before);
      aheadMs += 2_000;
      assert.ok((await unitsOf()) > before);
    });

    test("an account without money is refused paid calls and gets free ones", async (t) => {
      const { target, api } = await opened(t, { balances: { usd: 0, diemPerDay: 0 } });
      const error = await failureOf(api.chat.complete(chatOf("hi")));
      assert.deepEqual([error.kind, error.details.source], ["payment-required", "account"]);
      const reply = await send(target, { path: "/chat/completions", body: chatOf("hi") });
      assert.equal(reply.headers.get("x-venice-balance-usd"), null, "a free call reports no balance");
      assert.ok((await api.models.list({})).data.length > 0);
      const { accessPermitted, balances } = (await api.account.rateLimits({})).data;
      assert.deepEqual([accessPermitted, balances], [false, { USD: 0, DIEM: 0 }]);
    });

    test("paid calls on venice report the balance before them; free calls report none", async (t) => {
      const { target } = await opened(t, { balances: { usd: 1, diemPerDay: 0 } });
      const reported = async (path: string, body?: object) => {
        const { status, headers } = await send(target, { path, ...(body ? { body } : {}) });
        assert.equal(status, 200);
        return ["usd", "diem"].map((currency) => headers.get(`x-venice-balance-${currency}`));
      };
      const search = () => reported("/augment/search", { query: "harbour" });
      const venice = dialect === "venice";
      assert.deepEqual(await search(), [venice ? "1" : null, null]);
      assert.deepEqual(await search(), [venice ? "0.99" : null, null]);
      assert.deepEqual(await reported("/models"), [null, null], "a free call reports nothing");
    });

    test("a key at its limit gets the limit and its reset time", async (t) => {
      const { target, api, transport } = await opened(t);
      const { data } = await api.keys.create({
        apiKeyType: "INFERENCE",
        description: "Small",
        consumptionLimit: { diem: 1e-6 },
      });
      const small = apiOf(target, transport, data.apiKey);
      await small.chat.complete(chatOf("hi"));
      const error = await failureOf(small.chat.complete(chatOf("hi")));
      assert.deepEqual([error.kind, error.details.source], ["payment-required", "key-limit"]);
      assert.match(error.message, /2026-08-11T00:00:00/);
      aheadMs += dayMs;
      await small.chat.complete(chatOf("hi"));
    });

    test("the generated history can be read in pages of any size", async (t) => {
      const { api } = await opened(t, { history: { count: 1201, days: 3 } });
      const range = { start: "2026-08-01T00:00:00Z", end: new Date(clock()).toISOString() };
      const counts: number[] = [];
      for await (const { records } of usagePages(api, range)) counts.push(records.length);
      assert.deepEqual(counts, [500, 500, 201]);
    });
  });
}

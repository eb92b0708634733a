import assert from "node:assert/strict";
import { type RowSuite, unsentFailureOf } from "../../suite/suite.ts";
import { send, type WireReply } from "../../suite/wire.ts";
import { charged, question } from "./charged.ts";

const day = { good: ["2026-01-01"], bad: ["2026-1-1", "01.01.2026", "2026-02-30", "2026-01-01T00:00:00Z"] };

/** GET /billing/usage-analytics (spec E1). */
export const analytics: RowSuite = {
  sample: charged,
  rules: {
    lookback: { good: ["1d", "7d", "90d"], bad: ["0d", "91d", "07d", "7", "7h", "-1d", "1.5d"] },
    startDate: { ...day, beside: { endDate: "2026-12-31" } },
    endDate: { ...day, beside: { startDate: "2025-01-01" } },
  },
  reply: {
    nullable: [...["byModel.0.unitType", "byModel.0.modelType", "byModel.*.breakdown", "byKey.0.apiKeyId"]],
    required: [
      ...["lookback", "byDate", "byModel", "byModelDaily", "topModels", "byKey", "byKeyDaily", "topKeyNames"],
    ],
    tolerant: ["byDate", "byModel", "byKey", "byModelDaily", "byKeyDaily"],
  },
  everywhere: [
    {
      name: "covers seven days by default",
      async run({ api }) {
        assert.equal((await api.billing.analytics({})).lookback, "7d");
      },
    },
  ],
  sandboxed: [
    {
      name: "returns the requested period",
      async run({ api }) {
        assert.equal((await api.billing.analytics({ lookback: "30d" })).lookback, "30d");
        const range = { startDate: "2026-08-01", endDate: "2026-08-07" };
        assert.equal((await api.billing.analytics(range)).lookback, "2026-08-01:2026-08-07");
      },
    },
    {
      name: "requires both dates or none, in order, without a lookback",
      async run({ api, target }) {
        const [startDate, endDate] = ["2026-08-01", "2026-08-07"];
        const refused: readonly (readonly [Record<string, string>, string])[] = [
          [{ startDate }, "endDate"],
          [{ endDate }, "startDate"],
          [{ lookback: "7d", startDate, endDate }, "lookback"],
          [{ startDate: endDate, endDate: startDate }, "startDate"],
        ];
        for (const [query, field] of refused) {
          const reply = await send(target, {
            path: `/billing/usage-analytics?${new URLSearchParams(query)}`,
          });
          assert.equal(reply.status, 400, JSON.stringify(query));
          const error = await unsentFailureOf(target, () => api.billing.analytics(query));
          assert.equal(error.details.issues?.[0]?.field, field);
        }
      },
    },
  ],
};

/** GET /billing/balance (wire.md section 6). */
export const balance: RowSuite = {
  sample: {},
  only: "venice",
  rules: {},
  reply: {
    nullable: [
      ...["canConsume", "consumptionCurrency", "balances", "balances.diem", "balances.usd"],
      "diemEpochAllocation",
    ],
    required: [],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "decreases by the cost of a call, as the header before it and the rate limits report",
      async run({ api, target }) {
        const before = (await api.billing.balance({})).balances;
        const reply = await send(target, { path: "/chat/completions", body: question });
        const { cost } = reply.json as { cost: { usd: number } };
        const after = (await api.billing.balance({})).balances;
        const spent = (before?.usd ?? 0) + (before?.diem ?? 0) - (after?.usd ?? 0) - (after?.diem ?? 0);
        assert.ok(cost.usd > 0 && Math.abs(spent - cost.usd) < 1e-9, `${spent} for ${cost.usd}`);
        assert.equal(headerOf(reply, "usd"), before?.usd);
        assert.equal(headerOf(reply, "diem"), before?.diem);
        const { balances } = (await api.account.rateLimits({})).data;
        assert.deepEqual(balances, { USD: after?.usd, DIEM: after?.diem });
      },
    },
    {
      name: "spends DIEM first, from the daily allocation",
      async run({ api }) {
        const { canConsume, consumptionCurrency, diemEpochAllocation } = await api.billing.balance({});
        assert.deepEqual([canConsume, consumptionCurrency, diemEpochAllocation], [true, "DIEM", 10]);
      },
    },
  ],
};

function headerOf({ headers }: WireReply, currencyName: "usd" | "diem"): number {
  return Number(headers.get(`x-venice-balance-${currencyName}`));
}

import assert from "node:assert/strict";
import type { RowSuite } from "../suite/suite.ts";
import { send } from "../suite/wire.ts";

/** GET /api_keys/rate_limits (spec E14, wire.md section 6). */
export const rateLimits: RowSuite = {
  sample: {},
  rules: {},
  reply: {
    nullable: [
      ...["accessPermitted", "apiTier", "balances", "keyExpiration", "nextEpochBegins", "rateLimits"],
      ...["apiTier.isCharged", "balances.USD", "balances.DIEM"],
    ].map((path) => `data.${path}`),
    required: ["data", "data.apiTier.id"],
    tolerant: ["data.rateLimits", "data.rateLimits.0.rateLimits"],
  },
  everywhere: [
    {
      name: "lists the limits of each model",
      async run({ api }) {
        const { data } = await api.account.rateLimits({});
        assert.ok((data.rateLimits ?? []).length > 0);
        for (const { apiModelId, rateLimits: limits } of data.rateLimits ?? []) {
          assert.ok(
            limits.every(({ amount }) => amount > 0),
            apiModelId,
          );
        }
      },
    },
  ],
  sandboxed: [
    {
      name: "has the spec's default tiers",
      async run({ api }) {
        const { data } = await api.account.rateLimits({});
        const of = (id: string) => data.rateLimits?.find(({ apiModelId }) => apiModelId === id)?.rateLimits;
        const text = (requests: number, tokens: number) => [
          { amount: requests, type: "RPM" },
          { amount: tokens, type: "TPM" },
        ];
        assert.deepEqual(of("echo"), text(500, 1_000_000));
        assert.deepEqual(of("guide"), text(75, 750_000));
        assert.deepEqual(of("thinker"), text(50, 750_000));
        assert.deepEqual(of("guide-classic"), text(20, 500_000));
        assert.deepEqual(of("canvas"), [{ amount: 20, type: "RPM" }]);
        assert.deepEqual(of("speaker"), [{ amount: 60, type: "RPM" }]);
      },
    },
    {
      name: "starts the next epoch at the following UTC midnight",
      async run({ api }) {
        const { data } = await api.account.rateLimits({});
        assert.match(data.nextEpochBegins ?? "", /T00:00:00\.000Z$/);
        assert.equal(data.keyExpiration, null);
      },
    },
  ],
};

/** GET /api_keys/rate_limits/log (wire.md section 6). */
export const rateLimitLog: RowSuite = {
  sample: {},
  only: "venice",
  rules: {},
  // Nothing else has been refused when the log is read; the case below checks its rows.
  reply: { nullable: [], required: ["data"], tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "lists the requests that a limit refused",
      async run({ target, api }) {
        const body = { model: "guide-classic", messages: [{ role: "user", content: "hi" }] };
        const before = (await api.account.rateLimitLog({})).data.length;
        for (let count = 0; count <= 20; count++) await send(target, { path: "/chat/completions", body });
        const { data } = await api.account.rateLimitLog({});
        assert.equal(data.length, before + 1);
        assert.equal(data[0]?.modelId, "guide-classic");
        assert.equal(data[0]?.rateLimitType, "RPM");
      },
    },
  ],
};

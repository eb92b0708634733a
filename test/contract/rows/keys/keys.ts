import assert from "node:assert/strict";
import { type CallCase, failureOf, type RowSuite } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import {
  chatWith,
  descriptionRule,
  expiryRule,
  limitRule,
  newKey,
  newKeyId,
  periodRule,
  privacyRule,
  readForm,
} from "./keyKit.ts";

/** GET /api_keys/{id} (spec E12). */
export const read: RowSuite = {
  sample: async (target) => ({ id: await newKeyId(target) }),
  rules: { id: { good: [], bad: [], unfit: ["no-such-key", "a/b"], status: 404 } },
  reply: {
    nullable: readForm.nullable.map((path) => `data.${path}`),
    required: ["data", ...readForm.required.map((path) => `data.${path}`)],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "returns the key in its read form",
      async run({ target, api }) {
        const expiresAt = "2031-02-03T04:05:06.000Z";
        const { id, apiKey } = await newKey({ api }, { consumptionLimit: { usd: 7 }, expiresAt });
        const { data } = await api.keys.read({ id });
        assert.deepEqual([data.id, data.apiKeyType, data.description], [id, "INFERENCE", "contract"]);
        assert.equal(data.consumptionLimits?.usd, 7);
        assert.equal(data.limitPeriod, "EPOCH");
        assert.equal(data.expiresAt, expiresAt);
        assert.ok(Math.abs(Date.parse(data.createdAt ?? "") - target.now()) < 60_000);
        assert.equal(data.lastUsedAt, null);
        assert.deepEqual(data.usage?.trailingSevenDays, { usd: "0", vcu: "0", diem: "0" });
        await chatWith(target, apiKey);
        const used = (await api.keys.read({ id })).data;
        assert.notEqual(used.lastUsedAt, null);
        const { usd, diem } = used.usage?.trailingSevenDays ?? {};
        assert.ok(Number(usd) + Number(diem) > 0);
      },
    },
    {
      name: "refuses an unknown key",
      async run({ api }) {
        for (const id of ["no-such-key", "a/b", "%2e%2e"]) {
          assert.equal((await failureOf(api.keys.read({ id }))).kind, "not-found", id);
        }
      },
    },
    {
      name: "is not confused with another path",
      async run({ target, api }) {
        const sent = target.sandbox.requestCount;
        for (const id of ["", ".", ".."]) {
          assert.equal((await failureOf(api.keys.read({ id }))).kind, "invalid-request", id);
        }
        assert.equal(target.sandbox.requestCount, sent);
      },
    },
  ],
};

/** GET /api_keys (wire.md section 6). */
export const list: RowSuite = {
  sample: {},
  only: "venice",
  rules: {},
  reply: {
    nullable: readForm.nullable.map((path) => `data.0.${path}`),
    required: ["data"],
    tolerant: ["data"],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "lists the keys that are not revoked, without secrets",
      async run({ target, api }) {
        const [stored, revoked] = [await newKey({ api }), await newKey({ api })];
        await api.keys.revoke({ id: revoked.id });
        const { data } = await api.keys.list({});
        const ids = data.map(({ id }) => id);
        assert.ok(ids.includes(stored.id) && !ids.includes(revoked.id));
        const own = [stored.apiKey, target.sandbox.apiKey, target.sandbox.inferenceKey];
        assert.ok(own.every((secret) => !JSON.stringify(data).includes(secret)));
        assert.ok(data.some(({ apiKeyType }) => apiKeyType === "ADMIN"));
      },
    },
  ],
};

const revokedCase: CallCase<SandboxTarget> = {
  name: "does not find a revoked key",
  async run({ api }) {
    const { id } = await newKey({ api });
    await api.keys.revoke({ id });
    for (const call of [api.keys.read, api.keys.update, api.keys.revoke]) {
      assert.equal((await failureOf(call({ id }))).kind, "not-found");
    }
  },
};

/** PATCH /api_keys (wire.md section 6). */
export const update: RowSuite = {
  sample: async (target) => ({ id: await newKeyId(target) }),
  only: "venice",
  rules: (dialect) => ({
    id: { good: [], bad: ["", 7] },
    description: descriptionRule(dialect, [7]),
    expiresAt: expiryRule(dialect),
    consumptionLimit: { ...limitRule(dialect), good: [...limitRule(dialect).good, { usd: null }] },
    limitPeriod: periodRule,
    modelPrivacy: privacyRule(dialect),
  }),
  reply: { nullable: ["success"], required: [], tolerant: [] },
  everywhere: [],
  sandboxed: [
    revokedCase,
    {
      name: "changes only the given members",
      async run({ api }) {
        const { id } = await newKey({ api }, { consumptionLimit: { usd: 1, diem: 2 }, limitPeriod: "MONTH" });
        await api.keys.update({ id, description: "renamed", consumptionLimit: { usd: 3 } });
        const { data } = await api.keys.read({ id });
        assert.equal(data.description, "renamed");
        assert.deepEqual([data.consumptionLimits, data.limitPeriod], [{ usd: 3, diem: 2 }, "MONTH"]);
      },
    },
    {
      name: "with success false is a failure",
      async run({ target, api }) {
        const { id } = await newKey({ api });
        const edit = (reply: unknown) => ({ ...(reply as object), success: false });
        target.sandbox.setFaults([{ match: { path: "/api_keys" }, kind: "edit", edit }]);
        for (const call of [api.keys.update, api.keys.revoke])
          assert.match(
            (await failureOf(call({ id }))).message,
            /the service did not (change|revoke) the key/,
          );
      },
    },
    {
      name: "removes a limit, a date and a period",
      async run({ target, api }) {
        const before = { consumptionLimit: { usd: 0, diem: 0 }, expiresAt: "2031-01-01" };
        const { id, apiKey } = await newKey({ api }, before);
        assert.equal((await chatWith(target, apiKey)).status, 402);
        // Null removes a limit; only the schema of this request allows it.
        const lifted = { usd: null, diem: null };
        await api.keys.update({ id, consumptionLimit: lifted, expiresAt: "", limitPeriod: "LIFETIME" });
        assert.equal((await chatWith(target, apiKey)).status, 200);
        const { data } = await api.keys.read({ id });
        assert.deepEqual([data.expiresAt, data.limitPeriod], [null, "LIFETIME"]);
        assert.deepEqual(data.consumptionLimits, lifted);
      },
    },
  ],
};

/** DELETE /api_keys?id= (wire.md section 6). */
export const revoke: RowSuite = {
  sample: async (target) => ({ id: await newKeyId(target) }),
  only: "venice",
  rules: { id: { good: [], bad: [""] } },
  reply: { nullable: ["success"], required: [], tolerant: [] },
  everywhere: [],
  sandboxed: [
    revokedCase,
    {
      name: "revokes the key at once",
      async run({ target, api }) {
        const { id, apiKey } = await newKey({ api });
        assert.equal((await chatWith(target, apiKey)).status, 200);
        await api.keys.revoke({ id });
        assert.equal((await chatWith(target, apiKey)).status, 401);
      },
    },
  ],
};

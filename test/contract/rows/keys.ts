import assert from "node:assert/strict";
import type { DialectId } from "../../../src/api/dialect.ts";
import { type CallCase, failureOf, type RowSuite, type World } from "../suite.ts";
import type { SandboxTarget } from "../target.ts";
import { errorText, send } from "../wire.ts";

const wanted = { apiKeyType: "INFERENCE", description: "contract" } as const;

/** A new key for one case. */
async function made({ api }: Pick<World, "api">, more: object = {}) {
  const { data } = await api.keys.create({ ...wanted, ...more });
  return data;
}

/** The id of a new key, created without the client. */
async function newId(target: SandboxTarget): Promise<string> {
  const { json } = await send(target, { path: "/api_keys", body: wanted });
  return (json as { data: { id: string } }).data.id;
}

/** Rules of each dialect for a key (spec E6; wire.md section 11). */
const isVenice = (dialect: DialectId) => dialect === "venice";
const limits = (dialect: DialectId) => ({
  good: [{}, { usd: 1 }, { usd: 0, diem: 0.5, vcu: 2 }, { usd: 1_000_000 }],
  bad: [{ usd: -1 }, { usd: "1" }, { eur: 1 }, 5, ...(isVenice(dialect) ? [{ usd: 10_000_000_000 }] : [])],
});
const description = (dialect: DialectId, bad: readonly unknown[]) => ({
  good: ["", "a key", "日本", "x".repeat(64), ...(isVenice(dialect) ? [] : ["x".repeat(65)])],
  bad: [...bad, ...(isVenice(dialect) ? ["x".repeat(65)] : [])],
});
const modelPrivacy = (dialect: DialectId) =>
  isVenice(dialect)
    ? { good: ["ALL", "PRIVATE_TEXT", "PRIVATE_ONLY"], bad: ["NONE", 1] }
    : { good: [], bad: ["ALL"] };
const period = { good: ["EPOCH", "MONTH", "LIFETIME"], bad: ["WEEK", "month", 1] };
const expiry = (dialect: DialectId) => {
  const finer = ["2030-01-01T10:00:00.000+02:00", "2030-01-01T10:00:00.123456Z"];
  return {
    good: [
      "2030-01-01",
      "2030-01-01T10:00:00Z",
      "2030-01-01T10:00:00.000Z",
      "",
      ...(isVenice(dialect) ? [] : finer),
    ],
    bad: ["tomorrow", "2030-13-01", 1_900_000_000, ...(isVenice(dialect) ? finer : [])],
  };
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const readable = {
  nullable: [
    ...["apiKeyType", "description", "consumptionLimits", "limitPeriod", "expiresAt", "createdAt"],
    ...["lastUsedAt", "last6Chars", "usage", "usage.trailingSevenDays", "usage.trailingSevenDays.usd"],
  ],
  required: ["id"],
};

async function ask(target: SandboxTarget, key: string) {
  const body = { model: "echo", messages: [{ role: "user", content: "hi" }] };
  return send(target, { path: "/chat/completions", body, key });
}

/** POST /api_keys (spec E6). */
export const create: RowSuite = {
  sample: wanted,
  rules: (dialect) => ({
    apiKeyType: { good: ["INFERENCE", "ADMIN"], bad: ["ROOT", "admin", null, 1] },
    description: description(dialect, [null, 7]),
    consumptionLimit: limits(dialect),
    limitPeriod: period,
    expiresAt: expiry(dialect),
    modelPrivacy: modelPrivacy(dialect),
  }),
  reply: {
    nullable: ["apiKeyType", "description", "consumptionLimit", "limitPeriod", "expiresAt"].map(
      (path) => `data.${path}`,
    ),
    required: ["success", "data", "data.id", "data.apiKey"],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "returns the secret once, with the given members",
      async run({ api }) {
        const limit = { usd: 2.5, diem: 1 };
        const { success, data } = await api.keys.create({
          ...wanted,
          consumptionLimit: limit,
          limitPeriod: "MONTH",
        });
        assert.equal(success, true);
        assert.match(data.id, uuid);
        assert.deepEqual([data.apiKeyType, data.description], ["INFERENCE", "contract"]);
        assert.deepEqual([data.consumptionLimit, data.limitPeriod, data.expiresAt], [limit, "MONTH", ""]);
        const read = await api.keys.read({ id: data.id });
        assert.ok(!JSON.stringify(read).includes(data.apiKey));
        assert.equal(read.data.last6Chars, data.apiKey.slice(-6));
      },
    },
    {
      name: "creates keys with the permissions of their type",
      async run({ target, api }) {
        const [inference, admin] = [await made({ api }), await made({ api }, { apiKeyType: "ADMIN" })];
        const statusOf = async (key: string) =>
          (await send(target, { path: "/billing/usage-analytics", key })).status;
        assert.deepEqual([await statusOf(inference.apiKey), await statusOf(admin.apiKey)], [401, 200]);
        assert.equal((await ask(target, inference.apiKey)).status, 200);
      },
    },
    {
      name: "limits the spending of a key in its period",
      async run({ target, api }) {
        const { apiKey } = await made({ api }, { consumptionLimit: { usd: 1e-6, diem: 1e-6 } });
        assert.equal((await ask(target, apiKey)).status, 200);
        const refused = await ask(target, apiKey);
        assert.equal(refused.status, 402);
        assert.match(errorText(refused.json), /limit/);
        const free = await send(target, { path: "/api_keys/rate_limits", key: apiKey });
        assert.equal(free.status, 200, "what costs nothing is still served");
      },
    },
    {
      name: "accepts vcu as the former name of diem",
      async run({ api }) {
        const { consumptionLimit } = await made({ api }, { consumptionLimit: { vcu: 3 } });
        assert.equal(consumptionLimit?.diem, 3);
      },
    },
    {
      name: "refuses models that a key's model privacy excludes, on venice",
      async run({ target, api }) {
        const { modelPrivacy: usual } = (await api.keys.read({ id: (await made({ api })).id })).data;
        assert.equal(usual, target.dialect.id === "venice" ? "ALL" : undefined);
        if (usual === undefined) return;
        const statusOf = async (modelPrivacy: string, model: string) => {
          const { apiKey } = await made({ api }, { modelPrivacy });
          const body = { model, messages: [{ role: "user", content: "hi" }] };
          return (await send(target, { path: "/chat/completions", body, key: apiKey })).status;
        };
        const all = ["ALL", "PRIVATE_TEXT", "PRIVATE_ONLY"];
        const anonymized = await Promise.all(all.map((privacy) => statusOf(privacy, "guide-classic")));
        const own = await Promise.all(all.map((privacy) => statusOf(privacy, "echo")));
        assert.deepEqual(
          [anonymized, own],
          [
            [200, 403, 403],
            [200, 200, 200],
          ],
        );
        const { id } = await made({ api });
        await api.keys.update({ id, modelPrivacy: "PRIVATE_ONLY" });
        assert.equal((await api.keys.read({ id })).data.modelPrivacy, "PRIVATE_ONLY");
      },
    },
    {
      name: "ends a key at its expiry; an empty expiry means never",
      async run({ target, api }) {
        const soon = new Date(target.now() + 30_000).toISOString();
        const { apiKey } = await made({ api }, { expiresAt: soon });
        const forever = await made({ api }, { expiresAt: "" });
        const statuses = async () => {
          const replies = await Promise.all(
            [apiKey, forever.apiKey].map((key) => send(target, { path: "/api_keys/rate_limits", key })),
          );
          return replies.map(({ status }) => status);
        };
        assert.deepEqual(await statuses(), [200, 200]);
        await target.settle();
        assert.deepEqual(await statuses(), [401, 200]);
      },
    },
    {
      name: "is limited to 20 a minute and reports the reset time",
      async run({ target, api }) {
        const create = () => send(target, { path: "/api_keys", body: wanted });
        for (let count = 0; count < 20; count++) assert.equal((await create()).status, 200, String(count));
        const refused = await create();
        assert.equal(refused.status, 429);
        assert.equal(refused.headers.get("x-ratelimit-limit-requests"), "20");
        assert.equal(refused.headers.get("x-ratelimit-remaining-requests"), "0");
        await api.models.list({});
        await target.settle();
        assert.equal((await create()).status, 200);
      },
    },
    {
      name: "is never resent: each success is another key",
      async run({ target, api }) {
        for (const status of [500, 502, 504]) {
          target.sandbox.setFaults([{ kind: "status", status, late: true }]);
          const sent = target.sandbox.requestCount;
          await failureOf(made({ api }));
          assert.equal(target.sandbox.requestCount, sent + 1, String(status));
        }
      },
    },
  ],
};

/** GET /api_keys/{id} (spec E12). */
export const read: RowSuite = {
  sample: async (target) => ({ id: await newId(target) }),
  rules: { id: { good: [], bad: [], unfit: ["no-such-key", "a/b"], status: 404 } },
  reply: {
    nullable: readable.nullable.map((path) => `data.${path}`),
    required: ["data", ...readable.required.map((path) => `data.${path}`)],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "returns the key in its read form",
      async run({ target, api }) {
        const expiresAt = "2031-02-03T04:05:06.000Z";
        const { id, apiKey } = await made({ api }, { consumptionLimit: { usd: 7 }, expiresAt });
        const { data } = await api.keys.read({ id });
        assert.deepEqual([data.id, data.apiKeyType, data.description], [id, "INFERENCE", "contract"]);
        assert.equal(data.consumptionLimits?.usd, 7);
        assert.equal(data.limitPeriod, "EPOCH");
        assert.equal(data.expiresAt, expiresAt);
        assert.ok(Math.abs(Date.parse(data.createdAt ?? "") - target.now()) < 60_000);
        assert.equal(data.lastUsedAt, null);
        assert.deepEqual(data.usage?.trailingSevenDays, { usd: "0", vcu: "0", diem: "0" });
        await ask(target, apiKey);
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
    nullable: readable.nullable.map((path) => `data.0.${path}`),
    required: ["data"],
    tolerant: ["data"],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "lists the keys that are not revoked, without secrets",
      async run({ target, api }) {
        const [stored, revoked] = [await made({ api }), await made({ api })];
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

const gone: CallCase<SandboxTarget> = {
  name: "does not find a revoked key",
  async run({ api }) {
    const { id } = await made({ api });
    await api.keys.revoke({ id });
    for (const call of [api.keys.read, api.keys.update, api.keys.revoke]) {
      assert.equal((await failureOf(call({ id }))).kind, "not-found");
    }
  },
};

/** PATCH /api_keys (wire.md section 6). */
export const update: RowSuite = {
  sample: async (target) => ({ id: await newId(target) }),
  only: "venice",
  rules: (dialect) => ({
    id: { good: [], bad: ["", 7] },
    description: description(dialect, [7]),
    expiresAt: expiry(dialect),
    consumptionLimit: { ...limits(dialect), good: [...limits(dialect).good, { usd: null }] },
    limitPeriod: period,
    modelPrivacy: modelPrivacy(dialect),
  }),
  reply: { nullable: ["success"], required: [], tolerant: [] },
  everywhere: [],
  sandboxed: [
    gone,
    {
      name: "changes only the given members",
      async run({ api }) {
        const { id } = await made({ api }, { consumptionLimit: { usd: 1, diem: 2 }, limitPeriod: "MONTH" });
        await api.keys.update({ id, description: "renamed", consumptionLimit: { usd: 3 } });
        const { data } = await api.keys.read({ id });
        assert.equal(data.description, "renamed");
        assert.deepEqual([data.consumptionLimits, data.limitPeriod], [{ usd: 3, diem: 2 }, "MONTH"]);
      },
    },
    {
      name: "removes a limit, a date and a period",
      async run({ target, api }) {
        const before = { consumptionLimit: { usd: 0, diem: 0 }, expiresAt: "2031-01-01" };
        const { id, apiKey } = await made({ api }, before);
        assert.equal((await ask(target, apiKey)).status, 402);
        // Null removes a limit; only the schema of this request allows it.
        const lifted = { usd: null, diem: null };
        await api.keys.update({ id, consumptionLimit: lifted, expiresAt: "", limitPeriod: "LIFETIME" });
        assert.equal((await ask(target, apiKey)).status, 200);
        const { data } = await api.keys.read({ id });
        assert.deepEqual([data.expiresAt, data.limitPeriod], [null, "LIFETIME"]);
        assert.deepEqual(data.consumptionLimits, lifted);
      },
    },
  ],
};

/** DELETE /api_keys?id= (wire.md section 6). */
export const revoke: RowSuite = {
  sample: async (target) => ({ id: await newId(target) }),
  only: "venice",
  rules: { id: { good: [], bad: [""] } },
  reply: { nullable: ["success"], required: [], tolerant: [] },
  everywhere: [],
  sandboxed: [
    gone,
    {
      name: "revokes the key at once",
      async run({ target, api }) {
        const { id, apiKey } = await made({ api });
        assert.equal((await ask(target, apiKey)).status, 200);
        await api.keys.revoke({ id });
        assert.equal((await ask(target, apiKey)).status, 401);
      },
    },
  ],
};

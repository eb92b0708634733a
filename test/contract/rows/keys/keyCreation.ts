import assert from "node:assert/strict";
import { failureOf, type RowSuite } from "../../suite/suite.ts";
import { errorText, send } from "../../suite/wire.ts";
import {
  chatWith,
  descriptionRule,
  expiryRule,
  keyInput,
  limitRule,
  newKey,
  periodRule,
  privacyRule,
} from "./keyKit.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** POST /api_keys (spec E6). */
export const create: RowSuite = {
  sample: keyInput,
  rules: (dialect) => ({
    apiKeyType: { good: ["INFERENCE", "ADMIN"], bad: ["ROOT", "admin", null, 1] },
    description: descriptionRule(dialect, [null, 7]),
    consumptionLimit: limitRule(dialect),
    limitPeriod: periodRule,
    expiresAt: expiryRule(dialect),
    modelPrivacy: privacyRule(dialect),
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
          ...keyInput,
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
        const [inference, admin] = [await newKey({ api }), await newKey({ api }, { apiKeyType: "ADMIN" })];
        const statusOf = async (key: string) =>
          (await send(target, { path: "/billing/usage-analytics", key })).status;
        assert.deepEqual([await statusOf(inference.apiKey), await statusOf(admin.apiKey)], [401, 200]);
        assert.equal((await chatWith(target, inference.apiKey)).status, 200);
      },
    },
    {
      name: "limits the spending of a key in its period",
      async run({ target, api }) {
        const { apiKey } = await newKey({ api }, { consumptionLimit: { usd: 1e-6, diem: 1e-6 } });
        assert.equal((await chatWith(target, apiKey)).status, 200);
        const refused = await chatWith(target, apiKey);
        assert.equal(refused.status, 402);
        assert.match(errorText(refused.json), /limit/);
        const free = await send(target, { path: "/api_keys/rate_limits", key: apiKey });
        assert.equal(free.status, 200, "free calls are still served");
      },
    },
    {
      name: "keeps a limit in the deprecated vcu",
      async run({ api }) {
        const { id, consumptionLimit } = await newKey({ api }, { consumptionLimit: { vcu: 3 } });
        assert.deepEqual(consumptionLimit, { usd: null, diem: null, vcu: 3 });
        assert.equal((await api.keys.read({ id })).data.consumptionLimits?.vcu, 3);
      },
    },
    {
      name: "refuses an expiry in the past, and names the field",
      async run({ target, api }) {
        const past = new Date(target.now() - 1000).toISOString();
        const failure = await failureOf(newKey({ api }, { expiresAt: past }));
        assert.equal(failure.kind, "invalid-request");
        assert.deepEqual(failure.details.issues, [
          { field: "expiresAt", message: `must be in the future; ${past} has passed` },
        ]);
      },
    },
    {
      name: "refuses models that a key's model privacy excludes, on venice",
      async run({ target, api }) {
        const { modelPrivacy: usual } = (await api.keys.read({ id: (await newKey({ api })).id })).data;
        assert.equal(usual, target.dialect.id === "venice" ? "ALL" : undefined);
        if (usual === undefined) return;
        const statusOf = async (modelPrivacy: string, model: string) => {
          const { apiKey } = await newKey({ api }, { modelPrivacy });
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
        const { id } = await newKey({ api });
        await api.keys.update({ id, modelPrivacy: "PRIVATE_ONLY" });
        assert.equal((await api.keys.read({ id })).data.modelPrivacy, "PRIVATE_ONLY");
      },
    },
    {
      name: "ends a key at its expiry; an empty expiry means never",
      async run({ target, api }) {
        const soon = new Date(target.now() + 30_000).toISOString();
        const { apiKey } = await newKey({ api }, { expiresAt: soon });
        const forever = await newKey({ api }, { expiresAt: "" });
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
        const create = () => send(target, { path: "/api_keys", body: keyInput });
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
      name: "with success false is a failure, not a key",
      async run({ target, api }) {
        target.sandbox.setFaults([
          {
            match: { path: "/api_keys" },
            kind: "edit",
            edit: (reply) => ({ ...(reply as object), success: false }),
          },
        ]);
        const failure = await failureOf(newKey({ api }));
        assert.equal(failure.kind, "malformed-response");
        assert.match(failure.message, /the service made no key/);
      },
    },
    {
      name: "is never resent: each success is another key",
      async run({ target, api }) {
        for (const status of [500, 502, 504]) {
          target.sandbox.setFaults([{ kind: "status", status, late: true }]);
          const sent = target.sandbox.requestCount;
          await failureOf(newKey({ api }));
          assert.equal(target.sandbox.requestCount, sent + 1, String(status));
        }
      },
    },
  ],
};

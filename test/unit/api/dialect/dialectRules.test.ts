// Public rows: a key is sent if there is one, because callers with a key get more (wire.md section 11).
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { table } from "../../../../src/api/table.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { canary, clientOf, serve } from "../client.ts";

const reply = { data: [], networks: [] };
type Api = ReturnType<typeof clientOf>["api"];

const calls: Readonly<
  Record<string, { readonly body: object; readonly send: (api: Api) => Promise<unknown> }>
> = {
  "models.list": { body: reply, send: (api) => api.models.list({}) },
  "models.read": { body: { id: "guide" }, send: (api) => api.models.read({ id: "guide" }) },
  "models.traits": { body: { data: {} }, send: (api) => api.models.traits({}) },
  "models.compatibilityMapping": { body: { data: {} }, send: (api) => api.models.compatibilityMapping({}) },
  "rpc.networks": { body: { networks: ["base-mainnet"] }, send: (api) => api.rpc.networks({}) },
};

test("the list is complete", () => {
  const found = Object.entries(table).flatMap(([resource, rows]) =>
    Object.entries(rows).flatMap(([name, { auth }]) => (auth === "public" ? [`${resource}.${name}`] : [])),
  );
  assert.deepEqual(found.sort(), Object.keys(calls).sort());
});

for (const [name, { body, send }] of Object.entries(calls)) {
  const noKey = async (): Promise<string> => {
    throw new ApiError("unauthorized", "no key is stored");
  };
  for (const [what, apiKey, sent] of [
    ["sends the key", async () => canary, `Bearer ${canary}`],
    ["sends no key without one", async () => undefined, undefined],
    ["sends no key if reading it fails", noKey, undefined],
  ] as const) {
    test(`${name}: ${what}`, async (t) => {
      const server = await serve(t, (_, response) => sendJson(response, 200, body));
      const { api } = clientOf(t, server.origin, { apiKey });
      await send(api);
      assert.equal(server.received[0]?.headers.authorization, sent);
    });
  }
}

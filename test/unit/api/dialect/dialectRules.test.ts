// Public rows: a key is sent if there is one, because callers with a key get more (wire.md section 11).
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { table } from "../../../../src/api/table.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { canary, clientOf, serve } from "../client.ts";

const reply = { data: [], networks: [] };
const calls = {
  "models.list": { ...reply },
  "models.traits": { data: {} },
  "models.compatibilityMapping": { data: {} },
  "rpc.networks": { networks: ["base-mainnet"] },
};

test("the list is complete", () => {
  const found = Object.entries(table).flatMap(([resource, rows]) =>
    Object.entries(rows).flatMap(([name, { auth }]) => (auth === "public" ? [`${resource}.${name}`] : [])),
  );
  assert.deepEqual(found.sort(), Object.keys(calls).sort());
});

for (const [name, body] of Object.entries(calls)) {
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
      const [resource, call] = name.split(".") as ["models", "list"];
      await api[resource][call]({});
      assert.equal(server.received[0]?.headers.authorization, sent);
    });
  }
}

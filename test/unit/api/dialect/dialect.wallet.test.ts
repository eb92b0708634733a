import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { canary, clientOf, failureOf, serve } from "../client.ts";

const walletSignIn = "eyJhZGRyZXNzIjoiMHgwMSJ9";
const item = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" } as const;

for (const dialect of Object.values(dialects)) {
  test(`${dialect.id}: sends a wallet's sign-in in its own header, without the key`, async (t) => {
    const server = await serve(t, (_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
    const { api } = clientOf(t, server.origin, { dialect });
    await api.rpc.call({ network: "base-mainnet", body: item }, { walletSignIn });
    const headers = server.received[0]?.headers;
    assert.equal(headers?.[dialect.walletHeader.toLowerCase()], walletSignIn);
    assert.equal(headers?.authorization, undefined);
    assert.equal(JSON.stringify(headers).includes(canary), false);
  });
}

test("a sign-in is valid for one request: nothing is resent, and no error contains it", async (t) => {
  const server = await serve(t, (request, response) => {
    response.statusCode = 503;
    response.end(JSON.stringify({ error: `no room for ${request.headers["x-sign-in-with-x"]}` }));
  });
  const { api } = clientOf(t, server.origin);
  const error = await failureOf(api.rpc.call({ network: "base-mainnet", body: item }, { walletSignIn }));
  assert.equal(error.kind, "unavailable");
  assert.equal(server.received.length, 1);
  assert.equal(JSON.stringify([error.message, error.details]).includes(walletSignIn), false);
});

test("rows that require a key refuse a wallet before anything is sent", async (t) => {
  const server = await serve(t, (_, response) => response.end("{}"));
  const { api } = clientOf(t, server.origin);
  const error = await failureOf(api.account.rateLimits({}, { walletSignIn }));
  assert.deepEqual([error.kind, error.details.issues?.[0]?.field], ["invalid-request", "walletSignIn"]);
  assert.equal(server.received.length, 0);
});

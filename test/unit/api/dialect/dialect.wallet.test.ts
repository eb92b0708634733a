import assert from "node:assert/strict";
import { test } from "node:test";
import type { AskedSignIn } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { canary, clientOf, failureOf, serve } from "../client.ts";

const item = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" } as const;
const call = { network: "base-mainnet", body: item };
const good = '{"jsonrpc":"2.0","id":1,"result":"0x1"}';

/** Signs with a new value each time, and keeps what it was asked. */
function signer() {
  const asked: AskedSignIn[] = [];
  const walletSignIn = async (request: AskedSignIn) => `eyJhZGRyZXNzIjoiMHgwMSJ9-${asked.push(request)}`;
  return { asked, walletSignIn };
}

for (const dialect of Object.values(dialects)) {
  test(`${dialect.id}: sends a wallet's sign-in in its own header, without the key`, async (t) => {
    const server = await serve(t, (_, response) => response.end(good));
    const { walletSignIn } = signer();
    const { api } = clientOf(t, server.origin, { dialect, walletSignIn });
    await api.rpc.call(call);
    const headers = server.received[0]?.headers;
    assert.equal(headers?.[dialect.walletHeader.toLowerCase()], "eyJhZGRyZXNzIjoiMHgwMSJ9-1");
    assert.equal(headers?.authorization, undefined);
    assert.equal(JSON.stringify(headers).includes(canary), false);
  });
}

test("rows that a wallet can't pay send the key, and no wallet is asked", async (t) => {
  const server = await serve(t, (_, response) => response.end('{"data":{}}'));
  const { asked, walletSignIn } = signer();
  const { api } = clientOf(t, server.origin, { walletSignIn });
  await api.account.rateLimits({});
  assert.equal(server.received[0]?.headers.authorization, `Bearer ${canary}`);
  assert.equal(server.received[0]?.headers["x-sign-in-with-x"], undefined);
  assert.equal(asked.length, 0);
});

test("a request that may have been billed is not sent again, and no error contains the sign-in", async (t) => {
  const server = await serve(t, (request, response) => {
    response.statusCode = 502;
    response.end(JSON.stringify({ error: `no room for ${request.headers["x-sign-in-with-x"]}` }));
  });
  const { walletSignIn } = signer();
  const { api } = clientOf(t, server.origin, { walletSignIn });
  const error = await failureOf(api.rpc.call(call));
  assert.equal(error.kind, "unavailable");
  assert.equal(server.received.length, 1);
  assert.equal(JSON.stringify([error.message, error.details]).includes("eyJh"), false);
});

test("after a 503 it is sent again, with a new sign-in and the same bytes", async (t) => {
  const server = await serve(t, (_, response) => {
    response.statusCode = server.received.length === 1 ? 503 : 200;
    response.end(good);
  });
  const { walletSignIn } = signer();
  const { api } = clientOf(t, server.origin, { walletSignIn });
  await api.rpc.call(call);
  const values = server.received.map(({ headers }) => headers["x-sign-in-with-x"]);
  assert.deepEqual(values, ["eyJhZGRyZXNzIjoiMHgwMSJ9-1", "eyJhZGRyZXNzIjoiMHgwMSJ9-2"]);
});

test("an expired or used sign-in is asked for again once, with the refusal", async (t) => {
  const server = await serve(t, (_, response) => {
    response.statusCode = 401;
    response.end('{"error":"The wallet sign-in has expired","code":"X402_SIGN_IN_EXPIRED"}');
  });
  const { asked, walletSignIn } = signer();
  const { api } = clientOf(t, server.origin, { walletSignIn });
  const error = await failureOf(api.rpc.call(call));
  assert.deepEqual([error.kind, error.details.serviceCode], ["unauthorized", "X402_INVALID_SIGN_IN"]);
  assert.equal(server.received.length, 2);
  assert.deepEqual(
    asked.map(({ refused }) => refused?.message),
    [undefined, "The wallet sign-in has expired"],
  );
});

test("any 401 to a wallet is about its sign-in, not about a key", async (t) => {
  const server = await serve(t, (_, response) => {
    response.statusCode = 401;
    response.end('{"error":"Authentication failed"}');
  });
  const { api } = clientOf(t, server.origin, { walletSignIn: signer().walletSignIn });
  assert.equal((await failureOf(api.rpc.call(call))).details.serviceCode, "X402_INVALID_SIGN_IN");
});

test("a call that is cancelled while its wallet signs ends at once, and nothing is sent", async (t) => {
  const server = await serve(t, (_, response) => response.end(good));
  const stop = new AbortController();
  const { api } = clientOf(t, server.origin, {
    walletSignIn: () => {
      stop.abort();
      return new Promise(() => {});
    },
  });
  assert.equal((await failureOf(api.rpc.call(call, { signal: stop.signal }))).kind, "cancelled");
  assert.equal(server.received.length, 0);
});

test("a call that waited for its wallet is judged again before it is sent", async (t) => {
  const server = await serve(t, (_, response) => response.end(good));
  const steps: string[] = [];
  const { api } = clientOf(t, server.origin, {
    walletSignIn: async () => {
      steps.push("sign");
      return "eyJh";
    },
    admit: async () => {
      steps.push("admit");
      return "hold";
    },
    admitAgain: async () => void steps.push("again"),
  });
  await api.rpc.call(call);
  assert.deepEqual(steps, ["admit", "sign", "again"]);
});

test("a redirect does not get the sign-in", async (t) => {
  const other = await serve(t, (_, response) => response.end(good));
  const server = await serve(t, (_, response) => {
    response.writeHead(307, { location: `${other.origin}/api/v1/crypto/rpc/base-mainnet` });
    response.end();
  });
  const { api } = clientOf(t, server.origin, { walletSignIn: signer().walletSignIn });
  assert.equal((await failureOf(api.rpc.call(call))).details.reason, "redirect");
  assert.equal(other.received.length, 0);
});

test("the account of a wallet is not asked for with a key", async (t) => {
  const server = await serve(t, (_, response) => response.end("{}"));
  const { api } = clientOf(t, server.origin);
  const error = await failureOf(api.wallet.balance({ address: `0x${"1".repeat(40)}` }));
  assert.deepEqual([error.kind, error.details.issues?.[0]?.field], ["invalid-request", "walletSignIn"]);
  assert.equal(server.received.length, 0);
});

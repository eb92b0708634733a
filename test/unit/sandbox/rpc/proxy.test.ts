// The chain routes over HTTP, in both dialects (spec E3; wire.md sections 2, 8 and 9).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rpc } from "../../../../src/api/endpoints/rpc.ts";
import { routesOf } from "../../../../src/sandbox/http/routes.ts";
import { startServer } from "../../../../src/sandbox/http/server.ts";
import { createChains } from "../../../../src/sandbox/rpc/chains.ts";
import { createRpcProxy } from "../../../../src/sandbox/rpc/proxy.ts";
import { chargeOf, rpcServices } from "../../../../src/sandbox/rpc/services.ts";
import { createState } from "../../../../src/sandbox/state/createState.ts";
import { createClock } from "../clock.ts";
import { item } from "./rpcProxy.ts";

const secrets = { apiKey: "sandbox-admin", inferenceKey: "sandbox-inference" };

async function serve(dialect: "standard" | "venice") {
  const { now } = createClock();
  const wiring = { secrets, origin: () => "", tokensPerSecond: () => 80 };
  const state = createState({ dialect }, [], wiring, { clock: now });
  const chains = createChains({ now, nodeBinary: undefined });
  const proxy = createRpcProxy({
    dialect,
    now,
    chains,
    enforced: true,
    onSpent: (spent) => state.billing.charge(chargeOf(spent)),
  });
  const controller = { state, services: rpcServices(proxy), routes: routesOf({ rpc }) };
  const server = await startServer(controller, 0);
  return { state, server };
}

for (const dialect of ["standard", "venice"] as const) {
  describe(dialect, () => {
    let served: Awaited<ReturnType<typeof serve>>;
    before(async () => {
      served = await serve(dialect);
    });
    after(() => served.server.close());

    function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
      return fetch(`http://127.0.0.1:${served.server.port}/api/v1/crypto/rpc/zksync-mainnet`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${secrets.inferenceKey}`,
          "content-type": "application/json",
          ...headers,
        },
        body: JSON.stringify(body),
      });
    }

    test("credits, cost, request id and replay are in headers, and the charge is on the bill", async () => {
      const batch = [item("eth_chainId"), item("eth_getBalance", ["0x1"], 2)];
      const first = await post(batch, { "idempotency-key": "run" });
      const again = await post(batch, { "idempotency-key": "run" });
      const prefix = dialect === "venice" ? "x-venice-" : "x-service-";
      const named = (response: Response) => ({
        status: response.status,
        type: response.headers.get("content-type"),
        credits: response.headers.get(`${prefix}rpc-credits`),
        cost: response.headers.get(`${prefix}rpc-cost-usd`),
        replayed: response.headers.get("idempotent-replayed"),
      });
      const cost = dialect === "venice" ? "0.00002450" : "0.00002188";
      const expected = { status: 200, type: "application/json", credits: "35", cost };
      assert.deepEqual(named(first), { ...expected, replayed: null });
      assert.deepEqual(named(again), { ...expected, replayed: "true" });
      for (const response of [first, again]) {
        assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/);
        assert.equal(response.headers.get("x-ratelimit-limit"), null);
      }
      assert.deepEqual(await again.json(), await first.json());
      const { entries } = served.state.billing.usage({});
      assert.equal(entries.length, 1);
      const { sku, units, amount, inferenceDetails } = entries[0] ?? {};
      assert.deepEqual([sku, units, inferenceDetails], ["crypto-rpc-zksync-mainnet-credit", 35, null]);
      assert.equal(amount, dialect === "venice" ? -24_500 : -21_875);
    });

    test("refuses a body that is neither object nor array, and a malformed key", async () => {
      assert.equal((await post("eth_chainId")).status, 400);
      const malformed = await post(item("eth_chainId"), { "idempotency-key": "a b" });
      assert.equal(malformed.status, dialect === "venice" ? 200 : 400);
    });

    test("a refusal above a limit names the limit, its size and its reset", async () => {
      let response = await post(item("eth_chainId"));
      for (; response.status === 200; response = await post(item("eth_chainId"))) await response.text();
      assert.equal(response.status, 429);
      const limits = ["limit", "remaining", "reset"].map((name) =>
        response.headers.get(`x-ratelimit-${name}`),
      );
      const reset = String(Date.parse("2026-08-15T10:01:00Z") / 1000);
      // Venice reports the rest of the limit under `remaining` of its failure budget: the limit takes precedence.
      assert.deepEqual(limits, ["100", "0", reset]);
      const body = (await response.json()) as { customMessage?: string; error: { customMessage?: string } };
      const said = dialect === "venice" ? body.error.customMessage : body.customMessage;
      assert.match(said ?? "", /100 requests per minute/);
    });

    test("the networks are public", async () => {
      const response = await fetch(`http://127.0.0.1:${served.server.port}/api/v1/crypto/rpc/networks`);
      const { networks } = (await response.json()) as { networks: string[] };
      assert.equal(networks.length, dialect === "venice" ? 27 : 23);
    });
  });
}

// Calls of POST /crypto/rpc/{network} against the sandbox only: prices, replays, caps, faults.
import assert from "node:assert/strict";
import type { Charged, ClientEvent } from "../../../src/api/call/client.ts";
import type { RpcItem } from "../../../src/api/endpoints/rpc.ts";
import { type CallCase, failureOf, type World } from "../suite/suite.ts";
import type { SandboxTarget } from "../suite/target.ts";
import { errorText, fieldsNamed, send } from "../suite/wire.ts";

export const network = "ethereum-mainnet";
const path = `/crypto/rpc/${network}`;

function item(method: string, id: RpcItem["id"] = 1, params: unknown[] = []): RpcItem {
  return { jsonrpc: "2.0", method, params, id };
}

export const number = item("eth_blockNumber");
/** Invalid for a node, which costs the price of an error. */
const failing = item("eth_getBalance", 1, ["nonsense", "latest"]);
export const batchOf = (count: number) => Array.from({ length: count }, (_, id) => item("eth_chainId", id));

/** The price of a call as the client read it. */
async function factOf({ api }: World, body: RpcItem | RpcItem[], on = network, idempotencyKey?: string) {
  const facts: Charged["fact"][] = [];
  const observe = (event: ClientEvent) => void (event.type === "charged" && facts.push(event.fact));
  const input = { network: on, body, ...(idempotencyKey ? { idempotencyKey } : {}) };
  const reply = await api.rpc.call(input, { observe });
  const [fact] = facts;
  assert.ok(fact?.by === "credits" && facts.length === 1);
  return { reply, ...fact };
}

/** Rules of the sandbox beyond the shape of calls and answers. */
export const callCases: CallCase<SandboxTarget>[] = [
  {
    name: "answers one call with one answer, under its id",
    async run({ api, target }) {
      for (const id of [7, "seven", ...(target.dialect.id === "venice" ? [] : [null])]) {
        const reply = await api.rpc.call({ network, body: item("eth_chainId", id) });
        assert.deepEqual(reply, { jsonrpc: "2.0", id, result: "0x1" });
      }
    },
  },
  {
    name: "answers a batch with an array, item by item",
    async run({ api }) {
      const body = [item("eth_chainId", "a"), item("eth_blockNumber", "b"), item("net_version", "c")];
      const reply = await api.rpc.call({ network, body });
      assert.ok(Array.isArray(reply));
      const byId = new Map(reply.map((answer) => [answer.id, answer]));
      assert.deepEqual([...byId.keys()].sort(), ["a", "b", "c"]);
      assert.equal(byId.get("a")?.result, "0x1");
      assert.match(String(byId.get("b")?.result), /^0x[0-9a-f]+$/);
      assert.equal(byId.get("c")?.result, "1");
    },
  },
  {
    name: "answers for each network with its own chain",
    async run({ api }) {
      const { networks } = await api.rpc.networks({});
      const evm = networks.filter((slug) => !/^(starknet|solana)/.test(slug));
      const ids: unknown[] = [];
      for (const slug of evm) {
        const reply = await api.rpc.call({ network: slug, body: item("eth_chainId") });
        ids.push(Array.isArray(reply) ? undefined : reply.result);
      }
      assert.equal(new Set(ids).size, evm.length);
      assert.ok(ids.every((id) => /^0x[1-9a-f][0-9a-f]*$/.test(String(id))));
    },
  },
  {
    name: "charges by chain and tier, five for an error item, the sum of a batch",
    async run(world) {
      const creditsOf = async (body: RpcItem | RpcItem[], on?: string) =>
        (await factOf(world, body, on)).credits;
      assert.equal(await creditsOf(number), 20);
      assert.equal(await creditsOf(item("eth_chainId"), "zksync-mainnet"), 30);
      assert.equal(await creditsOf(failing), 5);
      assert.equal(await creditsOf([number, { ...failing, id: 2 }]), 25);
      assert.equal(await creditsOf(batchOf(100)), 2000);
    },
  },
  {
    name: "reports credits and their price, with eight decimals",
    async run(world) {
      const standard = world.target.dialect.id === "standard";
      const { credits, usd } = await factOf(world, number);
      const price = standard ? 6.25e-7 : 7e-7;
      assert.equal(usd, Number(((credits ?? 0) * price).toFixed(8)));
      const reply = await send(world.target, { path, body: batchOf(3) });
      const prefix = standard ? "x-service-" : "x-venice-";
      assert.equal(reply.headers.get(`${prefix}rpc-credits`), "60");
      assert.equal(reply.headers.get(`${prefix}rpc-cost-usd`), standard ? "0.00003750" : "0.00004200");
      assert.equal(reply.headers.get(`${standard ? "x-venice-" : "x-service-"}rpc-credits`), null);
      assert.equal(reply.headers.get("content-type"), "application/json");
      assert.match(reply.headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/);
      assert.equal(reply.headers.get("x-ratelimit-limit"), null, "only set on 429");
      assert.equal(reply.headers.get("idempotent-replayed"), null);
    },
  },
  {
    name: "replays the answer to the same key and body free of charge",
    async run(world) {
      const key = `run-${world.target.now()}`;
      const body = [item("eth_blockNumber", 1), item("eth_gasPrice", 2)];
      const first = await factOf(world, body, network, key);
      const again = await factOf(world, body, network, key);
      assert.deepEqual(again.reply, first.reply);
      assert.deepEqual([first.replayed, again.replayed], [false, true]);
      assert.equal(again.credits, first.credits, "a replay repeats the original header");
      const other = await failureOf(world.api.rpc.call({ network, body: number, idempotencyKey: key }));
      assert.deepEqual([other.kind, other.details.status], ["invalid-request", 400]);
      assert.match(other.message, /idempotency/i);
      for (let minutes = 0; minutes < 24 * 60; minutes++) await world.target.settle();
      assert.equal((await factOf(world, body, network, key)).replayed, false, "a day later");
    },
  },
  {
    name: "is resent under one key with the same bytes, and charged once",
    async run(world) {
      const { target, api } = world;
      target.sandbox.setFaults([{ kind: "status", status: 502, late: true, times: 2 }]);
      const before = target.sandbox.requestCount;
      const { replayed } = await factOf(world, number);
      assert.equal(replayed, true);
      assert.equal(target.sandbox.requestCount, before + 3);
      const tries = target.sandbox.requests.slice(-3);
      assert.equal(new Set(tries.map(({ headers }) => headers["idempotency-key"])).size, 1);
      assert.equal(new Set(tries.map(({ bodyText }) => bodyText)).size, 1);
      await target.settle();
      await api.rpc.call({ network, body: number });
      const keys = target.sandbox.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.notEqual(keys.at(-1), keys.at(-2), "another call, another key");
    },
  },
  {
    name: "refuses disallowed methods, each by its name",
    async run({ target, api }) {
      const refused = [
        ...["eth_subscribe", "eth_unsubscribe", "eth_newFilter", "eth_getFilterChanges", "eth_getFilterLogs"],
        ...["eth_uninstallFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter", "eth_sign"],
        ...["eth_accounts", "eth_mining", "eth_hashrate", "eth_getWork", "eth_submitWork", "evil_method"],
      ];
      for (const method of refused) {
        await target.settle();
        const { status, json } = await send(target, { path, body: item(method) });
        assert.equal(status, 400, method);
        assert.ok(errorText(json).includes(method), method);
      }
      const body = [number, ...refused.slice(0, 3).map((method, index) => item(method, index + 2))];
      const { kind, message } = await failureOf(api.rpc.call({ network, body }));
      assert.equal(kind, "invalid-request");
      for (const method of refused.slice(0, 3)) assert.ok(message.includes(method), message);
    },
  },
  {
    name: "returns an error of the chain inside the answer",
    async run({ api }) {
      const reply = await api.rpc.call({ network, body: failing });
      assert.ok(!Array.isArray(reply) && typeof reply.error?.code === "number");
      assert.equal(typeof reply.error.message, "string");
    },
  },
  {
    name: "allows 100 requests a minute per caller, replays included, and reports which cap was exceeded until when",
    async run({ target, api }) {
      const ask = (key?: string) => send(target, { path, body: number, ...(key ? { key } : {}) });
      const headers = { "idempotency-key": `again-${target.now()}` };
      for (let count = 0; count < 99; count++) assert.equal((await ask()).status, 200, String(count));
      assert.equal((await send(target, { path, body: number, headers })).status, 200);
      const refused = await send(target, { path, body: number, headers });
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get("x-ratelimit-limit"), "100");
      assert.equal(refused.headers.get("x-ratelimit-remaining"), "0");
      const reset = Number(refused.headers.get("x-ratelimit-reset"));
      assert.ok(reset > 1e9 && reset * 1000 > target.now() && reset * 1000 <= target.now() + 61_000);
      const body = refused.json as { customMessage?: string; error: { customMessage?: string } };
      assert.match(body.customMessage ?? body.error.customMessage ?? "", /100 requests per minute/);
      assert.equal((await ask(target.sandbox.inferenceKey)).status, 200, "another caller");
      const stopped = new AbortController();
      const waits: string[] = [];
      const observe = (event: ClientEvent) => {
        if (event.type !== "waiting") return;
        waits.push(`${event.because.kind} ${event.because.message} ${event.ms > 0 && event.ms <= 61_000}`);
        stopped.abort();
      };
      const options = { signal: stopped.signal, observe };
      assert.equal((await failureOf(api.rpc.call({ network, body: number }, options))).kind, "cancelled");
      assert.match(waits.join(), /^rate-limited .*100 requests per minute.* true$/);
      await target.settle();
      assert.equal((await ask()).status, 200);
    },
  },
  {
    name: "serves one request per caller at a time on venice, any number elsewhere",
    async run({ target }) {
      const statuses = (
        await Promise.all(Array.from({ length: 4 }, () => send(target, { path, body: batchOf(50) })))
      ).map(({ status }) => status);
      const served = statuses.filter((status) => status === 200).length;
      if (target.dialect.id === "standard") assert.equal(served, 4);
      else assert.ok(served >= 1 && statuses.every((status) => status === 200 || status === 429));
    },
  },
  {
    name: "refuses an unlisted network",
    async run({ api, target }) {
      assert.equal(
        (await failureOf(api.rpc.call({ network: "dogecoin-mainnet", body: number }))).kind,
        "not-found",
      );
      const own = await failureOf(api.rpc.call({ network: "solana-mainnet", body: item("getSlot") })).catch(
        () => undefined,
      );
      assert.equal(own === undefined, target.dialect.id === "venice");
    },
  },
  {
    name: "applies the rules to each item of a batch and names it",
    async run({ target, api }) {
      const broken = [
        [[number, { ...number, id: 2, jsonrpc: "1.0" }], "1"],
        [[number, { ...number, id: 2, method: "" }], "1"],
        [[number, number], "1"],
        [[number, { jsonrpc: "2.0", method: "eth_chainId" }], "1"],
        [
          [
            { ...number, mood: "good" },
            { ...number, id: 2 },
          ],
          "0",
        ],
      ] as const;
      for (const [body, index] of broken) {
        await target.settle();
        const reply = await send(target, { path, body });
        assert.equal(reply.status, 400, reply.text);
        assert.ok(fieldsNamed(reply.json).includes(index) || reply.text.includes("mood"), reply.text);
        const error = await failureOf(api.rpc.call({ network, body: body as never }));
        assert.equal(error.kind, "invalid-request");
      }
    },
  },
];

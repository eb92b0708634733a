// Requests of one caller are sent one after another; a queued request can be cancelled at once.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  createRunSender,
  createServiceSender,
  type RpcAnswer,
  type RpcItem,
  type Sender,
  type SendOptions,
  sendCalls,
} from "../../../../src/rpc/run/senders.ts";
import type { Session } from "../../../../src/session/session.ts";
import { type Bench, openBench } from "../notebook.ts";

const item: RpcItem = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };

describe("the request queue", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  test("cancelling a queued request ends it at once, and the others keep their order", async () => {
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const rpc = {
      async call({ network }: { readonly network: string }) {
        order.push(network);
        if (network === "first") await gate.promise;
        return { jsonrpc: "2.0", id: 1, result: network };
      },
    };
    const sender = createServiceSender(async () => ({ rpc }) as never);
    const send = (network: string, signal = new AbortController().signal) =>
      sender.send(network, item, { signal, once: false });
    const stop = new AbortController();
    const first = send("first");
    const stopped = send("second", stop.signal);
    const third = send("third");
    stop.abort(new Error("stopped"));
    // The first has no reply yet.
    await assert.rejects(stopped, /stopped/);
    gate.resolve();
    await Promise.all([first, third]);
    assert.deepEqual(order, ["first", "third"]);
  });

  test("a request that was cancelled in the queue is never sent", async () => {
    const { sender } = bench.deps;
    const before = bench.sandbox.requests.length;
    const stop = new AbortController();
    const sent = sender.send("base-mainnet", item, { signal: new AbortController().signal, once: false });
    const stopped = sender.send("base-mainnet", item, { signal: stop.signal, once: true });
    stop.abort(new Error("stopped"));
    await assert.rejects(stopped, /stopped/);
    await sent;
    const next = await sender.send("base-mainnet", item, {
      signal: new AbortController().signal,
      once: false,
    });
    assert.equal(next.status, 200);
    assert.equal(bench.sandbox.requests.length, before + 2);
  });

  test("a run names its source, and sends nothing over another connection than that of its start", async () => {
    const asked: (readonly [network: string, options: SendOptions])[] = [];
    const sender: Sender = {
      async send(network, _body, options) {
        asked.push([network, options]);
        return { answer: { jsonrpc: "2.0", id: 1, result: "0x1" }, ms: 1, replayed: false, resends: 0 };
      },
    };
    const session = { active: { id: "sandbox" } as Session["active"] };
    const run = createRunSender(sender, session, "file:///one");
    const options = { signal: new AbortController().signal, once: true };
    await run.send("base-mainnet", item, options);
    session.active = { id: "live" } as Session["active"];
    await assert.rejects(run.send("base-mainnet", item, options), { kind: "cancelled" });
    await run.send("local", item, options);
    const named = { ...options, caller: "file:///one" };
    assert.deepEqual(asked, [
      ["base-mainnet", named],
      ["local", named],
    ]);
  });
});

describe("several calls in one request", () => {
  const calls = ["eth_chainId", "eth_blockNumber"].map((method) => ({ method, params: [] }));
  const repliesTo = async (answer: RpcAnswer | RpcAnswer[]) => {
    const facts = { ms: 1, resends: 0, replayed: false };
    const sender: Sender = { send: async () => ({ answer, ...facts }) };
    return (await sendCalls(sender, "local", calls, new AbortController().signal)).replies;
  };
  const missing = { error: { code: 0, message: "no response" } };

  test("have their own results, whatever their order, and none of another call", async () => {
    const [one, two] = [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: `0x${id}` }));
    assert.ok(one && two);
    assert.deepEqual(await repliesTo([two, one]), [{ result: "0x1" }, { result: "0x2" }]);
    assert.deepEqual(await repliesTo([two]), [missing, { result: "0x2" }]);
    assert.deepEqual(await repliesTo([]), [missing, missing]);
  });

  test("share an error of the whole request", async () => {
    const error = { code: -32_000, message: "busy" };
    const replies = await repliesTo({ jsonrpc: "2.0", id: null, error });
    assert.deepEqual(
      replies.map((reply) => "error" in reply && reply.error.message),
      ["busy", "busy"],
    );
  });
});

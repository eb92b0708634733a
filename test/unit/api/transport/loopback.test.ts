// The transport to a node on this machine, over real sockets.
import assert from "node:assert/strict";
import http from "node:http";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readText } from "../../../../src/api/call/body/readText.ts";
import { classifyThrown } from "../../../../src/api/errors/networkError.ts";
import { LoopbackTransport } from "../../../../src/api/transport/loopback.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { serve } from "../client.ts";

const never = new AbortController().signal;

function transportOf(t: TestContext): LoopbackTransport {
  const transport = new LoopbackTransport();
  t.after(() => transport.close());
  return transport;
}

function post(transport: LoopbackTransport, url: string, body: string, signal = never) {
  return transport.send({ method: "POST", url, headers: { "x-header": "a" }, body, signal });
}

const textOf = async (body: AsyncIterable<Uint8Array>) => (await readText(body, 1e6, () => {})).text;

test("the request as the node receives it, and its answer", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 418, { name: "grüße" }));
  const { status, body } = await post(transportOf(t), `${server.origin}/path?a=b`, "ünï");
  assert.deepEqual([status, JSON.parse(await textOf(body))], [418, { name: "grüße" }]);
  const [request] = server.received;
  assert.deepEqual([request?.method, request?.url, request?.body], ["POST", "/path?a=b", "ünï"]);
  assert.equal(request?.headers["content-length"], "5");
  assert.equal(request?.headers["x-header"], "a");
});

test("requests one after the other share a connection", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, {}));
  const transport = transportOf(t);
  for (let n = 0; n < 20; n++) await textOf((await post(transport, server.origin, "{}")).body);
  assert.equal(server.connections, 1);
});

test("an editor that replaces the request of Node's module changes nothing: its requests close their connections", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, {}));
  t.mock.method(http, "request", () => assert.fail("replaced"));
  const transport = transportOf(t);
  for (let n = 0; n < 3; n++) await textOf((await post(transport, server.origin, "{}")).body);
  assert.equal(server.connections, 1);
});

test("an answer that is compressed although nobody asked for it is read", async (t) => {
  const server = await serve(t, (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync("text"));
  });
  assert.equal(await textOf((await post(transportOf(t), server.origin, "{}")).body), "text");
});

test("the signal ends the wait for the headers and for the body, with its reason", async (t) => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const server = await serve(t, ({ url }, response) => {
    if (url === "/silent") return asked[0].resolve();
    response.writeHead(200);
    response.write("begun");
    return asked[1].resolve();
  });
  const transport = transportOf(t);
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const silent = post(transport, `${server.origin}/silent`, "{}", first.signal);
  await asked[0].promise;
  first.abort(new Error("stopped"));
  await assert.rejects(silent, /stopped/);
  const { body } = await post(transport, server.origin, "{}", second.signal);
  const reading = textOf(body);
  await asked[1].promise;
  second.abort(new Error("stopped"));
  await assert.rejects(reading, /stopped/);
  third.abort(new Error("stopped before"));
  await assert.rejects(post(transport, server.origin, "{}", third.signal), /stopped before/);
  assert.equal(server.received.length, 2);
});

test("an answer that nobody reads yet may be stopped", async (t) => {
  const server = await serve(t, (_, response) => {
    response.writeHead(200);
    response.write("begun");
  });
  const stop = new AbortController();
  const { body } = await post(transportOf(t), server.origin, "{}", stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(textOf(body));
});

test("a node that refuses, or breaks off before its answer or in it, has a named reason", async (t) => {
  const server = await serve(t, ({ url }, response) => {
    if (url === "/half") response.writeHead(200, { "content-length": "100" }).write("half");
    setImmediate(() => response.destroy());
  });
  const transport = transportOf(t);
  const reasonOf = async (url: string) => {
    try {
      await textOf((await post(transport, url, "{}")).body);
    } catch (error) {
      return classifyThrown("the node", error, []).details.reason;
    }
    return "none";
  };
  assert.equal(await reasonOf(`${server.origin}/none`), "reset");
  assert.equal(await reasonOf(`${server.origin}/half`), "reset");
  await server.close();
  assert.equal(await reasonOf(server.origin), "refused");
});

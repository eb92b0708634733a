// Connections that are never established: each call ends, says that nothing was sent, and leaves no loop behind.
import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import connectThrough from "undici/lib/api/api-connect.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { boundedFetch } from "../../../../src/api/transport/boundedFetch.ts";
import { SendTrace } from "../../../../src/api/transport/connectionTrace.ts";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import type { Transport } from "../../../../src/api/transport/transport.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { clientOf, failureOf, question, transports } from "../client.ts";

interface RawServer {
  readonly port: number;
  /** Number of connections so far. */
  readonly count: number;
  /** Resolves once the first bytes of a connection have arrived. */
  readonly asked: Promise<unknown>;
}

/** A TCP server; `onAsked` runs when the first bytes of a connection have arrived. */
async function listenRaw(t: TestContext, onAsked: (socket: Socket) => void): Promise<RawServer> {
  let count = 0;
  const sockets = new Set<Socket>();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = net.createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      resolve();
      onAsked(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return {
    port: (server.address() as AddressInfo).port,
    get count() {
      return count;
    },
    asked,
  };
}

const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

/** The global fetch behind a proxy, as VS Code patches it. */
function hostBehind(t: TestContext, proxyUrl: string): Transport {
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const before = globals[dispatcherKey];
  const clientFactory = (origin: URL, options: object) =>
    Object.assign(new Pool(origin, options), { connect: connectThrough });
  const agent = new ProxyAgent({ uri: proxyUrl, clientFactory });
  globals[dispatcherKey] = agent;
  t.after(async () => {
    globals[dispatcherKey] = before;
    await agent.destroy();
  });
  return createHostTransport();
}

const proxied: readonly {
  readonly name: string;
  readonly create: (t: TestContext, url: string) => Transport;
}[] = [
  { name: "host transport", create: hostBehind },
  {
    name: "undici transport",
    create: (_, proxyUrl) => createUndiciTransport({ proxyUrl, connectTimeoutMs: 60_000 }),
  },
];
const target = "https://service.invalid";

/** Turns of the event loop in which a loop of connections would show. */
async function manyTurns(): Promise<void> {
  for (let count = 0; count < 300; count++) await turn();
}

for (const { name, create } of proxied) {
  for (const how of ["end", "resetAndDestroy"] as const) {
    test(`${name}: a proxy that drops CONNECT (${how}) is asked once, said so, and left alone`, async (t) => {
      const proxy = await listenRaw(t, (socket) => void socket[how]());
      const { api, events } = clientOf(t, target, { transport: create(t, `http://127.0.0.1:${proxy.port}`) });
      const error = await failureOf(api.chat.complete(question));
      assert.deepEqual(
        [error.kind, error.details.reason, error.details.mayHaveArrived],
        ["network", "proxy", false],
        error.message,
      );
      const { sentence, actions } = explain(error, { service: "Test" });
      assert.match(
        sentence,
        /^The proxy closes the connection to Test, so nothing was sent\. Check the proxy/,
      );
      assert.equal(actions[0]?.id, "proxySettings");
      assert.doesNotMatch(sentence, /timeout/);
      await failureOf(api.account.rateLimits({}));
      const asked = proxy.count;
      assert.ok(asked <= 2, `${asked} connections`);
      await manyTurns();
      assert.equal(proxy.count, asked);
      assert.equal(events.filter(({ type }) => type === "waiting").length, 0);
    });
  }

  for (const status of [403, 407, 502]) {
    test(`${name}: a proxy that answers CONNECT with ${status} is named with it, asked once, and nothing was sent`, async (t) => {
      const proxy = await listenRaw(t, (socket) => {
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      });
      const { api } = clientOf(t, target, { transport: create(t, `http://127.0.0.1:${proxy.port}`) });
      const error = await failureOf(api.chat.complete(question));
      assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["proxy", false], error.message);
      const { sentence } = explain(error, { service: "Test" });
      assert.match(
        sentence,
        new RegExp(
          `^The proxy refused the request to Test: .*${status}.*nothing was sent.*${status === 407 ? "NAME:PASSWORD@" : "Ask who runs it"}`,
        ),
      );
      assert.equal(proxy.count, 1);
    });
  }

  test(`${name}: behind a proxy that never answers, Stop ends a call at once`, async (t) => {
    const proxy = await listenRaw(t, () => {});
    const { api } = clientOf(t, target, { transport: create(t, `http://127.0.0.1:${proxy.port}`) });
    const stop = new AbortController();
    const call = failureOf(api.chat.complete(question, { signal: stop.signal }));
    await proxy.asked;
    stop.abort();
    const error = await call;
    assert.deepEqual([error.kind, error.details.mayHaveArrived], ["cancelled", false]);
    assert.equal(proxy.count, 1);
  });

  test(`${name}: a proxy that never answers is named at the deadline, not the service`, async (t) => {
    const proxy = await listenRaw(t, () => {});
    const { api } = clientOf(t, target, {
      transport: create(t, `http://127.0.0.1:${proxy.port}`),
      // Enough for a busy machine to begin: the editor's fetch does not tell of a request that it has not begun.
      timeouts: { headersMs: 2_000, idleMs: 2_000 },
    });
    const error = await failureOf(api.chat.complete(question));
    assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["proxy", false], error.message);
    const { sentence } = explain(error, { service: "Test" });
    assert.match(sentence, /proxy/);
    assert.doesNotMatch(sentence, /raise the timeout/);
    // On a busy machine none is accepted by then.
    assert.ok(proxy.count <= 1);
  });
}

test("undici transport: what is late before it was begun was not sent, and the proxy is named", async (t) => {
  const transport = createUndiciTransport({ proxyUrl: "http://127.0.0.1:9" });
  t.after(() => transport.close());
  const trace = new SendTrace();
  const signal = AbortSignal.abort();
  const sending = transport.send({ method: "GET", url: target, headers: {}, signal, trace });
  assert.deepEqual([trace.isSent, trace.isProxied], [false, true]);
  await assert.rejects(sending);
  assert.equal(trace.isSent, false);
});

const refusing = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;

for (const [what, answer, words] of [
  ["drops CONNECT", "", "the proxy closed the connection"],
  ["wants a sign-in", refusing("407 No"), "the proxy refused it: it asks for a sign-in (HTTP 407)"],
  ["forbids", refusing("403 No"), "the proxy refused it: it answered HTTP 403"],
] as const)
  test(`a page behind a proxy that ${what}: the fetch ends, names the proxy, and leaves no loop behind`, async (t) => {
    const proxy = await listenRaw(t, (socket) => {
      socket.end(answer);
    });
    hostBehind(t, `http://127.0.0.1:${proxy.port}`);
    const bounds = { accept: "*/*", maxBytes: 1000, maxRedirects: 0, timeoutMs: 60_000 };
    const failed = boundedFetch(target, { ...bounds, mayAsk: () => "allowed" });
    await assert.rejects(failed, { fault: "unreachable", message: words });
    const asked = proxy.count;
    assert.ok(asked <= 2, `${asked} connections`);
    await manyTurns();
    assert.equal(proxy.count, asked);
  });

for (const { name, create } of transports) {
  test(`${name}: a server that never speaks TLS: Stop ends a call at once, and nothing was sent`, async (t) => {
    const server = await listenRaw(t, () => {});
    const { api } = clientOf(t, `https://127.0.0.1:${server.port}`, { transport: create() });
    const stop = new AbortController();
    const call = failureOf(api.chat.complete(question, { signal: stop.signal }));
    await server.asked;
    stop.abort();
    const error = await call;
    assert.deepEqual([error.kind, error.details.mayHaveArrived], ["cancelled", false]);
    assert.equal(server.count, 1);
  });

  test(`${name}: at the deadline such a server can't be reached`, async (t) => {
    const server = await listenRaw(t, () => {});
    const { api } = clientOf(t, `https://127.0.0.1:${server.port}`, {
      transport: create(),
      timeouts: { headersMs: 100, idleMs: 100 },
    });
    const error = await failureOf(api.chat.complete(question, { once: true }));
    assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["unreachable", false]);
  });

  test(`${name}: a request that a silent server got may have arrived`, async (t) => {
    const server = await listenRaw(t, () => {});
    const { api } = clientOf(t, `http://127.0.0.1:${server.port}`, { transport: create() });
    const stop = new AbortController();
    const call = failureOf(api.chat.complete(question, { signal: stop.signal }));
    await server.asked;
    stop.abort();
    const { kind, details } = await call;
    assert.deepEqual([kind, details.mayHaveArrived], ["cancelled", true]);
  });
}

test("the call ends, whatever the transport does with its signal", async (t) => {
  const deaf: Transport = { name: "host", send: () => new Promise(() => {}), async close() {} };
  const { api } = clientOf(t, target, { transport: deaf, timeouts: { headersMs: 20, idleMs: 20 } });
  assert.equal((await failureOf(api.chat.complete(question))).kind, "timed-out");
  const signal = AbortSignal.abort();
  assert.equal((await failureOf(api.chat.complete(question, { signal }))).kind, "cancelled");
});

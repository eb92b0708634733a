// Real failures below HTTP: the reason, and whether anything was sent twice.
import assert from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import { test } from "node:test";
import tls from "node:tls";
import { proxySignInCode } from "../../../../src/api/errors/errors.ts";
import { classifyThrown } from "../../../../src/api/errors/networkError.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { beginEvents, chunk } from "../../../loopback/answers.ts";
import { closedPort, listenRaw, rawAnswer } from "../../../loopback/rawServer.ts";
import { createAuthority } from "../../../vscode/certificate.ts";
import { clientOf, drain, failureOf, question, serve, transports } from "../client.ts";

for (const { name, create } of transports) {
  test(`${name}: reports a host that does not resolve`, async (t) => {
    for (const host of ["no-such-host.invalid", "proxy.invalid"]) {
      const { api, events } = clientOf(t, `https://${host}`, { transport: create() });
      const error = await failureOf(api.chat.complete(question));
      assert.equal(error.kind, "network");
      assert.equal(error.details.reason, "name-not-found", error.message);
      assert.match(error.message, new RegExp(host));
      assert.equal(error.details.mayHaveArrived, false);
      assert.equal(events.length, 1);
    }
  });

  test(`${name}: retries a refused connection, then reports it`, async (t) => {
    const port = await closedPort();
    const { api, events } = clientOf(t, `http://127.0.0.1:${port}`, { transport: create() });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.details.reason, "refused");
    assert.equal(error.details.code, "ECONNREFUSED");
    assert.match(error.message, new RegExp(String(port)));
    assert.equal(error.details.mayHaveArrived, false);
    assert.deepEqual(
      events.map((event) => event.type),
      ["exchange", "waiting", "exchange", "waiting", "exchange"],
    );
  });

  test(`${name}: reports an untrusted certificate`, async (t) => {
    const server = await serve(t, () => {}, { certificate: createAuthority("nobody") });
    const { api } = clientOf(t, server.origin, { transport: create() });
    const error = await failureOf(api.account.rateLimits({}));
    assert.equal(error.kind, "network");
    assert.equal(error.details.reason, "certificate");
    assert.equal(error.details.code, "DEPTH_ZERO_SELF_SIGNED_CERT");
    assert.equal(server.received.length, 0);
    assert.equal(server.connections, 1, "it will not be trusted the second time");
  });

  test(`${name}: a server that disconnects before the answer is asked once for chat, again for a read`, async (t) => {
    const server = await serve(t, (_, response) => response.socket?.destroy());
    const { api } = clientOf(t, server.origin, { transport: create() });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.details.reason, "reset", `${error.details.code} ${error.message}`);
    assert.equal(error.details.mayHaveArrived, true);
    assert.equal(server.received.length, 1);
    await failureOf(api.account.rateLimits({}));
    assert.equal(server.received.length, 4);
  });

  test(`${name}: a reset stream keeps its events and is not requested again`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.write("data: {", () => response.socket?.resetAndDestroy());
    });
    const { api } = clientOf(t, server.origin, { transport: create() });
    const result = await drain(await api.chat.stream(question));
    const error = await failureOf(Promise.reject(result.error));
    assert.equal(error.details.reason, "reset", `${error.details.code} ${error.message}`);
    assert.equal(result.end, undefined);
    assert.equal(server.received.length, 1);
  });

  test(`${name}: reports an answer that is cut off inside its body`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
      response.write('{"data":', () => response.socket?.destroy());
    });
    const { api } = clientOf(t, server.origin, { transport: create() });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.details.reason, "reset", `${error.details.code} ${error.message}`);
    assert.equal(server.received.length, 1);
  });

  test(`${name}: headers that are too large are told so; a paid call is sent once, a read again`, async (t) => {
    const head = `content-type: application/json\r\nset-cookie: ${"x".repeat(20_000)}`;
    const server = await listenRaw(t, (socket) => socket.end(rawAnswer("{}", head)));
    const { api } = clientOf(t, server.origin, { transport: create() });
    for (const call of [() => api.chat.complete(question), () => api.images.generate({ prompt: "a" })]) {
      const error = await failureOf(call());
      assert.equal(error.details.mayHaveArrived, true);
      assert.match(
        explain(error, { service: "api.example" }).sentence,
        /^The request to api\.example failed: the headers of its answer are too large\. Ask who runs/,
      );
    }
    assert.equal(server.requests, 2);
    await failureOf(api.account.rateLimits({}));
    assert.equal(server.requests, 5);
  });

  test(`${name}: an old version of TLS is no fault of the certificate`, async (t) => {
    const server = tls.createServer({
      ...createAuthority("old"),
      maxVersion: "TLSv1.1",
      minVersion: "TLSv1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { api, events } = clientOf(t, `https://127.0.0.1:${port}`, { transport: create() });
    const error = await failureOf(api.chat.complete(question));
    assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["tls", false], error.message);
    assert.equal(events.length, 1);
  });

  test(`${name}: reports a reply that is not HTTP`, async (t) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end("SSH-2.0-OpenSSH_9.6\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { api } = clientOf(t, `http://127.0.0.1:${port}`, { transport: create() });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.kind, "network");
    assert.match(error.message, /does not match the HTTP/);
  });
}

test("a connection timeout is reported as unreachable", async (t) => {
  // Accepts without a TLS handshake, so that the connection is never established.
  const held = new Set<net.Socket>();
  const server = net.createServer((socket) => held.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of held) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const transport = createUndiciTransport({ connectTimeoutMs: 50 });
  const { api } = clientOf(t, `https://127.0.0.1:${port}`, { transport });
  const error = await failureOf(api.chat.complete(question));
  assert.equal(error.details.reason, "unreachable");
  assert.equal(error.details.mayHaveArrived, false);
});

test("a proxy that wants a sign-in is recognized by the words of undici and of the editor", () => {
  for (const words of ["Proxy response (407) !== 200", "Proxy response (407) ?.== 200"]) {
    const cause = Object.assign(new Error(`${words} when HTTP Tunneling`), { code: "UND_ERR_ABORTED" });
    const { details, message } = classifyThrown(
      "chat.complete",
      new TypeError("fetch failed", { cause }),
      [],
    );
    assert.equal(message, "it asks for a sign-in (HTTP 407)");
    assert.deepEqual(
      [details.reason, details.code, details.mayHaveArrived],
      ["proxy", proxySignInCode, false],
    );
  }
});

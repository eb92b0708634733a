// Behaviour of both transports, and of the undici transport only.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { LoopbackTransport } from "../../../../src/api/transport/loopback.ts";
import { createUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { beginEvents, chunk, completion, frame, sendJson } from "../../../loopback/answers.ts";
import { createAuthority, issueCertificate } from "../../../vscode/certificate.ts";
import { canary, clientOf, drain, failureOf, question, serve, transports } from "../client.ts";

for (const { name, create } of transports) {
  test(`${name}: the request as the service receives it`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, 200, completion("ok")));
    await clientOf(t, server.origin, { transport: create() }).api.chat.complete(question);
    const [request] = server.received;
    assert.equal(request?.method, "POST");
    assert.equal(request?.url, "/api/v1/chat/completions");
    assert.equal(request?.headers.authorization, `Bearer ${canary}`);
    assert.equal(request?.headers["content-type"], "application/json");
    assert.equal(request?.headers.accept, "application/json");
    assert.equal(request?.headers["content-length"], String(Buffer.byteLength(request?.body ?? "")));
    assert.deepEqual(JSON.parse(request?.body ?? ""), question);
  });
}

/** A server that counts its connections, and on "close" closes them and then sets the flag. */
const closingServer = `
const { parentPort, workerData } = require("node:worker_threads");
const server = require("node:http").createServer((request, response) => {
  request.resume().on("end", () => response.end("{}"));
});
let open = 0;
const setFlag = () => {
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
};
server.on("connection", (socket) => {
  open++;
  socket.on("close", () => --open === 0 && setFlag());
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
parentPort.on("message", (asked) => {
  if (asked === "count") parentPort.postMessage(open);
  else server.closeAllConnections();
});
`;

for (const { name, create } of [
  ...transports,
  { name: "loopback transport", create: () => new LoopbackTransport() },
]) {
  test(`${name}: uses no connection that the server closed while this thread was busy`, async (t) => {
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const server = new Worker(closingServer, { eval: true, workerData: closed });
    t.after(() => server.terminate());
    const [port] = await once(server, "message");
    const transport = create();
    t.after(() => transport.close());
    const status = async () => {
      const { signal } = new AbortController();
      const url = `http://127.0.0.1:${port}/`;
      const reply = await transport.send({ method: "POST", url, headers: {}, body: "{}", signal });
      for await (const _ of reply.body);
      return reply.status;
    };
    assert.equal(await status(), 200);
    // Meanwhile the transport notices that its connection is free.
    server.postMessage("count");
    assert.deepEqual(await once(server, "message"), [1]);
    server.postMessage("close");
    assert.notEqual(Atomics.wait(closed, 0, 0, 60_000), "timed-out");
    assert.equal(await status(), 200);
  });
}

test("undici transport: consecutive requests share a connection", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, completion("ok")));
  const { api } = clientOf(t, server.origin, { transport: createUndiciTransport() });
  for (let n = 0; n < 20; n++) await api.chat.complete(question);
  // A second connection may open while the first is still finishing its last answer.
  assert.ok(server.connections <= 2, String(server.connections));
});

test("undici transport: closing it lets a running stream finish", async (t) => {
  let finish = () => {};
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("a"));
    finish = () => response.end(frame(chunk("b")) + frame("[DONE]"));
  });
  const transport = createUndiciTransport();
  const { api } = clientOf(t, server.origin, { transport });
  const stream = await api.chat.stream(question);
  const closed = transport.close();
  finish();
  const result = await drain(stream);
  assert.deepEqual([result.text, result.end, result.error], ["ab", "done", undefined]);
  await closed;
});

test("undici transport: trusts the system's certificates, unless that is disabled, and those of NODE_EXTRA_CA_CERTS", async (t) => {
  const authority = createAuthority("a company");
  const certificate = issueCertificate(authority, "a company", ["127.0.0.1"]);
  const server = await serve(t, (_, response) => sendJson(response, 200, { data: {} }), { certificate });
  const folder = await mkdtemp(join(tmpdir(), "certificates-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "system.pem");
  await writeFile(file, authority.cert);
  // The store is read once per process, from OpenSSL's path.
  const statusOf = async (option: string, variable = "SSL_CERT_FILE") => {
    const asked = [join(import.meta.dirname, "../fetchOnce.ts"), `${server.origin}/`, option];
    const child = spawn(process.execPath, asked, {
      env: { ...process.env, [variable]: file },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [text] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
    return Buffer.concat(text).toString();
  };
  assert.equal(await statusOf("system"), "200");
  assert.equal(await statusOf("system", "NODE_EXTRA_CA_CERTS"), "200");
  assert.equal(await statusOf("bundled"), "certificate");
});

/** A proxy that tunnels, or answers each CONNECT with `status`. */
async function openProxy(t: TestContext, status: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const { connect } = await import("node:net");
  const proxy = http.createServer((_, response) => response.writeHead(status).end());
  proxy.on("connect", (request, client: Socket, head) => {
    asked.push(request.url ?? "");
    sockets.add(client);
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

test("undici transport: a proxy tunnels requests by CONNECT", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, completion("through")));
  const proxy = await openProxy(t, 200);
  const transport = createUndiciTransport({ proxyUrl: proxy.url });
  const { api } = clientOf(t, server.origin, { transport });
  assert.equal((await api.chat.complete(question)).choices[0]?.message.content, "through");
  assert.deepEqual(proxy.asked, [`127.0.0.1:${server.port}`]);
});

for (const status of [403, 407, 502]) {
  test(`undici transport: a proxy that answers CONNECT with ${status} is reported, and requested once`, async (t) => {
    const server = await serve(t, (_, response) => response.end());
    const proxy = await openProxy(t, status);
    const transport = createUndiciTransport({ proxyUrl: proxy.url });
    const { api } = clientOf(t, server.origin, { transport });
    const error = await failureOf(api.account.rateLimits({}));
    assert.equal(error.kind, "network");
    assert.equal(error.details.reason, "proxy");
    assert.match(error.message, new RegExp(String(status)));
    assert.equal(error.details.mayHaveArrived, false);
    assert.equal(proxy.asked.length, 1);
    assert.equal(server.connections, 0);
  });
}

test("undici transport: reports an unreachable proxy", async (t) => {
  const server = await serve(t, (_, response) => response.end());
  const closed = await openProxy(t, 200);
  const transport = createUndiciTransport({ proxyUrl: "http://no-such-proxy.invalid:3128" });
  const { api } = clientOf(t, server.origin, { transport });
  const error = await failureOf(api.account.rateLimits({}));
  assert.match(error.message, /no-such-proxy\.invalid/);
  assert.equal(error.details.mayHaveArrived, false);
  assert.deepEqual([server.connections, closed.asked.length], [0, 0]);
});

// Many connections, slow bodies and smuggled heads: nothing reaches the service, and others are answered.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { openGateway, sendRaw } from "../gatewayKit.ts";

const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] });

async function open(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** All that comes until the end of the connection. */
async function exchange(t: TestContext, port: number, text: string): Promise<string> {
  const socket = await open(t, port);
  let got = "";
  socket.setEncoding("utf8").on("data", (piece: string) => {
    got += piece;
  });
  socket.write(text);
  // It may be reset after its answer, because the head was not read to its end.
  await new Promise((resolve) => socket.once("close", resolve));
  return got;
}

test("a client is answered beside 500 connections that say nothing, or send their body a byte at a time", async (t) => {
  const gateway = await openGateway(t);
  const idle = await Promise.all(Array.from({ length: 500 }, () => open(t, gateway.port)));
  for (const socket of idle.slice(0, 250))
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nauthorization: Bearer ${gateway.token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    );
  const answers = await Promise.all(Array.from({ length: 4 }, () => sendRaw(gateway, { body })));
  // A client has 32 calls at once: its own slow ones count.
  for (const { status } of answers) assert.ok(status === 200 || status === 429, String(status));
  for (const socket of idle) socket.destroy();
  const posted = gateway.sandbox.requests.filter(({ method }) => method === "POST");
  assert.equal(posted.length, answers.filter(({ status }) => status === 200).length);
});

const heads: readonly [string, (port: number, token: string) => string][] = [
  [
    "two lengths",
    (port, token) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  ],
  [
    "a length and chunks",
    (port, token) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    "two hosts",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.example\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  [
    "two tokens",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  ],
  ["no host", (_port, token) => `GET /v1/models HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`],
  [
    "a bare line feed",
    (port, token) => `GET /v1/models HTTP/1.1\nhost: 127.0.0.1:${port}\nauthorization: Bearer ${token}\n\n`,
  ],
  [
    "a head of 100 KB",
    (port, token) =>
      `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nx: ${"a".repeat(100_000)}\r\n\r\n`,
  ],
];

test("a head that two programs could read differently is refused", async (t) => {
  const gateway = await openGateway(t);
  const before = gateway.sandbox.requestCount;
  for (const [name, head] of heads) {
    const answer = await exchange(t, gateway.port, head(gateway.port, gateway.token));
    assert.match(answer, /^HTTP\/1\.1 (400|403|431) /, `${name}: ${answer.slice(0, 200)}`);
  }
  assert.equal(gateway.sandbox.requestCount, before);
});

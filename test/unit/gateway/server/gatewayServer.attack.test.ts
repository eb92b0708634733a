// Many connections, slow bodies and smuggled heads: nothing reaches the service, and others are answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openGateway, sendRaw } from "../gatewayKit.ts";
import { exchange, heads, open, refusedHead } from "../hostileHeads.ts";

const body = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Say this." }] });

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

test("a head that two programs could read differently is refused", async (t) => {
  const gateway = await openGateway(t);
  const before = gateway.sandbox.requestCount;
  for (const [name, head] of heads) {
    const answer = await exchange(t, gateway.port, head(gateway.port, gateway.token));
    assert.match(answer, refusedHead, `${name}: ${answer.slice(0, 200)}`);
  }
  assert.equal(gateway.sandbox.requestCount, before);
});

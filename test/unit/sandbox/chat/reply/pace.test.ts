import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { paced } from "../../../../../src/sandbox/chat/reply/pace.ts";
import { startTestSandbox } from "../../../../serviceKit/testSandbox.ts";

const open = new AbortController().signal;

test("an infinite rate emits everything in order, in batches that yield to the event loop", async () => {
  const items = Array.from({ length: 2000 }, (_, index) => index);
  const batches: (readonly number[])[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    handle = setImmediate(count);
  };
  let handle = setImmediate(count);
  for await (const batch of paced(items, () => Number.POSITIVE_INFINITY, open)) batches.push(batch);
  clearImmediate(handle);
  assert.deepEqual(batches.flat(), items);
  assert.ok(Math.max(...batches.map(({ length }) => length)) <= 256);
  assert.ok(turns >= 7, `${turns} turns`);
});

test("a finite rate emits single items, the first at once", async () => {
  const batches: (readonly string[])[] = [];
  for await (const batch of paced(["a", "b", "c"], () => 250, open)) batches.push(batch);
  assert.deepEqual(batches[0], ["a"]);
  assert.deepEqual(batches.flat(), ["a", "b", "c"]);
});

test("the signal ends a wait", async () => {
  const stop = new AbortController();
  const rest = paced(["a", "b"], () => 0.001, stop.signal);
  await rest.next();
  const waiting = rest.next();
  stop.abort();
  await assert.rejects(waiting);
});

test("a new rate takes effect in a running answer", async () => {
  const sandbox = await startTestSandbox({ tokensPerSecond: 20, limits: "none" });
  const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "long", stream: true, messages: [{ role: "user", content: "2 MB" }] }),
  });
  let read = 0;
  for await (const piece of response.body ?? []) {
    read += piece.byteLength;
    sandbox.setTokensPerSecond(Number.POSITIVE_INFINITY);
  }
  assert.ok(read > 2_000_000);
  await sandbox.close();
});

test("a caller that stops reading pauses the writing, and its disconnect is recorded", async () => {
  const sandbox = await startTestSandbox({ tokensPerSecond: Number.POSITIVE_INFINITY, limits: "none" });
  const { hostname, port, pathname } = new URL(`${sandbox.baseUrl}/chat/completions`);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ model: "long", stream: true, messages: [{ role: "user", content: "4 MB" }] });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${sandbox.apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const arrived = sandbox.nextRequest();
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "data");
  socket.pause();
  const request = await arrived;
  assert.equal(request.status, 200);
  socket.destroy();
  await request.ended;
  assert.equal(request.aborted, true);
  await sandbox.close();
});

test("closing ends running answers and releases the port", async () => {
  const sandbox = await startTestSandbox({ tokensPerSecond: 1 });
  const arrived = sandbox.nextRequest();
  const response = await fetch(`${sandbox.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "long", stream: true, messages: [{ role: "user", content: "1 KB" }] }),
  });
  const request = await arrived;
  const never = assert.rejects(sandbox.nextRequest());
  await sandbox.close();
  await Promise.all([assert.rejects(response.text()), request.ended, never]);
  const again = await startTestSandbox({ port: Number(new URL(sandbox.baseUrl).port) });
  await again.close();
});

test("the log contains no key and no unbounded body", async () => {
  const sandbox = await startTestSandbox({ limits: "none" });
  const say = (content: string) =>
    fetch(`${sandbox.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "nobody", messages: [{ role: "user", content }] }),
    });
  await say("first");
  assert.doesNotMatch(JSON.stringify(sandbox.requests), new RegExp(sandbox.apiKey));
  assert.match(sandbox.requests[0]?.bodyText ?? "", /first/);
  await say("x".repeat(3_900_000));
  await say("y".repeat(3_900_000));
  assert.equal(sandbox.requests[0]?.bodyText, "");
  assert.match(sandbox.requests[2]?.bodyText ?? "", /yyy/);
  await sandbox.close();
});

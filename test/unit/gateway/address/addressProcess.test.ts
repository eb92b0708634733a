// The process at the port, with windows that come and go.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { freePort, killAll, openAddress, type TestAddress } from "./addressKit.ts";

const sentence = (text: string) => String(JSON.parse(text).error.message);

/** A connection that has sent the head of a call. */
async function begin(t: TestContext, { port }: TestAddress): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`);
  return socket;
}

test("a call that comes while the only window is reloaded waits, and the next window answers it", async (t) => {
  const address = await openAddress(t);
  const before = await address.open({ name: "before" });
  assert.equal(before.state, "here");
  assert.equal((await address.call()).status, 401);
  await before.leave();
  const large = JSON.stringify({ model: "echo", padding: "x".repeat(3_000_000) });
  const waiting = [address.call(), address.call("/v1/messages"), address.call(undefined, large)];
  await begin(t, address);
  const after = await address.open({ name: "after" });
  for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 401, answer.text);
  assert.equal(after.state, "here");
  assert.deepEqual(address.asked, ["before", "after", "after", "after"]);
  assert.equal(address.pids().length, 1);
});

test("a call whose window is gone is an error in the format of its caller, and no other window gets it", async (t) => {
  const address = await openAddress(t);
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = await address.open({
    name: "first",
    clientOf: () => {
      asked[address.asked.length - 1]?.resolve();
      return new Promise(() => {});
    },
  });
  const second = await address.open({ name: "second" });
  assert.deepEqual([first.state, second.state], ["here", "elsewhere"]);
  const chat = address.call();
  await asked[0]?.promise;
  const messages = address.call("/v1/messages");
  await asked[1]?.promise;
  await first.leave();
  for (const answer of await Promise.all([chat, messages])) {
    assert.equal(answer.status, 502);
    assert.equal(answer.headers["x-should-retry"], "false");
    assert.match(sentence(answer.text), /closed or reloaded during the call.*may have been billed/);
  }
  assert.equal(JSON.parse((await messages).text).type, "error");
  assert.equal((await address.call()).status, 401);
  assert.deepEqual(address.asked, ["first", "first", "second"]);
  assert.equal(second.state, "here");
});

test("a caller that gives up while it waits reaches no window", async (t) => {
  const address = await openAddress(t);
  await (await address.open({ name: "before" })).leave();
  const leaving = await begin(t, address);
  leaving.end();
  await once(leaving, "close");
  await address.open({ name: "after" });
  await address.call();
  assert.deepEqual(address.asked, ["after"]);
});

test("without a window a call is refused in the format of its caller, with the time after which to repeat it", async (t) => {
  const address = await openAddress(t, { holdMs: 1 });
  await (await address.open({ name: "before" })).leave();
  for (const [path, type] of [
    ["/v1/messages?beta=true", "overloaded_error"],
    ["/v1/responses", "server_error"],
  ] as const) {
    const { status, headers, text } = await address.call(path, "x".repeat(2_000_000));
    assert.equal(status, 503);
    assert.equal(JSON.parse(text).error.type, type);
    assert.match(sentence(text), /Open VS Code, and repeat the call\. Nothing was sent\.$/);
    assert.deepEqual([headers["retry-after"], headers["x-should-retry"]], ["5", "true"]);
  }
  assert.deepEqual(address.asked, []);
});

test("64 calls wait for a window, and the next ones are refused at once", async (t) => {
  const address = await openAddress(t);
  await (await address.open({ name: "before" })).leave();
  const calls = Array.from({ length: 70 }, () => address.call());
  const refused: string[] = [];
  const isFull = Promise.withResolvers<void>();
  for (const call of calls)
    void call.then(({ status, text }) => {
      if (status === 503) refused.push(text);
      if (refused.length === 6) isFull.resolve();
    });
  await isFull.promise;
  assert.match(sentence(refused[0] ?? ""), /too many calls wait/);
  await address.open({ name: "after" });
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 64);
});

test("after kill -9 of the process the windows start another one", async (t) => {
  const address = await openAddress(t);
  const windows = [await address.open({ name: "first" }), await address.open({ name: "second" })];
  killAll(address.pids());
  const answer = await answered(address);
  assert.equal(answer.status, 401);
  assert.ok(address.pids().length > 1);
  await Promise.all(windows.map((window) => window.stop()));
  await freePort(address.port);
});

/** An agent that repeats a call that finds nobody. */
async function answered(address: TestAddress) {
  for (;;) {
    try {
      return await address.call();
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test("a window of a later version replaces the process, and calls in progress go on in the earlier one", async (t) => {
  const address = await openAddress(t);
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  await address.open({
    name: "earlier",
    version: "1.9.0",
    clientOf: () => {
      asked.resolve();
      return go.promise;
    },
  });
  const running = address.call();
  await asked.promise;
  const later = await address.open({ name: "later", version: "1.10.0" });
  assert.equal(address.pids().length, 2);
  assert.equal(later.state, "here");
  assert.equal((await address.call()).status, 401);
  go.resolve(undefined);
  assert.equal((await running).status, 401);
  assert.deepEqual(address.asked, ["earlier", "later"]);
  const again = await address.open({ name: "of the earlier version", version: "1.9.0" });
  assert.equal(again.state, "elsewhere");
  assert.equal(address.pids().length, 2);
});

test("turning the gateway off frees the port for all, and ends the process", async (t) => {
  const address = await openAddress(t);
  const window = await address.open({ name: "one" });
  const waiting = await begin(t, address);
  // Read, so that its end is seen.
  const closed = once(waiting.resume(), "close");
  await window.stop();
  await freePort(address.port);
  await closed;
});

test("a process that no window comes back to ends, and frees the port", async (t) => {
  const address = await openAddress(t, { aloneMs: 1 });
  const open = connect(address.port, "127.0.0.1").on("error", () => {});
  await (await address.open({ name: "one" })).leave();
  open.destroy();
  for (;;) if (await freePort(address.port).catch(() => undefined)) break;
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { GatewayListener } from "../../../../src/gateway/host/gatewayListener.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import { freePort, openAddress } from "../address/addressKit.ts";
import { sendRaw } from "../gatewayKit.ts";

function windowWith(t: TestContext, name: string, reported: unknown[] = []): GatewayListener {
  const listener = new GatewayListener(
    {
      clientOf: async () => undefined,
      open: () => Promise.reject(new Error(name)),
      sessions: new SessionBook(Date.now),
      now: Date.now,
    },
    (error) => reported.push(error),
  );
  t.after(() => listener.stop());
  return listener;
}

test("another window takes over when the one that listens is closed", async (t) => {
  const port = await freePort();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const reported: unknown[] = [];
  const [first, second] = [windowWith(t, "first"), windowWith(t, "second", reported)];
  await first.listen(port);
  await second.listen(port);
  assert.deepEqual([first.state, second.state], ["here", "elsewhere"]);
  t.mock.timers.tick(2_000);
  // The list of windows is asked again: it waits for the try.
  await second.listen(port);
  assert.equal(second.state, "elsewhere");
  assert.equal(reported.length, 1);
  await first.stop();
  t.mock.timers.tick(2_000);
  await second.listen(port);
  assert.deepEqual([first.state, second.state], ["off", "here"]);
  t.mock.timers.reset();
  assert.equal((await sendRaw({ port, token: "" }, { method: "GET", path: "/v1/models" })).status, 401);
});

test("the same port again closes no call, and another one is a new address", async (t) => {
  const [port, next] = [await freePort(), await freePort()];
  const window = windowWith(t, "one");
  await Promise.all([window.listen(port), window.listen(port)]);
  assert.equal(window.state, "here");
  await window.listen(next);
  assert.equal((await sendRaw({ port: next, token: "" }, { method: "GET", path: "/v1/models" })).status, 401);
  await freePort(port);
  await window.stop();
  await freePort(next);
});

test("where no process can be started the window listens itself", async (t) => {
  const address = await openAddress(t, { path: "/nowhere/gateway.js" });
  const window = await address.open({ name: "one" });
  assert.equal(window.state, "here");
  assert.equal((await address.call()).status, 401);
  assert.match(String(address.reported[0]), /process for its port has ended/);
  await window.stop();
  await freePort(address.port);
});

test("the port of another program is told once, and stays its own", async (t) => {
  const address = await openAddress(t);
  const other = createServer((_, res) => res.end("other"));
  other.listen(address.port, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const window = await address.open({ name: "one" });
  assert.equal(window.state, "elsewhere");
  assert.match(String(address.reported), /^Error: another program uses port \d+$/);
  assert.equal((await address.call()).text, "other");
});

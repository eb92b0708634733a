import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { GatewayListener } from "../../../../src/gateway/host/gatewayListener.ts";
import { SessionBook } from "../../../../src/gateway/server/sessionBook.ts";
import { sendRaw } from "../gatewayKit.ts";

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Rejects if the port is taken. */
async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}

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
  await listenOnce(port);
  await window.stop();
  await listenOnce(next);
});

// Reads that nobody asked for stay away from a dead address, longer after each failure; real calls say what is dead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/api/errors/errors.ts";
import type { Connection } from "../../../src/session/connection/connection.ts";
import { ConnectPauses } from "../../../src/session/connectPauses.ts";
import { closedPort } from "../../loopback/rawServer.ts";
import { clientOf, failureOf, question, serve, transports } from "../api/client.ts";

const dead: Connection = {
  id: "a",
  name: "A",
  kind: "live",
  baseUrl: "https://dead.example/api",
  dialect: "auto",
};
const sibling: Connection = { ...dead, id: "b", baseUrl: "https://dead.example" };
const other: Connection = { ...dead, id: "c", baseUrl: "https://other.example" };

function setUp() {
  const clock = { nowMs: 1_000_000 };
  const pauses = new ConnectPauses(() => clock.nowMs);
  const exchange = { type: "exchange", endpoint: "x", method: "GET", path: "/x", attempt: 0, ms: 1 } as const;
  const fail = (connection: Connection, details = { mayHaveArrived: false }) =>
    pauses.receive(connection, {
      ...exchange,
      limits: {},
      error: new ApiError("network", "refused", details),
    });
  const answer = (connection: Connection, status = 200) =>
    pauses.receive(connection, { ...exchange, limits: {}, status });
  /** The length of the pause, in seconds. */
  const measured = (connection: Connection) => {
    const start = clock.nowMs;
    while (pauses.isPaused(connection)) clock.nowMs += 1000;
    return (clock.nowMs - start) / 1000;
  };
  return { clock, pauses, fail, answer, measured };
}

test("the pause doubles with each failure after one, up to ten minutes, and ends with any answer", () => {
  const { fail, answer, measured } = setUp();
  const seconds = Array.from({ length: 8 }, () => {
    fail(dead);
    return measured(dead);
  });
  assert.deepEqual(seconds, [30, 60, 120, 240, 480, 600, 600, 600]);
  fail(dead);
  answer(dead, 503);
  assert.equal(measured(dead), 0);
  fail(dead);
  assert.equal(measured(dead), 30);
});

test("it is of an address: of all connections to it, and of no other", () => {
  const { pauses, fail } = setUp();
  fail(dead);
  assert.deepEqual(
    [dead, sibling, other].map((connection) => pauses.isPaused(connection)),
    [true, true, false],
  );
  pauses.clear();
  assert.equal(pauses.isPaused(dead), false);
});

test("calls that fail together, or during a pause, count as one", () => {
  const { clock, fail, measured } = setUp();
  for (let calls = 0; calls < 20; calls++) fail(dead);
  clock.nowMs += 10_000;
  fail(dead);
  assert.equal(measured(dead), 20);
  fail(dead);
  assert.equal(measured(dead), 60);
});

test("a connection that was made, and lost, is no reason", () => {
  const { pauses, fail } = setUp();
  fail(dead, { mayHaveArrived: true });
  assert.equal(pauses.isPaused(dead), false);
});

for (const { name, create } of transports) {
  test(`${name}: a refused connection pauses what nobody asked for, and a user's call is sent at once`, async (t) => {
    const pauses = new ConnectPauses(Date.now);
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const local = { ...dead, baseUrl: origin };
    const { api } = clientOf(t, origin, {
      transport: create(),
      observe: (event) => pauses.receive(local, event),
    });
    await failureOf(api.account.rateLimits({}));
    assert.equal(pauses.isPaused(local), true);
    // The client itself knows no pause.
    const again = await failureOf(api.account.rateLimits({}));
    assert.equal(again.details.reason, "refused");
  });

  test(`${name}: an error of the service, even a lost connection, pauses nothing`, async (t) => {
    const pauses = new ConnectPauses(Date.now);
    const server = await serve(t, ({ url }, response) =>
      url.includes("chat") ? response.socket?.destroy() : response.writeHead(500).end(),
    );
    const local = { ...dead, baseUrl: server.origin };
    const { api } = clientOf(t, server.origin, {
      transport: create(),
      observe: (event) => pauses.receive(local, event),
    });
    await failureOf(api.account.rateLimits({}));
    await failureOf(api.chat.complete(question));
    assert.equal(pauses.isPaused(local), false);
  });
}

// The views of the account are read again each minute while they are shown, and rarely while nothing can be reached.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "../../../../../src/account/host/accountOf.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import { ConnectPauses } from "../../../../../src/session/connectPauses.ts";
import "../../../vscodeDouble.ts";

const { createAccountViews } = await import("../../../../../src/account/host/tree/accountViews.ts");

const minuteMs = 60_000;
const connection: Connection = {
  ...{ id: "c", name: "C", kind: "live", dialect: "auto" },
  baseUrl: "https://c.example",
};

test("while no connection can be made, the minutes of an hour read a few times, ages go on, and Refresh reads at once", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: 1_000_000 });
  const pauses = new ConnectPauses(Date.now);
  const cached = { value: {}, asOfMs: Date.now(), error: new Error("refused"), isLoading: false };
  const data = { keys: { cached }, limits: { cached }, analytics: () => ({ cached }), now: Date.now };
  const of = { identity: "c", connection, admin: connection, data } as unknown as Account;
  const tree = () => ({ visible: true, description: "", message: "" });
  const trees = { keys: tree(), usage: tree(), limits: { ...tree(), visible: false } };
  const reads: number[] = [];
  const event = { type: "exchange", endpoint: "x", method: "GET", path: "/x", attempt: 0, ms: 1 } as const;
  let isDead = true;
  const read = () => {
    reads.push(Date.now());
    const error = new ApiError("network", "refused", { mayHaveArrived: false });
    pauses.receive(connection, { ...event, limits: {}, ...(isDead ? { error } : { status: 200 }) });
  };
  const views = createAccountViews({
    session: { isPaused: (asked: Connection) => pauses.isPaused(asked) },
    account: () => of,
    trees,
    changed: read,
  } as never);
  t.after(() => views.dispose());
  for (let minute = 0; minute < 60; minute++) t.mock.timers.tick(minuteMs);
  const minutes = reads.map((atMs) => (atMs - 1_000_000) / minuteMs);
  // The first of two visible views finds out. 30 s, then 1, 2, 4, 8 and 10 minutes.
  assert.deepEqual(minutes, [1, 2, 3, 5, 9, 17, 27, 37, 47, 57]);
  assert.equal(trees.keys.description, "1 h ago");
  views.redraw("usage");
  assert.equal(reads.length, 11);
  isDead = false;
  views.redraw("usage");
  t.mock.timers.tick(2 * minuteMs);
  assert.equal(reads.length, 16, "after an answer each minute again, of both views");
});

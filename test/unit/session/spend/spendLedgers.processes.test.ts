import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { dayOf } from "../../../../src/shared/time/days.ts";
import { listen } from "../../../loopback/server.ts";
import { recordIn, usd, usdOf } from "../../account/host/money.ts";
import { minuteMs } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { billed, hard, isRefused, search, serve } from "../spendGateKit.ts";
import { lineOf, startWindow } from "../windowProcess.ts";

test("two processes share one budget", async (t) => {
  const sandbox = await serve(t);
  const folder = temporaryFolder();
  const about = { folder, baseUrl: sandbox.baseUrl, dayUsd: 0.05, calls: 40 };
  const children = [1, 2].map(() => startWindow(t, about, sandbox.apiKey));
  await Promise.all(children.map(lineOf));
  for (const one of children) one.stdin?.write("go\n");
  const sent = (await Promise.all(children.map(lineOf))).map(Number);
  assert.equal(
    sent.reduce((sum, count) => sum + count, 0),
    5,
  );
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.05");
  const { spend } = openWindow({ ...sandbox, folder, budgets: hard(0.05) });
  assert.equal(exactText(usdOf((await spend.totals(connection)).today)), "0.05");
});

test("a process killed during its calls leaves no reservation, and the bill is right", async (t) => {
  const folder = temporaryFolder();
  // The service bills the calls and never answers.
  const service = await listen(() => {});
  t.after(() => service.close());
  const about = { folder, baseUrl: `${service.origin}/api/v1`, dayUsd: 0.05, calls: 9 };
  const one = startWindow(t, about, "key");
  await lineOf(one);
  one.stdin?.write("go\n");
  await service.arrival(4);
  one.kill("SIGKILL");
  await once(one, "exit");
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const options = { folder, baseUrl: about.baseUrl, apiKey: "key", budgets: hard(0.05), now };
  const { spend, gate, prices } = openWindow(options);
  const admit = () => gate.admit(connection, search, prices, undefined);
  await assert.rejects(admit(), isRefused, "pending calls of the other process count");
  const record = recordIn({ atMs: now(), requestId: undefined }, 0.01);
  aheadMs = 11 * minuteMs;
  const days = new Map([[dayOf(record.atMs), usd(0.04)]]);
  await spend.takeBill(connection, { asOfMs: now(), days, records: [1, 2, 3, 4].map(() => record) });
  assert.equal(exactText(usdOf((await spend.totals(connection)).month)), "0.04");
  assert.equal(typeof (await admit()), "string", "one more fits");
  await assert.rejects(admit(), isRefused);
});

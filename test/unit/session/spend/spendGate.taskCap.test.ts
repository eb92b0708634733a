// The cap of an agent's task: calls of all windows count, and a call that could exceed it is not sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import type { SpendTask } from "../../../../src/api/money/charge.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { sandboxConnection } from "../../../../src/session/connection/connections.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { listen } from "../../../loopback/server.ts";
import { usdOf } from "../../account/host/money.ts";
import { minuteMs } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { spendsAtMost } from "../randomWindows.ts";
import { billed, noService, search, serve } from "../spendGateKit.ts";
import { lineOf, startWindow } from "../windowProcess.ts";

const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
const taskOf = (capUsd: number, id = "task-1"): SpendTask => ({
  id,
  round: 1,
  capUsd,
});
interface Limits {
  capUsd: number;
  refusal?: string | undefined;
}

/** A task whose limits the test changes while its calls wait. */
function taskWithin(limits: Limits): SpendTask {
  return {
    ...taskOf(0),
    get capUsd() {
      return limits.capUsd;
    },
    refusal: () => limits.refusal,
  };
}

const isCapReached = (error: unknown) =>
  isApiError(error) && error.kind === "payment-required" && error.details.source === "task";

test("parallel calls of a task spend at most its cap; another task has a cap of its own", async (t) => {
  const sandbox = await serve(t);
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: none });
  const callsOf = (task: SpendTask, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () =>
        window.api.augment.search({ query: "chat" }, { source: { kind: "chat", task } }),
      ),
    );
  const settled = await callsOf(taskOf(0.05), 40);
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  assert.equal(failed.length, 35);
  assert.ok(failed.every(isCapReached), String(failed[0]));
  const [refusal] = await callsOf(taskOf(0.05), 1);
  assert.match(
    String((refusal as PromiseRejectedResult).reason),
    /cap of the task.*\$0\.050 of \$0\.050 is spent/,
  );
  const raised = await callsOf({ ...taskOf(0.07), round: 2 }, 4);
  assert.equal(raised.filter(({ status }) => status === "fulfilled").length, 2);
  const other = await callsOf(taskOf(0.01, "task-2"), 3);
  assert.equal(other.filter(({ status }) => status === "fulfilled").length, 1);
  await window.api.augment.search({ query: "chat" });
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.09");
  const entries = await window.spend.entries(connection);
  assert.equal(entries.filter(({ source }) => source?.task === "task-1").length, 7);
  assert.deepEqual(new Set(entries.map(({ source }) => source?.round)), new Set([undefined, 1, 2]));
  const spent = await window.spend.taskSpend(connection, taskOf(1));
  assert.deepEqual([exactText(usdOf(spent.spent)), spent.claimed.digits()], ["0.07", "0"]);
});

test("two processes share the cap of a task", async (t) => {
  const sandbox = await serve(t);
  const about = { folder: temporaryFolder(), baseUrl: sandbox.baseUrl, calls: 40, task: taskOf(0.05) };
  const children = [1, 2].map(() => startWindow(t, about, sandbox.apiKey));
  await Promise.all(children.map(lineOf));
  for (const one of children) one.stdin?.write("go\n");
  const sent = (await Promise.all(children.map(lineOf))).map(Number);
  assert.equal((sent[0] ?? 0) + (sent[1] ?? 0), 5);
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.05");
});

test("calls of a process that was killed count against the cap for good, because they may have been billed", async (t) => {
  const folder = temporaryFolder();
  // The service bills the calls and never answers.
  const service = await listen(() => {});
  t.after(() => service.close());
  const task = taskOf(0.05);
  const about = { folder, baseUrl: `${service.origin}/api/v1`, calls: 4, task };
  const one = startWindow(t, about, "key");
  await lineOf(one);
  one.stdin?.write("go\n");
  await service.arrival(3);
  const ended = new Promise((resolve) => one.once("exit", resolve));
  one.kill("SIGKILL");
  await ended;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const { gate, prices } = openWindow({ ...noService, folder, budgets: none, now });
  const admit = () =>
    gate.admit(connection, { ...search, source: { kind: "chat", task } }, prices, undefined);
  aheadMs = 11 * minuteMs;
  assert.equal(typeof (await admit()), "string", "one more fits");
  await assert.rejects(admit(), isCapReached);
  aheadMs = 40 * 24 * 60 * minuteMs;
  await assert.rejects(admit(), isCapReached, "a task that goes on in another month");
});

test("a task that goes on over another connection keeps its cap; the sandbox's play money is separate", async () => {
  const folder = temporaryFolder();
  const source = { kind: "chat", task: taskOf(0.05) } as const;
  const admitted = async (over: Connection, count: number) => {
    const { gate, prices } = openWindow({ ...noService, folder, budgets: none });
    const admit = () => gate.admit(over, { ...search, source }, prices, undefined);
    const settled = await Promise.allSettled(Array.from({ length: count }, admit));
    const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    assert.ok(failed.every(isCapReached), String(failed[0]));
    return count - failed.length;
  };
  assert.equal(await admitted(connection, 3), 3);
  assert.equal(await admitted({ ...connection, id: "c-2" }, 4), 2);
  assert.equal(await admitted(connection, 1), 0);
  assert.equal(await admitted({ ...connection, id: "environment", kind: "environment" }, 1), 0);
  assert.equal(await admitted(sandboxConnection, 6), 5);
  assert.equal(await admitted({ ...connection, id: "c-3" }, 1), 0);
  // Both may be refused at the same time, but never both admitted.
  const other = { ...source, task: taskOf(0.01, "task-2") };
  const both = ["c-4", "c-5"].map((id) => {
    const { gate, prices } = openWindow({ ...noService, folder, budgets: none });
    return gate.admit({ ...connection, id }, { ...search, source: other }, prices, undefined);
  });
  const settled = await Promise.allSettled(both);
  assert.ok(settled.filter(({ status }) => status === "fulfilled").length <= 1);
});

test("a call without a price limit is refused in a task, and one that fits is admitted", async (t) => {
  const sandbox = await serve(t);
  const models = [{ id: "m", type: "text", model_spec: {} }];
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: none, models });
  const request = { model: "m", messages: [{ role: "user" as const, content: "Hi" }] };
  const source = { kind: "chat", task: taskOf(1) } as const;
  await assert.rejects(window.api.chat.complete(request, { source }), /no price that bounds.*task has a cap/);
});

test("windows in any order never spend more than the cap", () => {
  const source = { kind: "chat", task: taskOf(10) } as const;
  return spendsAtMost({ usd: 10, budgets: none, source, isRefused: isCapReached });
});

test("a call that waits for its admission is judged by the limits at that time", async () => {
  const window = openWindow({ ...noService, folder: temporaryFolder(), budgets: none });
  const limits: Limits = { capUsd: 1 };
  const task = taskWithin(limits);
  const admit = () =>
    window.gate.admit(connection, { ...search, source: { kind: "chat", task } }, window.prices, undefined);
  const first = admit();
  limits.capUsd = 0.001;
  await assert.rejects(first, isCapReached);
  limits.capUsd = 1;
  const second = admit();
  limits.refusal = "the task has had 3 rounds";
  await assert.rejects(second, (error) => isApiError(error) && error.details.source === "limit");
  limits.refusal = undefined;
  assert.equal(typeof (await admit()), "string");
});

for (const wait of ["a rate limit", "a repetition"])
  test(`a call that waits for ${wait} is judged again before it is sent`, async (t) => {
    for (const change of ["nothing", "cap", "limit"]) {
      const resetAt = String(Math.ceil(Date.now() / 1000) + 1);
      const isLimited = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": resetAt };
      let isFirst = true;
      const service = await listen((_, response) => {
        const isRefused = wait === "a repetition" && isFirst;
        isFirst = false;
        response.writeHead(isRefused ? 429 : 200, {
          "content-type": "application/json",
          ...(isRefused ? { "retry-after": "1" } : isLimited),
        });
        response.end(
          isRefused
            ? '{"error":{"message":"Slow down"}}'
            : '{"query":"chat","results":[],"date":"2026-01-01"}',
        );
      });
      t.after(() => service.close());
      const folder = temporaryFolder();
      const paused = Promise.withResolvers<void>();
      const window = openWindow({
        baseUrl: `${service.origin}/api/v1`,
        apiKey: "key",
        folder,
        budgets: none,
        onWaiting: paused.resolve,
      });
      const limits: Limits = { capUsd: 0.03 };
      const task = taskWithin(limits);
      const call = () => window.api.augment.search({ query: "chat" }, { source: { kind: "chat", task } });
      if (wait === "a rate limit") await call();
      const waiting = call();
      await paused.promise;
      if (change === "cap") limits.capUsd = wait === "a rate limit" ? 0.015 : 0.005;
      if (change === "limit") limits.refusal = "the task has had 3 rounds";
      if (change === "nothing") await waiting;
      else if (change === "cap") await assert.rejects(waiting, isCapReached);
      else await assert.rejects(waiting, (error) => isApiError(error) && error.details.source === "limit");
      assert.equal(service.received.length, change === "nothing" ? 2 : 1);
      const { claimed } = await window.spend.taskSpend(connection, task);
      assert.equal(claimed.digits(), "0", "nothing stays reserved");
    }
  });

// The share of a subagent of the task's cap: it holds in all windows, and so does the cap for all of them together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import type { SpendTask } from "../../../../src/api/money/charge.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { listen } from "../../../loopback/server.ts";
import { minuteMs } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { spendsAtMost } from "../randomWindows.ts";
import { billed, noService, search, serve } from "../spendGateKit.ts";
import { lineOf, startWindow } from "../windowProcess.ts";

const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
const taskOf = (capUsd: number, subagent?: { readonly id: string; readonly capUsd: number }): SpendTask => ({
  ...{ id: "task-1", round: 1, capUsd },
  ...(subagent ? { subagent } : {}),
});
const isCapReached = (error: unknown) =>
  isApiError(error) && error.kind === "payment-required" && error.details.source === "task";

test("parallel calls of subagents spend at most the share of each, and together the cap", async (t) => {
  const sandbox = await serve(t);
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: none });
  const callsOf = async (task: SpendTask, count: number) => {
    const settled = await Promise.allSettled(
      Array.from({ length: count }, () =>
        window.api.augment.search({ query: "chat" }, { source: { kind: "chat", task } }),
      ),
    );
    const failed = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    assert.ok(failed.every(isCapReached), String(failed[0]));
    return { sent: count - failed.length, refusal: String(failed[0] ?? "") };
  };
  const share = (id: string, capUsd: number) => taskOf(0.1, { id, capUsd });
  const [one, two] = await Promise.all([callsOf(share("s-1", 0.03), 10), callsOf(share("s-2", 0.04), 10)]);
  assert.deepEqual([one.sent, two.sent], [3, 4]);
  assert.match(one.refusal, /more than the subagent's share of the cap has left/);
  const third = await callsOf(share("s-3", 0.1), 10);
  assert.equal(third.sent, 3, "the cap has no more");
  assert.match(third.refusal, /more than the cap of the task has left/);
  assert.equal((await callsOf(taskOf(0.1), 1)).sent, 0);
  assert.equal(exactText(await billed(sandbox, temporaryFolder())), "0.1");
  const entries = await window.spend.entries(connection);
  const byId = Map.groupBy(entries, ({ source }) => source?.subagent);
  assert.deepEqual(
    ["s-1", "s-2", "s-3"].map((id) => byId.get(id)?.length),
    [3, 4, 3],
  );
  const { spent, ofSubagent } = await window.spend.taskSpend(connection, share("s-2", 1));
  assert.deepEqual(
    [spent, ofSubagent?.spent].map((sum) => sum && Counted.of(sum).digits()),
    ["0.1", "0.04"],
  );
});

test("calls of a subagent whose process was killed count against its share and the cap for good", async (t) => {
  const folder = temporaryFolder();
  // The service bills the calls and never answers.
  const service = await listen(() => {});
  t.after(() => service.close());
  const task = taskOf(0.06, { id: "s-1", capUsd: 0.04 });
  const one = startWindow(t, { folder, baseUrl: `${service.origin}/api/v1`, calls: 3, task }, "key");
  await lineOf(one);
  one.stdin?.write("go\n");
  await service.arrival(2);
  const ended = new Promise((resolve) => one.once("exit", resolve));
  one.kill("SIGKILL");
  await ended;
  const now = () => Date.now() + 11 * minuteMs;
  const { gate, prices } = openWindow({ ...noService, folder, budgets: none, now });
  const admit = (by: SpendTask) =>
    gate.admit(connection, { ...search, source: { kind: "chat", task: by } }, prices, undefined);
  assert.equal(typeof (await admit(task)), "string", "one more fits into the share");
  await assert.rejects(admit(task), isCapReached);
  const others = await Promise.allSettled(
    Array.from({ length: 4 }, () => admit(taskOf(0.06, { id: "s-2", capUsd: 1 }))),
  );
  assert.equal(others.filter(({ status }) => status === "fulfilled").length, 2);
  await assert.rejects(admit(taskOf(0.06)), isCapReached);
});

test("windows in any order never spend more than the share of a subagent", () => {
  const source = { kind: "chat", task: taskOf(100, { id: "s-1", capUsd: 10 }) } as const;
  return spendsAtMost({ usd: 10, budgets: none, source, isRefused: isCapReached });
});

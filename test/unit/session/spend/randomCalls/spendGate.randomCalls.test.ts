// Random calls in three windows that are killed and started again, over three connections and two currencies: what the
// service bills stays within every budget, and the ledger has all of it.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { openWindow } from "../../budgetWindow.ts";
import { noService } from "../../spendGateKit.ts";
import type { FromWindow, ToWindow } from "./callingWindow.ts";
import {
  billOf,
  budgets,
  type CallSpec,
  callSpec,
  connections,
  dayUsd,
  models,
  monthUsd,
  now,
  scopes,
  taskCapUsd,
} from "./callSpec.ts";

const windows = 3;
const atOnce = 4;
const script = join(import.meta.dirname, "callingWindow.ts");

/** The service: what it has billed, in millionths. */
class Service {
  readonly bills: { readonly spec: CallSpec; readonly micros: number }[] = [];

  /** Takes a call, and bills it unless it fails in a way that bills nothing. */
  take(spec: CallSpec): ReturnType<typeof billOf> {
    const billed = billOf(spec);
    const isBilled = spec.end === "answered" || spec.end === "maybe billed";
    if (isBilled) this.bills.push({ spec, micros: billed.micros });
    return billed;
  }

  sumOf(has: (spec: CallSpec) => boolean): number {
    return this.bills.reduce((sum, { spec, micros }) => sum + (has(spec) ? micros : 0), 0);
  }
}

interface Round {
  readonly folder: string;
  readonly service: Service;
  /** The calls that no window has got yet. */
  readonly left: CallSpec[];
  readonly count: { sent: number; refused: number; killed: number };
}

/** One window after the other, each until it is killed, until no call is left. */
async function runWindows(t: TestContext, round: Round): Promise<void> {
  while (round.left.length > 0) await runWindow(t, round);
}

async function runWindow(t: TestContext, { folder, service, left, count }: Round): Promise<void> {
  const child: ChildProcess = fork(script, [folder], { execArgv: ["--no-warnings"] });
  t.after(() => child.kill("SIGKILL"));
  const exit = once(child, "exit");
  const running = new Map<number, CallSpec>();
  const failures: string[] = [];
  let next = 0;
  const send = (message: ToWindow) => child.connected && child.send(message, () => {});
  const fill = () => {
    for (; running.size < atOnce && left.length > 0; next++) {
      const spec = left.shift();
      if (!spec) break;
      running.set(next, spec);
      send({ type: "call", id: next, spec });
    }
    if (running.size === 0 && child.connected) child.disconnect();
  };
  child.on("message", (message: FromWindow) => {
    if (message.type === "ready") return fill();
    const spec = running.get(message.id);
    if (!spec) return;
    if (message.type === "sent") {
      count.sent += 1;
      const billed = service.take(spec);
      if (!spec.isFatal) return send({ type: "answer", id: message.id, billed });
      count.killed += 1;
      child.kill("SIGKILL");
      return;
    }
    if (message.type === "failed") failures.push(message.error);
    if (message.type === "refused") count.refused += 1;
    running.delete(message.id);
    fill();
  });
  await exit;
  assert.deepEqual(failures, []);
}

/** What the ledger counts of a connection, and what it reserves for calls of unknown price. */
async function ledgerOf(folder: string, connection: (typeof connections)[number]) {
  const { spend } = openWindow({ ...noService, folder, now, budgets, models });
  const { today, month } = await spend.totals(connection);
  let claimed = Counted.zero;
  await spend.reserve(connection, Counted.zero, (_, claims) => {
    claimed = claims.today;
    return "only read";
  });
  return { today: Counted.of(today), month: Counted.of(month), claimed };
}

const inMicros = (micros: number) => Counted.parse((micros / 1e6).toFixed(6));

test("1,000 random calls of three windows, some killed: the bill stays within every budget, and the ledger has all of it", async (t) => {
  const folder = temporaryFolder();
  const specs = fc.sample(callSpec, randomCases(1000));
  const round: Round = {
    folder,
    service: new Service(),
    left: [...specs],
    count: { sent: 0, refused: 0, killed: 0 },
  };
  await Promise.all(Array.from({ length: windows }, () => runWindows(t, round)));
  const { service, count } = round;
  t.diagnostic(`${count.sent} calls sent, ${count.refused} refused, ${count.killed} windows killed`);
  for (const [index, connection] of connections.entries()) {
    const isHere = (spec: CallSpec) => spec.connection === index;
    const billed = service.sumOf(isHere);
    assert.ok(billed <= Math.min(dayUsd, monthUsd) * 1e6, `${connection.id}: ${billed}`);
    for (const { per, limitUsd, has } of scopes) {
      const sum = service.sumOf((spec) => isHere(spec) && has(spec));
      assert.ok(sum <= limitUsd * 1e6, `${connection.id} ${JSON.stringify(per)}: ${sum}`);
    }
    const { today, month, claimed } = await ledgerOf(folder, connection);
    const text = `${connection.id}: billed ${billed}, ${JSON.stringify([today, month, claimed], String)}`;
    assert.ok(!inMicros(billed).exceeds(today.plus(claimed)), `the ledger has the bill: ${text}`);
    assert.ok(!today.exceeds(inMicros(billed)), `it counts nothing else: ${text}`);
    assert.equal(month.compare(today), 0);
  }
  for (const task of ["t1", "t2"]) {
    const sum = service.sumOf((spec) => spec.client === "agent" && spec.task === task);
    assert.ok(sum <= taskCapUsd * 1e6, `${task}: ${sum}`);
  }
});

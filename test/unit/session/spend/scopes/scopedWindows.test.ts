// Several windows, and processes that are killed, together keep the hard stops of parts of the calls.
import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { Charged, SpendSource, Uncharged } from "../../../../../src/api/money/charge.ts";
import type { PaidCall } from "../../../../../src/api/money/upperPrice.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { nothing } from "../../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { exactText } from "../../../../../src/shared/money/exact.ts";
import {
  type BudgetScope,
  budgetDimensions,
  type ScopedBudget,
} from "../../../../../src/shared/money/scopedBudget.ts";
import { listen } from "../../../../loopback/server.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { usdOf } from "../../../account/host/money.ts";
import { createClock, minuteMs } from "../../../sandbox/clock.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { connection, openWindow } from "../../budgetWindow.ts";
import { isRefused, noService, search, serve } from "../../spendGateKit.ts";
import { lineOf, startWindow } from "../../windowProcess.ts";

const names = ["", "a", "b"] as const;
const name = fc.constantFrom(...names);
const clients = ["chat", "agent", "mcp", "mcp:a", "completion", ""] as const;

/** A scope of one or two of the values that the calls have. */
const scope = fc
  .record({
    folder: name,
    branch: name,
    model: fc.constantFrom("m", "n"),
    client: fc.constantFrom(...clients),
    key: fc.constantFrom("", "aaaaaa"),
  })
  .chain((all) =>
    fc
      .subarray([...budgetDimensions], { minLength: 1, maxLength: 2 })
      .map((picked): BudgetScope => Object.fromEntries(picked.map((one) => [one, all[one]]))),
  );
const budget: fc.Arbitrary<ScopedBudget> = fc.record({
  per: scope,
  limitUsd: fc.integer({ min: 1, max: 12 }),
  period: fc.constantFrom("day", "month"),
  onReach: fc.constant("stop"),
});
const step = fc.record({
  kind: fc.constantFrom("reserve", "reserve", "reserve", "settle", "release", "unsure"),
  window: fc.nat(2),
  usd: fc.integer({ min: 1, max: 6 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  folder: name,
  branch: name,
  model: fc.constantFrom("m", "n"),
  client: fc.constantFrom(...clients),
  keyEnding: fc.constantFrom("", "aaaaaa", "bbbbbb"),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function sourceOf({ client, folder, branch }: Step): SpendSource | undefined {
  if (client === "") return undefined;
  const resource = JSON.stringify({ folder, branch });
  if (client === "agent") return { kind: "chat", resource, task: { id: "t", round: 1, capUsd: 1e9 } };
  const [kind, own] = client.split(":") as [SpendSource["kind"], string?];
  return { kind, resource, ...(own === undefined ? {} : { client: own }) };
}

const endpoint = "audio.speech";

/** Who makes the call, and the key that pays. */
function payerOf(of: Step): Pick<PaidCall, "source" | "keyEnding"> {
  const source = sourceOf(of);
  return { ...(source ? { source } : {}), ...(of.keyEnding ? { keyEnding: of.keyEnding } : {}) };
}

type About = Pick<Charged, "endpoint" | "source" | "keyEnding"> & { readonly model: string };

/** The event of the end of a call, by what it cost; undefined if a call without a hold costs nothing. */
function endOf(kind: Step["kind"], about: About, hold: string | undefined) {
  if (kind === "settle") {
    const held = hold === undefined ? {} : { hold };
    return (usd: number): Charged => ({ type: "charged", fact: { by: "request", usd }, ...about, ...held });
  }
  if (hold === undefined) return undefined;
  return (): Uncharged => ({ type: "uncharged", mayBeBilled: kind === "unsure", ...about, hold });
}

/** The rule, written again from the ledger's members. */
function isCounted({ folder, branch, model, client, key }: BudgetScope, entry: SpentEntry): boolean {
  const { source } = entry;
  const kind = source?.task ? "agent" : (source?.kind ?? "");
  const isOf = (wanted: string | undefined, ...has: readonly (string | undefined)[]) =>
    wanted === undefined || has.some((one) => (one ?? "") === wanted);
  return (
    isOf(folder, entry.folder) &&
    isOf(branch, entry.branch) &&
    isOf(model, entry.model) &&
    isOf(key, entry.keyEnding) &&
    isOf(client, kind, `${kind}:${source?.client}`)
  );
}

const speech = (id: string) => ({ id, type: "tts", model_spec: { pricing: { input: { usd: 1e6 } } } });

test("windows in any order never pass a hard stop of any scope", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 40 });
  const property = fc.asyncProperty(
    fc.array(budget, { minLength: 1, maxLength: 6 }),
    steps,
    async (scoped, all) => {
      const folder = temporaryFolder();
      const now = createClock().now;
      const budgets = {
        dayUsd: undefined,
        monthUsd: undefined,
        hardStop: false,
        parts: { scoped, faults: [] },
      };
      let asked = 0;
      // The branch changes all the time: what is judged has to be what counts.
      const placeOf = async (resource: string | undefined) => {
        const { folder: in_, branch } = JSON.parse(resource ?? "{}");
        asked++;
        return {
          ...(in_ ? { folder: in_ } : {}),
          ...(branch ? { branch: asked % 3 === 0 ? "b" : branch } : {}),
        };
      };
      const options = { ...noService, folder, now, budgets, models: [speech("m"), speech("n")], placeOf };
      const open: { hold: string | undefined; of: Step; window: number }[] = [];
      const runWindow = async (window: number) => {
        const { gate, spend, prices } = openWindow(options);
        const reserve = async (of: Step) => {
          const input = { model: of.model, input: "x".repeat(of.usd) };
          const call: PaidCall = { endpoint, price: { by: "characters" }, input, ...payerOf(of) };
          try {
            open.push({ hold: await gate.admit(connection, call, prices, undefined), of, window });
          } catch (error) {
            assert.ok(isRefused(error), String(error));
          }
        };
        const end = async ({ kind, part }: Pick<Step, "kind" | "part">) => {
          const index = open.findIndex((one) => one.window === window);
          const [reserved] = index < 0 ? [] : open.splice(index, 1);
          if (!reserved) return;
          const { hold, of } = reserved;
          const ended = endOf(kind, { endpoint, model: of.model, ...payerOf(of) }, hold);
          const usd = Math.floor(of.usd * part);
          if (ended) spend.record(connection, ended(usd), prices);
          await spend.totals(connection);
        };
        for (const one of all.filter((each) => each.window === window))
          await (one.kind === "reserve" ? reserve(one) : end(one));
        // What is still open costs what it may cost.
        while (open.some((one) => one.window === window)) await end({ kind: "settle", part: 1 });
      };
      await Promise.all([0, 1, 2].map(runWindow));
      const { spend } = openWindow(options);
      const entries = await spend.entries(connection);
      const sums = await spend.scopes(
        connection,
        scoped.map(({ per }) => per),
      );
      for (const [index, { per, limitUsd }] of scoped.entries()) {
        const counted = entries.filter((entry) => isCounted(per, entry));
        const spent = Counted.zero.plusAll(
          counted.map(({ cost, most = Counted.zero }) => (cost ? Counted.of(cost) : most)),
        );
        assert.ok(
          !spent.exceeds(Counted.parse(limitUsd)),
          `${spent.digits()} of ${limitUsd} in ${JSON.stringify(per)}`,
        );
        const read = sums[index] ?? assert.fail();
        assert.deepEqual(Counted.of(read.today.spent).plus(read.claims.today), spent, JSON.stringify(per));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  );
  await fc.assert(property, { numRuns: randomCases(60) });
});

const ofApp = {
  scoped: [{ per: { folder: "app" }, limitUsd: 0.05, period: "day", onReach: "stop" }],
  faults: [],
};

test("two processes share the budget of a folder", async (t) => {
  const sandbox = await serve(t);
  const folder = temporaryFolder();
  const about = { folder, baseUrl: sandbox.baseUrl, calls: 40, parts: ofApp, places: ["app", "web"] };
  const children = [1, 2].map(() => startWindow(t, about, sandbox.apiKey));
  await Promise.all(children.map(lineOf));
  for (const one of children) one.stdin?.write("go\n");
  const sent = (await Promise.all(children.map(lineOf))).map(Number);
  // Of each process, 20 calls are in the folder without a budget.
  assert.equal(
    sent.reduce((sum, count) => sum + count, 0),
    40 + 5,
  );
  const { spend } = openWindow({ ...sandbox, folder, budgets: none });
  const [app, web] = await spend.scopes(connection, [{ folder: "app" }, { folder: "web" }]);
  assert.equal(exactText(usdOf(app?.today.spent ?? nothing)), "0.05");
  assert.equal(exactText(usdOf(web?.today.spent ?? nothing)), "0.4");
});

const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

test("the calls of a killed process count against the budget of their folder, and of no other", async (t) => {
  const folder = temporaryFolder();
  // The service takes the calls and never answers.
  const service = await listen(() => {});
  t.after(() => service.close());
  const baseUrl = `${service.origin}/api/v1`;
  const one = startWindow(t, { folder, baseUrl, calls: 9, parts: ofApp, places: ["app"] }, "key");
  await lineOf(one);
  one.stdin?.write("go\n");
  await service.arrival(4);
  one.kill("SIGKILL");
  await once(one, "exit");
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const budgets = { ...none, parts: ofApp } as Parameters<typeof openWindow>[0]["budgets"];
  const placeOf = async (resource: string | undefined) =>
    resource === undefined ? {} : { folder: resource };
  const options = { folder, baseUrl, apiKey: "key", budgets, now, placeOf };
  const { gate, prices } = openWindow(options);
  const admit = (resource: string) =>
    gate.admit(connection, { ...search, source: { kind: "web", resource } }, prices, undefined);
  const again = await admit("app").then(String, (error) => error);
  if (typeof again === "string") await assert.rejects(admit("app"), isRefused);
  else assert.ok(isRefused(again), String(again));
  assert.equal(typeof (await admit("web")), "string", "no budget counts it");
  aheadMs = 11 * minuteMs;
  assert.equal(typeof (await admit("app")), "string", "a window that is gone keeps no reservation");
});

// Switches of the connection in the middle of loads, told at once or later: nothing of one account reaches the page, or an
// export, of another.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { type Account, accountOf } from "../../../../../src/account/host/accountOf.ts";
import { createDashboardController } from "../../../../../src/account/host/dashboard/dashboardController.ts";
import type { ToUsageView } from "../../../../../src/account/protocol/usageProtocol.ts";
import type { Api } from "../../../../../src/api/call/client.ts";
import type { Table } from "../../../../../src/api/table.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { Connections } from "../../../../../src/session/connection/connections.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { createSpend, type Spend } from "../../../../../src/session/spend/spend.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { dayMs } from "../../../../../src/shared/time/days.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { billDouble, type Charge } from "../billDouble.ts";

const ids = ["aaa", "bbb", "ccc"] as const;
type Id = (typeof ids)[number];
const nowMs = Date.now();
const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };

/** Each name on it says whose it is. */
const billOf = (id: Id): readonly Charge[] =>
  ["USD", "DIEM", "VCU", "BUNDLED_CREDITS"].map((currency, index) => ({
    atMs: nowMs - index * dayMs - 1,
    currency,
    nano: 1_000_000_000 * (index + 1),
    model: `model-of-${id}-${index}`,
    requestId: `request-of-${id}-${index}`,
  }));

/** Calls of a service that answer when the test says so. */
class Held {
  readonly #waiting: (() => void)[] = [];

  around(api: Api<Table>): Api<Table> {
    const delayed = Object.entries(api).map(([resource, calls]) => [
      resource,
      Object.fromEntries(
        Object.entries(calls as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>).map(
          ([name, call]) => [
            name,
            async (...args: unknown[]) => {
              await new Promise<void>((resolve) => this.#waiting.push(resolve));
              return call(...args);
            },
          ],
        ),
      ),
    ]);
    return Object.fromEntries(delayed) as Api<Table>;
  }

  /** Answers one of the waiting calls; false if there is none. */
  answer(which: number): boolean {
    const [release] = this.#waiting.splice(which % Math.max(1, this.#waiting.length), 1);
    release?.();
    return release !== undefined;
  }
}

function accountNamed(id: Id, spend: Spend, held: Held, folder: string): Account {
  const connection: Connection = {
    id,
    name: `Service ${id}`,
    kind: "live",
    baseUrl: "",
    dialect: "standard",
  };
  spend.record(
    connection,
    {
      type: "charged",
      endpoint: `call-of-${id}.search`,
      requestId: `request-of-${id}-0`,
      fact: { by: "request", usd: 0.01 },
    },
    prices,
  );
  const api = held.around(billDouble(billOf(id)));
  const session = { spend: async () => spend, clientOf: async () => ({ api, connection }) };
  return accountOf(connection, {
    identity: id,
    session: session as unknown as Session,
    connections: { byId: () => undefined } as unknown as Connections,
    globalState: { get: (_: string, other: unknown) => other } as never,
    storagePath: join(folder, "usage", id),
    onChange() {},
    report() {},
  });
}

const query = { query: 1, text: "", sort: "time", isDescending: true } as const;
/** What the page asks for. */
const questions = {
  load: { v: 1, type: "refresh", body: {} },
  query: { v: 1, type: "query", body: query },
  rows: { v: 1, type: "rows", body: { query: 1, from: 0, count: 100 } },
  calls: { v: 1, type: "calls", body: { query: 1, by: "source", filter: {} } },
  callRows: { v: 1, type: "callRows", body: { query: 1, from: 0, count: 100 } },
  byKey: { v: 1, type: "groupBy", body: { by: "key" } },
  compare: { v: 1, type: "compare", body: {} },
} as const;

type Step =
  | { readonly is: "answer"; readonly which: number }
  | { readonly is: "switch"; readonly to: Id; readonly isTold: boolean }
  /** All that was asked is answered. */
  | { readonly is: "settle" }
  | { readonly is: "question"; readonly of: keyof typeof questions };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant("answer"), which: fc.nat(7) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant("switch"), to: fc.constantFrom(...ids), isTold: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("settle") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant("question"),
      of: fc.constantFrom(...(Object.keys(questions) as (keyof typeof questions)[])),
    }),
  },
);

async function play(steps: readonly Step[], folder: string): Promise<void> {
  const spend = createSpend({ folder, now: () => nowMs, onChange() {}, report() {} });
  const held = new Held();
  const accounts = new Map(ids.map((id) => [id, accountNamed(id, spend, held, folder)]));
  let active: Id = "aaa";
  const checkOwn = (what: unknown) => {
    for (const other of ids)
      if (other !== active)
        assert.doesNotMatch(
          JSON.stringify(what),
          new RegExp(`-of-${other}|Service ${other}`),
          `as ${active}`,
        );
  };
  const controller = createDashboardController({
    account: () => accounts.get(active),
    post: (message: ToUsageView) => checkOwn(message),
    report: (error) => assert.fail(String(error)),
  });
  const checkExport = () => {
    for (const id of ids) {
      const view = controller.shownOf(id);
      assert.ok(view === undefined || id === active, `rows of ${id} as ${active}`);
      if (view) checkOwn(view.rows(0, view.size));
    }
  };
  const pending: Promise<unknown>[] = [];
  const run = (taken: Step): Promise<void> | undefined => {
    if (taken.is === "question") return controller.handle(questions[taken.of]);
    if (taken.is === "answer") held.answer(taken.which);
    if (taken.is === "switch") {
      active = taken.to;
      if (taken.isTold) controller.accountChanged();
    }
    return undefined;
  };
  const settle = async () => {
    let isOver = false;
    const all = Promise.all(pending).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      held.answer(0);
      await turn();
      checkExport();
    }
    await all;
  };
  for (const taken of steps) {
    pending.push(Promise.resolve(run(taken)));
    if (taken.is === "settle") await settle();
    checkExport();
    await turn();
    checkExport();
  }
  controller.accountChanged();
  pending.push(controller.load(0));
  await settle();
  await controller.handle(questions.query);
  const view = controller.shownOf(active) ?? assert.fail("the last load was not shown");
  assert.equal(view.size, 4);
  checkExport();
}

test("random switches during loads: page, records, calls and export have only what is the active account's", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "switches-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) =>
      play(steps, join(folder, String(run++))),
    ),
    { numRuns: randomCases(200) },
  );
});

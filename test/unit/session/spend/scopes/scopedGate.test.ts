// Budgets of parts of the calls: which calls they count, and what a refusal and a question say.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SpendSource } from "../../../../../src/api/money/charge.ts";
import type { PaidCall } from "../../../../../src/api/money/upperPrice.ts";
import { explain } from "../../../../../src/platform/errors/errorMessage.ts";
import type { Budgets } from "../../../../../src/platform/settings.ts";
import { budgetName } from "../../../../../src/session/spend/spendBudget.ts";
import {
  type BudgetScope,
  readScopedBudgets,
  type ScopedBudget,
} from "../../../../../src/shared/money/scopedBudget.ts";
import { createClock } from "../../../sandbox/clock.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { connection, openWindow, type WindowOptions } from "../../budgetWindow.ts";
import { isRefused, noService } from "../../spendGateKit.ts";

/** A resource is `folder branch`. */
const placeOf = async (resource: string | undefined) => {
  const [folder = "", branch = ""] = resource?.split(" ") ?? [];
  return { ...(folder ? { folder } : {}), ...(branch ? { branch } : {}) };
};

function of(...scoped: readonly Partial<ScopedBudget>[]): Budgets {
  const budget = { per: {}, limitUsd: 1, period: "day", onReach: "stop" } as const;
  const parts = { scoped: scoped.map((one) => ({ ...budget, ...one })), faults: [] };
  return { dayUsd: undefined, monthUsd: undefined, hardStop: false, parts };
}

interface Asked {
  readonly usd?: number;
  readonly model?: string;
  readonly source?: SpendSource;
  readonly resource?: string;
  readonly keyEnding?: string;
}

const priced = (id: string) => ({ id, type: "tts", model_spec: { pricing: { input: { usd: 1e6 } } } });

/** A call whose price is its length. */
function callOf({ usd = 1, model = "m", source, resource, keyEnding }: Asked = {}): PaidCall {
  const by: SpendSource = { kind: "chat", ...source, ...(resource === undefined ? {} : { resource }) };
  const input = { model, input: "x".repeat(usd) };
  const key = keyEnding === undefined ? {} : { keyEnding };
  return { endpoint: "audio.speech", price: { by: "characters" }, input, source: by, ...key };
}

function open(budgets: Budgets, options: Partial<WindowOptions> = {}) {
  const models = [priced("m"), priced("other")];
  const window = openWindow({
    ...noService,
    folder: temporaryFolder(),
    budgets,
    placeOf,
    models,
    ...options,
  });
  const admit = (asked?: Asked) => window.gate.admit(connection, callOf(asked), window.prices, undefined);
  return {
    ...window,
    admit,
    /** Admits a call and records that it cost what it may cost. */
    async pay(asked: Asked = {}): Promise<void> {
      const call = callOf(asked);
      const hold = await admit(asked);
      const about = { source: call.source ?? assert.fail(), model: asked.model ?? "m" };
      const key = asked.keyEnding === undefined ? {} : { keyEnding: asked.keyEnding };
      const fact = { by: "request", usd: asked.usd ?? 1 } as const;
      const event = { type: "charged", endpoint: call.endpoint, fact, ...about, ...key } as const;
      window.spend.record(connection, hold === undefined ? event : { ...event, hold }, window.prices);
      await window.spend.totals(connection);
    },
  };
}

const task = { id: "t", round: 1, capUsd: 100 };
const mcp = (client: string): SpendSource => ({ kind: "mcp", client });
const long = "feature/".padEnd(110, "x");

test("a budget counts the calls that have all of its values, and no other", async () => {
  const cases: readonly (readonly [per: BudgetScope, counted: readonly Asked[], others: readonly Asked[]])[] =
    [
      [{ folder: "app" }, [{ resource: "app" }, { resource: "app main" }], [{ resource: "web" }, {}]],
      [{ folder: "" }, [{}], [{ resource: "app" }]],
      [
        { branch: "main" },
        [{ resource: "app main" }, { resource: "web main" }],
        [{ resource: "app dev" }, {}],
      ],
      [{ branch: "" }, [{ resource: "app" }, {}], [{ resource: "app main" }]],
      [
        { folder: "app", branch: "main" },
        [{ resource: "app main" }],
        [{ resource: "web main" }, { resource: "app dev" }],
      ],
      [{ model: "m" }, [{}, { model: "m:enable_web_search=on" }], [{ model: "other" }]],
      [{ client: "chat" }, [{}], [{ source: { kind: "chat", task } }, { source: { kind: "notebook" } }]],
      [{ client: "agent" }, [{ source: { kind: "chat", task } }], [{}]],
      [
        { client: "mcp" },
        [{ source: { kind: "mcp" } }, { source: mcp("a") }],
        [{ source: { kind: "tool" } }],
      ],
      [
        { client: "mcp:a" },
        [{ source: mcp("a") }],
        [{ source: mcp("b") }, { source: { kind: "mcp" } }, { source: { kind: "tool", client: "a" } }],
      ],
      [{ client: "completion" }, [{ source: { kind: "completion" } }], [{}]],
      [{ key: "a1b2c3" }, [{ keyEnding: "a1b2c3" }], [{ keyEnding: "zzzzzz" }, {}]],
      // The ledger has the beginnings of long names.
      [{ folder: long }, [{ resource: long }], [{ resource: "app" }]],
      [{ branch: long }, [{ resource: `app ${long}` }], [{ resource: "app main" }]],
      [{ client: `mcp:${long}` }, [{ source: mcp(long) }], [{ source: mcp("a") }]],
      [{ key: "" }, [{}], [{ keyEnding: "a1b2c3" }]],
    ];
  for (const [per, counted, others] of cases) {
    for (const first of counted) {
      const window = open(of({ per }));
      await window.pay(first);
      for (const again of counted)
        await assert.rejects(window.admit(again), isRefused, JSON.stringify([per, again]));
      for (const other of others) await window.admit(other);
    }
    const window = open(of({ per }));
    for (const other of others) await window.pay(other);
    await window.admit(counted[0]);
  }
});

test("a model can be named by its id or by another name, and calls under both count for the id", async () => {
  const text = {
    id: "gpt",
    type: "text",
    model_spec: {
      availableContextTokens: 1000,
      maxCompletionTokens: 10,
      pricing: { input: { usd: 1e3 }, output: { usd: 1e3 } },
    },
  };
  for (const [per, isCounted] of [
    [{ model: "gpt" }, true],
    [{ model: "default" }, true],
    [{ model: "vendor-x" }, false],
  ] as const) {
    const window = open(of({ per, limitUsd: 3 }), { models: [text] });
    const names = async () => ({ traits: { default: "gpt" }, mapping: { "vendor-x": "gpt" } });
    const prices = { ...window.prices, names };
    const input = { model: "default", messages: [{ role: "user", content: "Hi" }] };
    const call: PaidCall = {
      endpoint: "chat.complete",
      price: { by: "tokens" },
      input,
      source: { kind: "chat" },
    };
    const admit = () => window.gate.admit(connection, call, prices, undefined);
    const hold = await admit();
    if (!isCounted) {
      await admit();
      continue;
    }
    await assert.rejects(admit(), isRefused);
    const fact = { by: "tokens", cost: { usd: 3 } } as const;
    const about = {
      endpoint: "chat.complete",
      model: "default",
      source: { kind: "chat" },
      hold: String(hold),
    } as const;
    window.spend.record(connection, { type: "charged", fact, ...about }, prices);
    await window.spend.totals(connection);
    await assert.rejects(admit(), isRefused, "settled");
    const unread = { ...prices, names: () => Promise.reject(new Error("offline")) };
    await assert.rejects(window.gate.admit(connection, call, unread, undefined), /offline/);
  }
});

test("a refusal names the budget, what is spent, and the step", async () => {
  const window = open(of({ per: { folder: "app" }, limitUsd: 3, period: "month" }));
  await window.pay({ usd: 2, resource: "app" });
  const sentence = async (usd: number) =>
    explain(await window.admit({ usd, resource: "app" }).then(assert.fail, (error) => error), {
      service: "x",
    }).sentence;
  assert.equal(
    await sentence(2),
    "Nothing was sent, because this may cost $2.00, more than the budget of the folder app for this month has left: $2.00 of $3.00 is spent. Change the budget in the settings, or wait until the next period begins (UTC).",
  );
  await window.pay({ usd: 1, resource: "app" });
  assert.match(
    await sentence(1),
    /^Nothing was sent, because the budget of the folder app for this month is used up: \$3\.00 of \$3\.00 is spent\./,
  );
});

test("a budget that warns gives one notice, then asks about each call, and says which budget it is", async () => {
  const answers = ["once", "no", "period"] as const;
  let index = 0;
  const budgets = of({ per: { client: "mcp" }, limitUsd: 10, onReach: "warn" });
  const window = open(budgets, { answers: async () => answers[index++] ?? assert.fail("asked again") });
  const source = mcp("a");
  for (const usd of [7, 1, 1]) await window.pay({ usd, source });
  assert.deepEqual(window.asked, []);
  await window.pay({ usd: 1, source });
  assert.deepEqual(window.warned.map(budgetName), ["the budget of the client “MCP client” for this day"]);
  await window.pay({ usd: 1, source });
  await assert.rejects(window.admit({ source }), isRefused);
  await window.pay({ usd: 1, source });
  await window.pay({ usd: 1, source });
  assert.deepEqual(
    [...new Set(window.asked.map(budgetName))],
    ["the budget of the client “MCP client” for this day"],
  );
  assert.equal(window.asked.length, 3);
  const inline: SpendSource = { kind: "completion" };
  const others = open(of({ per: { client: "completion" }, onReach: "warn" }), {
    answers: () => assert.fail(),
  });
  await others.pay({ source: inline });
  await assert.rejects(others.admit({ source: inline }), isRefused, "nobody is asked while typing");
});

test("two budgets are asked about one after the other, and a hard stop before both", async () => {
  const app = { per: { folder: "app" }, onReach: "warn" } as const;
  const chat = { per: { client: "chat" }, onReach: "warn", limitUsd: 2 } as const;
  const window = open(of(app, chat), { answers: async () => "once" });
  await window.pay({ usd: 2, resource: "app" });
  await window.pay({ resource: "app" });
  assert.deepEqual(window.asked.map(budgetName), [
    "the budget of the folder app for this day",
    "the budget of the client “Chat” for this day",
  ]);
  const stopped = open(of(app, chat, { per: { model: "m" }, limitUsd: 2 }), { answers: () => assert.fail() });
  await stopped.pay({ usd: 2, resource: "app" });
  await assert.rejects(stopped.admit({ resource: "app" }), isRefused);
});

test("a call counts where it was judged, although the branch changed during it", async () => {
  let branch = "main";
  const budgets = of({ per: { branch: "main" } }, { per: { branch: "dev" } });
  const window = open(budgets, { placeOf: async () => ({ folder: "app", branch }) });
  const hold = String(await window.admit());
  branch = "dev";
  const about = { endpoint: "audio.speech", hold, source: { kind: "chat" } } as const;
  window.spend.record(
    connection,
    { type: "charged", fact: { by: "request", usd: 1 }, ...about },
    window.prices,
  );
  const [entry] = await window.spend.entries(connection);
  assert.equal(entry?.branch, "main");
  await window.admit();
  branch = "main";
  await assert.rejects(window.admit(), isRefused);
});

test("a call that no budget counts does not get into one by a change of the branch", async () => {
  let branch = "dev";
  const window = open(of({ per: { branch: "main" } }), { placeOf: async () => ({ folder: "app", branch }) });
  const hold = String(await window.admit({ usd: 5 }));
  branch = "main";
  const about = { endpoint: "audio.speech", hold, source: { kind: "chat" } } as const;
  window.spend.record(
    connection,
    { type: "charged", fact: { by: "request", usd: 5 }, ...about },
    window.prices,
  );
  const [entry] = await window.spend.entries(connection);
  assert.equal(entry?.branch, "dev");
  await window.admit();
});

test("a reservation without tags counts for each budget, because it may be any call", async () => {
  const clock = createClock();
  const folder = temporaryFolder();
  mkdirSync(join(folder, connection.id), { recursive: true });
  const atMs = clock.now();
  const held = { t: "held", id: "old-1", window: "old", atMs, usd: "1" };
  const month = new Date(atMs).toISOString().slice(0, 7);
  appendFileSync(join(folder, connection.id, `${month}.jsonl`), `${JSON.stringify(held)}\n`);
  const window = open(of({ per: { folder: "app" } }), { folder, now: clock.now });
  await assert.rejects(window.admit({ resource: "app" }), isRefused);
});

test("calls of earlier versions count where their line says it, and their bill changes the sum", async () => {
  const clock = createClock();
  const folder = temporaryFolder();
  mkdirSync(join(folder, connection.id), { recursive: true });
  const atMs = clock.now();
  const month = new Date(atMs).toISOString().slice(0, 7);
  const lines = [
    { t: "spent", id: "1", atMs, endpoint: "chat.stream", usd: "3", folder: "app", requestId: "r" },
    { t: "spent", id: "2", atMs, endpoint: "chat.stream", usd: "5" },
    { t: "spent", id: "3", atMs, endpoint: "chat.stream", mostUsd: "7", folder: "app" },
    { t: "onBill", entries: [["1", { USD: "2" }]] },
  ];
  appendFileSync(
    join(folder, connection.id, `${month}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const { spend } = open(of(), { folder, now: clock.now });
  const [app, none] = await spend.scopes(connection, [{ folder: "app" }, { folder: "" }]);
  assert.deepEqual(
    [app?.today.spent.toTexts(), app?.claims.today.digits(), app?.today.unpriced],
    [{ USD: "2" }, "7", 1],
  );
  assert.deepEqual([none?.month.spent.toTexts(), none?.claims.month.digits()], [{ USD: "5" }, "0"]);
});

test("a budget that can't be read refuses the paid calls that it may concern, and says why", async () => {
  const entry = { per: { folder: "app" }, limitUsd: "ten", period: "day", onReach: "warn" };
  const of = (...entries: readonly unknown[]): Budgets => ({
    dayUsd: undefined,
    monthUsd: undefined,
    hardStop: false,
    parts: readScopedBudgets(entries, "inference.account.budgets"),
  });
  const free = { id: "free", type: "tts", model_spec: { pricing: { input: { usd: 0 } } } };
  const window = open(of(entry), { models: [priced("m"), free] });
  const refused = await window.admit({ resource: "app" }).then(assert.fail, (error) => error);
  const { sentence, actions } = explain(refused, { service: "x" });
  assert.equal(
    sentence,
    'Nothing was sent, because a budget can\'t be read: inference.account.budgets[0].limitUsd has to be a number of USD above 0, and is "ten". Correct it in the settings, and try again.',
  );
  assert.deepEqual(
    actions.map(({ id }) => id),
    ["budgetSettings", "retry"],
  );
  assert.equal(typeof (await window.admit({ resource: "web" })), "string");
  assert.ok(await window.admit({ resource: "app", model: "free" }), "what is free passes");
  const any = open(of({ ...entry, per: { floder: "app" } }));
  await assert.rejects(any.admit({ resource: "web" }), /can have no “floder”/);
});

test("a call that has waited is judged again by the budgets of its part", async () => {
  const budgets = of({ per: { folder: "app" }, limitUsd: 2 });
  const folder = temporaryFolder();
  const [window, other] = [open(budgets, { folder }), open(budgets, { folder })];
  const hold = String(await window.admit({ resource: "app" }));
  const again = () => window.gate.admitAgain(connection, callOf({ resource: "app" }), hold);
  await again();
  await other.pay({ resource: "web", usd: 2 });
  await again();
  const unsure = String(await other.admit({ resource: "app" }));
  await again();
  const about = { endpoint: "audio.speech", source: { kind: "chat" }, hold: unsure } as const;
  other.spend.record(
    connection,
    { type: "charged", fact: { by: "request", usd: 2 }, ...about },
    other.prices,
  );
  await other.spend.totals(connection);
  await assert.rejects(again(), isRefused);
});

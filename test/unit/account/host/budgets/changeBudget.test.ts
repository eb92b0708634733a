// The dialogs of Change Budget: what they list, and what they write to the user's settings.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noSum } from "../../../../../src/session/spend/scopes/scopeSums.ts";
import type { ScopeSpend } from "../../../../../src/session/spend/spendBook.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { settings } from "../../../../../src/shared/names/ids.ts";
import { configurationOf } from "../../../configurationDouble.ts";
import { connection } from "../../../session/budgetWindow.ts";
import { replace } from "../../../vscodeDouble.ts";
import { usd } from "../money.ts";

const { changeBudget } = await import("../../../../../src/account/host/budgets/changeBudget.ts");

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

interface Input {
  readonly title: string;
  readonly prompt?: string;
  value: string;
  validationMessage?: string;
  readonly items: readonly Item[];
  activeItems: readonly Item[];
}

/** What the user does in a dialog: picks the item with this label, types a text, goes back, or leaves. */
type Doing = { readonly pick: RegExp } | { readonly type: string } | "back" | "leave";

/** Answers the dialogs in turn, and records them. */
function user(t: TestContext, ...doing: readonly Doing[]) {
  const seen: Input[] = [];
  const problems: string[] = [];
  const waiting = [...doing];
  const create = () => {
    const handlers: Record<string, (value?: unknown) => unknown> = {};
    const input = { items: [], activeItems: [], value: "", buttons: [], dispose() {} } as unknown as Input & {
      buttons: readonly unknown[];
    };
    for (const name of ["onDidHide", "onDidAccept", "onDidChangeValue", "onDidTriggerButton"])
      Object.assign(input, {
        [name]: (handler: () => unknown) => {
          handlers[name] = handler;
        },
      });
    const show = () => {
      seen.push({ ...input });
      const next = waiting.shift() ?? assert.fail(`nothing to do in “${input.title}”`);
      if (next === "leave") return handlers.onDidHide?.();
      if (next === "back") return handlers.onDidTriggerButton?.(input.buttons[0]);
      if ("type" in next) input.value = next.type;
      else {
        const item = input.items.find(({ label }) => next.pick.test(label));
        input.activeItems = [
          item ?? assert.fail(`${next.pick} is not in ${input.items.map(({ label }) => label)}`),
        ];
      }
      void handlers.onDidAccept?.();
      if (input.validationMessage) {
        problems.push(input.validationMessage);
        handlers.onDidHide?.();
      }
      return undefined;
    };
    return Object.assign(input, { show });
  };
  const errors: string[] = [];
  const run: unknown[][] = [];
  const showErrorMessage = async (text: string) => void errors.push(text);
  replace("window", { createQuickPick: create, createInputBox: create, showErrorMessage }, t);
  replace("commands", { executeCommand: async (...call: unknown[]) => void run.push(call) }, t);
  return { seen, problems, errors, run, left: waiting };
}

const entry = (about: Partial<SpentEntry>, cost = 1): SpentEntry => ({
  id: crypto.randomUUID(),
  atMs: Date.now(),
  endpoint: "chat.stream",
  cost: usd(cost),
  ...about,
});
const entries = [
  entry({ folder: "web", branch: "main" }, 3),
  entry({ folder: "app", branch: "main", model: "m:enable_web_search=on", keyEnding: "a1b2c3" }, 9),
  entry({ folder: "app", branch: "dev", source: { kind: "mcp", client: "claude-code" } }),
  entry({ source: { kind: "chat", task: "t", round: 1 } }),
];
const spent: ScopeSpend = {
  today: noSum,
  month: { ...noSum, spent: usd(4) },
  claims: { today: Counted.zero, month: Counted.zero },
};
const dialogs = {
  connection,
  spend: {
    entries: async () => entries,
    totals: async () => ({
      today: usd(1),
      month: usd(2),
      unbilled: usd(0),
      unpriced: 0,
      isTodayBilled: true,
      isMonthBilled: true,
    }),
    scopes: async (_: unknown, all: readonly unknown[]) => all.map(() => spent),
  },
};
const budget = { per: { folder: "app" }, limitUsd: 5, period: "month", onReach: "warn" };
const id = settings.accountBudgets;

test("a budget of a client is added from a list of what was used, and written for the user", async (t) => {
  const written = configurationOf(t, { user: { [id]: [budget, { odd: true }] } });
  const { seen, left } = user(
    t,
    { pick: /Add a Budget/ },
    { pick: /Client/ },
    "back",
    { pick: /Client/ },
    { pick: /^MCP client claude-code$/ },
    { pick: /^Day$/ },
    { type: "0.5" },
    { pick: /Refuse/ },
  );
  await changeBudget(dialogs);
  assert.deepEqual(left, []);
  const added = { per: { client: "mcp:claude-code" }, period: "day", limitUsd: 0.5, onReach: "stop" };
  assert.deepEqual(written.user[id], [budget, { odd: true }, added]);
  const texts = seen[0]?.items.map(({ label, description }) => [label, description]);
  assert.deepEqual(texts?.slice(0, 5), [
    ["$(add) Add a Budget…", undefined],
    ["Folder app · month", "$4.00 of $5.00, $1.00 left"],
    ["$(warning) A budget can't be read", undefined],
    ["Each connection · day", "no budget"],
    ["Each connection · month", "no budget"],
  ]);
  const clients = seen[4]?.items.map(({ label, description }) => `${label}: ${description}`) ?? [];
  assert.ok(clients.includes("MCP client claude-code: $1.00, 1 call"), clients.join("\n"));
  assert.ok(clients.includes("Agent: $1.00, 1 call"));
  assert.ok(clients.includes("Inline completions: no calls yet"));
});

test("each list has the values of the ledger, the most expensive first, and calls without one", async (t) => {
  configurationOf(t, { user: {} });
  replace("workspace", { workspaceFolders: [{ name: "new" }] }, t);
  const listOf = async (dimension: RegExp) => {
    const { seen } = user(t, { pick: /Add a Budget/ }, { pick: dimension }, "leave");
    await changeBudget(dialogs);
    return seen[2]?.items.map(({ label, description }) => `${label}: ${description}`);
  };
  const typed = "$(edit) Enter a Name…: undefined";
  assert.deepEqual(await listOf(/Folder/), [
    "app: $10.00, 2 calls",
    "web: $3.00, 1 call",
    "No folder: $1.00, 1 call",
    "new: no calls yet",
    typed,
  ]);
  assert.deepEqual(await listOf(/Branch/), [
    "main in app: $9.00, 1 call",
    "main in web: $3.00, 1 call",
    "dev in app: $1.00, 1 call",
    "No branch: $1.00, 1 call",
    typed,
  ]);
  assert.deepEqual(await listOf(/Model/), ["m: $9.00, 1 call", "No model: $5.00, 3 calls", typed]);
  assert.deepEqual(await listOf(/Key/), ["key …a1b2c3: $9.00, 1 call", "No key: $5.00, 3 calls", typed]);
});

test("a typed value that no budget can have is refused with the rule", async (t) => {
  const written = configurationOf(t, { user: {} });
  for (const [dimension, text, problem] of [
    [/Client/, "mpc", /begin with one of chat, agent/],
    [/Key/, "abc", /last 6 characters/],
    [/Folder/, " ", /Enter a name/],
  ] as const) {
    const doing = [{ pick: /Add a Budget/ }, { pick: dimension }, { pick: /Enter a Name/ }, { type: text }];
    const { problems } = user(t, ...doing);
    await changeBudget(dialogs);
    assert.match(problems.join(), problem);
  }
  assert.deepEqual(written.writes, []);
});

test("a budget is changed and removed where it is, and what can't be read stays", async (t) => {
  const list = [{ odd: true }, budget];
  const written = configurationOf(t, { user: { [id]: list } });
  user(t, { pick: /Folder app/ }, { pick: /Limit/ }, { type: "7,5" });
  await changeBudget(dialogs);
  assert.deepEqual(written.user[id], [{ odd: true }, { ...budget, limitUsd: 7.5 }]);
  user(t, { pick: /Folder app/ }, { pick: /Refuse/ });
  await changeBudget(dialogs);
  assert.deepEqual(written.user[id], [{ odd: true }, { ...budget, limitUsd: 7.5, onReach: "stop" }]);
  user(t, { pick: /Folder app/ }, { pick: /Remove/ });
  await changeBudget(dialogs);
  assert.deepEqual(written.user[id], [{ odd: true }]);
  const { run } = user(t, { pick: /can't be read/ });
  await changeBudget(dialogs);
  assert.equal(run[0]?.[0], "workbench.action.openSettingsJson");
});

test("the budgets of each connection are set in the same list", async (t) => {
  const written = configurationOf(t, { user: { [settings.accountMonthBudgetUsd]: 20 } });
  const { seen } = user(t, { pick: /Each connection · month/ }, { type: "30" });
  await changeBudget(dialogs);
  assert.equal(written.user[settings.accountMonthBudgetUsd], 30);
  assert.equal(seen[1]?.value, "20");
  user(t, { pick: /used up/ });
  await changeBudget(dialogs);
  assert.equal(written.user[settings.accountBudgetHardStop], true);
});

test("a setting that can't be written is said, with the step", async (t) => {
  configurationOf(t, { user: { [id]: [budget] }, problem: "The file has unsaved changes." });
  const { errors } = user(t, { pick: /Folder app/ }, { pick: /Remove/ });
  await changeBudget(dialogs);
  assert.deepEqual(errors, [
    "The budget was not changed: The file has unsaved changes. Save or correct your settings, and try again.",
  ]);
});

test("without a connection the settings open", async (t) => {
  configurationOf(t, { user: {} });
  const { run } = user(t);
  await changeBudget(undefined);
  assert.deepEqual(run, [["workbench.action.openSettings", "inference.account"]]);
});

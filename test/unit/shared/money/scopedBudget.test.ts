import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  clientNames,
  faultText,
  readScopedBudgets,
  scopeLabel,
  scopeText,
} from "../../../../src/shared/money/scopedBudget.ts";
import { root } from "../../../tools/paths.ts";

const good = { per: { folder: "app" }, limitUsd: 5, period: "month", onReach: "stop" };

test("budgets of parts of the calls are read as they are written", () => {
  const all = [
    good,
    { ...good, per: { client: "mcp:claude-code", key: "a1b2c3" }, period: "day", onReach: "warn" },
    { ...good, per: { branch: "" } },
  ];
  assert.deepEqual(readScopedBudgets(all, "b"), { scoped: all, faults: [] });
  for (const none of [undefined, null, []])
    assert.deepEqual(readScopedBudgets(none, "b"), { scoped: [], faults: [] });
});

test("an entry that can't be read is named by field, rule and value, and concerns all calls that it may count", () => {
  const cases: readonly (readonly [entry: unknown, text: string, per?: object])[] = [
    [5, "b[1] has to be an object, and is 5"],
    [null, "b[1] has to be an object, and is null"],
    [
      { ...good, per: undefined },
      "b[1].per has to name one or more of folder, branch, model, client, key, and is missing",
    ],
    [
      { ...good, per: {} },
      "b[1].per has to name one or more of folder, branch, model, client, key, and is {}",
    ],
    [
      { ...good, per: { floder: "app" } },
      'b[1].per can have no “floder”: it names folder, branch, model, client, key, and is {"floder":"app"}',
    ],
    [{ ...good, per: { folder: 1 } }, "b[1].per.folder has to be a text of at most 120 characters, and is 1"],
    [
      { ...good, per: { client: "mpc" } },
      `b[1].per.client has to begin with one of ${Object.keys(clientNames).join(", ")}, and is "mpc"`,
    ],
    [
      { ...good, per: { client: "constructor" } },
      `b[1].per.client has to begin with one of ${Object.keys(clientNames).join(", ")}, and is "constructor"`,
    ],
    [{ ...good, per: { key: "abc" } }, 'b[1].per.key has to be the last 6 characters of a key, and is "abc"'],
    ...[0, -1, "5", null, 1e300].map(
      (limitUsd) =>
        [
          { ...good, limitUsd },
          `b[1].limitUsd has to be a number of USD above 0, and is ${JSON.stringify(limitUsd)}`,
          good.per,
        ] as const,
    ),
    [
      { ...good, limitUsd: undefined },
      "b[1].limitUsd has to be a number of USD above 0, and is missing",
      good.per,
    ],
    [{ ...good, period: "week" }, 'b[1].period has to be "day" or "month", and is "week"', good.per],
    [{ ...good, onReach: true }, 'b[1].onReach has to be "warn" or "stop", and is true', good.per],
  ];
  for (const [entry, text, per = {}] of cases) {
    const { scoped, faults } = readScopedBudgets([good, entry], "b");
    assert.deepEqual(scoped, [good]);
    assert.deepEqual(faults.map(faultText), [text]);
    assert.deepEqual(faults[0]?.per, per, text);
  }
  const { faults } = readScopedBudgets({ folder: "x".repeat(500) }, "b");
  assert.match(
    faultText(faults[0] ?? assert.fail()),
    /^b has to be a list of at most 50 budgets, and is \{"fo.{57,60}$/,
  );
  assert.equal(readScopedBudgets(Array(51).fill(good), "b").faults.length, 1);
});

test("a scope is said in words, without hidden characters", () => {
  const texts = [
    { folder: "app", branch: "main" },
    { branch: "" },
    { model: "m‮x" },
    { client: "agent" },
    { client: "mcp:claude-code" },
    { key: "a1b2c3" },
    {},
  ].map(scopeText);
  assert.deepEqual(texts, [
    "the folder app, the branch main",
    "calls without a branch",
    "the model m⟨U+202E⟩x",
    "the client “Agent”",
    "the client “MCP client claude-code”",
    "the key …a1b2c3",
    "all calls",
  ]);
  const labels = [
    { folder: "app", branch: "main" },
    { folder: "" },
    { client: "mcp:a" },
    { key: "a1b2c3" },
    {},
  ];
  assert.deepEqual(labels.map(scopeLabel), [
    "folder app, branch main",
    "no folder",
    "MCP client a",
    "key …a1b2c3",
    "all calls",
  ]);
});

test("the schema of the setting allows what is read, and no client more", () => {
  const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const groups: readonly {
    readonly properties: Record<string, { readonly items: Schema; readonly maxItems: number }>;
  }[] = contributes.configuration;
  const found = groups.flatMap(({ properties }) => properties["inference.account.budgets"] ?? []);
  const [{ items, maxItems }] = found as [(typeof found)[number]];
  assert.equal(maxItems, 50);
  const { client, key } = items.properties.per.properties;
  const kinds = /\(([^)]+)\)/.exec(client?.pattern ?? "")?.[1]?.split("|");
  assert.deepEqual(kinds, Object.keys(clientNames));
  assert.deepEqual(Object.keys(items.properties.per.properties), [
    "folder",
    "branch",
    "model",
    "client",
    "key",
  ]);
  for (const text of ["", "a1b2c3"]) assert.match(text, new RegExp(key?.pattern ?? "x"));
});

interface Schema {
  readonly properties: {
    readonly per: { readonly properties: Readonly<Record<string, { readonly pattern?: string }>> };
  };
}

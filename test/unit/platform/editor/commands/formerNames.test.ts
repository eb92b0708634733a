// Commands run by their former ids. Settings under their former names are moved, and count until then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formerCommands, formerSettings } from "../../../../../src/shared/names/formerNames.ts";
import { settings } from "../../../../../src/shared/names/ids.ts";
import { configurationOf } from "../../../configurationDouble.ts";
import { replace } from "../../../vscodeDouble.ts";

const { moveFormerSettings, registerFormerCommands } = await import(
  "../../../../../src/platform/editor/commands/formerNames.ts"
);
const { readBudgets, readUserSetting } = await import("../../../../../src/platform/settings.ts");

const { accountDayBudgetUsd: day, accountBudgetHardStop: hardStop, chatAllowedCommands: allowed } = settings;
const former = (id: keyof typeof formerSettings) => formerSettings[id] ?? assert.fail(id);

function logOf() {
  const lines: string[] = [];
  return { lines, info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) };
}

test("a former id runs its command with the same arguments, and its result is returned", async (t) => {
  const registered = new Map<string, (...args: unknown[]) => unknown>();
  replace(
    "commands",
    {
      registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
        registered.set(id, run);
        return { dispose: () => registered.delete(id) };
      },
      executeCommand: async (...call: unknown[]) => call,
    },
    t,
  );
  const registration = registerFormerCommands();
  const all = Object.entries(formerCommands).flatMap(([id, ids]) =>
    ids.split(" ").map((former) => [id, former] as const),
  );
  assert.deepEqual(
    [...registered.keys()],
    all.map(([, former]) => former),
  );
  for (const [id, former] of all)
    assert.deepEqual(await registered.get(former)?.("first", { second: 2 }), [id, "first", { second: 2 }]);
  registration.dispose();
  assert.equal(registered.size, 0);
});

test("values under former names are moved to the new ones, with one line in the log", async (t) => {
  const { user } = configurationOf(t, { user: { [former(day)]: 5, [former(hardStop)]: true, other: 1 } });
  const log = logOf();
  await moveFormerSettings(log);
  assert.deepEqual(user, { [day]: 5, [hardStop]: true, other: 1 });
  assert.deepEqual(log.lines, [
    `Settings have new names: ${former(day)} → ${day}; ${former(hardStop)} → ${hardStop}`,
  ]);
});

test("nothing is written and nothing is logged if no former name has a value", async (t) => {
  const { writes } = configurationOf(t, { user: { [day]: 5 } });
  const log = logOf();
  await moveFormerSettings(log);
  assert.deepEqual(writes, []);
  assert.deepEqual(log.lines, []);
});

test("a value that the new name has already is kept", async (t) => {
  const { user } = configurationOf(t, { user: { [former(day)]: 5, [day]: 2 } });
  const log = logOf();
  await moveFormerSettings(log);
  assert.deepEqual(user, { [day]: 2 });
  assert.match(log.lines.join(), /which was set and is unchanged/);
});

test("a workspace's value is neither read nor moved", async (t) => {
  const workspace = { [former(allowed)]: ["rm *"], [former(day)]: 900, [allowed]: ["rm *"] };
  const { user, writes } = configurationOf(t, { workspace });
  await moveFormerSettings(logOf());
  assert.deepEqual([user, writes], [{}, []]);
  assert.equal(readUserSetting(allowed), undefined);
  assert.equal(readBudgets().dayUsd, undefined);
});

test("a value is written under its new name before the former is removed", async (t) => {
  const { writes } = configurationOf(t, { user: { [former(day)]: 5 } });
  await moveFormerSettings(logOf());
  assert.deepEqual(writes, [day, former(day)]);
});

test("a value that can't be moved counts under its former name, and the reason is logged", async (t) => {
  const { user } = configurationOf(t, {
    user: { [former(day)]: 5, [former(hardStop)]: true },
    problem: "The file has unsaved changes.",
  });
  const log = logOf();
  await moveFormerSettings(log);
  assert.deepEqual(user, { [former(day)]: 5, [former(hardStop)]: true });
  const parts = { scoped: [], faults: [] };
  assert.deepEqual(readBudgets(), { dayUsd: 5, monthUsd: undefined, hardStop: true, parts });
  assert.deepEqual(log.lines, [
    "Settings keep their former names until the next start: Error: The file has unsaved changes.",
  ]);
});

test("the new name comes before the former one", (t) => {
  configurationOf(t, { user: { [former(day)]: 5, [day]: 2, [former(allowed)]: ["ls"] } });
  assert.equal(readBudgets().dayUsd, 2);
  assert.deepEqual(readUserSetting(allowed), ["ls"]);
});

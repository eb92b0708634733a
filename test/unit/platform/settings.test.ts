// A setting that is not what it has to be does not count as one that is absent, where money depends on it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settings } from "../../../src/shared/names/ids.ts";
import { configurationOf } from "../configurationDouble.ts";

const { readCompletionSettings, readSettings } = await import("../../../src/platform/settings.ts");

test("an unreadable value of askPrice asks each time, an absent one before the first use", (t) => {
  for (const [value, expected] of [
    [undefined, "firstUse"],
    ["firstUse", "firstUse"],
    ["always", "always"],
    ["Always", "always"],
    ["never", "always"],
    [true, "always"],
  ] as const) {
    configurationOf(t, { user: { [settings.accountAskPrice]: value } });
    assert.equal(readSettings().askPrice, expected, String(value));
  }
});

test("an unreadable limit of credits asks about each run, one of completions keeps the default", (t) => {
  configurationOf(t, {
    user: { [settings.rpcAskAboveCredits]: "many", [settings.completionsHourUsd]: "a lot" },
  });
  assert.equal(readSettings().rpc.askAboveCredits, 0);
  assert.equal(readCompletionSettings().hourUsd, 0.25);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import type { Session } from "../../../../src/session/session.ts";
import { shown } from "../../vscodeDouble.ts";

const { agreePrice, confirmPrice, isNewPrice, isPriceDue } = await import(
  "../../../../src/session/spend/confirmPrice.ts"
);

const globalState = {
  get: (_: string, other: unknown) => other,
  update: async () => {},
} as unknown as Memento;
const session = { active: { id: "s", name: "Sandbox", kind: "sandbox" } } as unknown as Session;
const question = {
  action: "parse",
  title: "Read 12 documents in docs",
  button: "Read",
  usd: 0.01,
  count: 12,
};

test("the count of a folder is confirmed even if it is free; other actions of the sandbox are not", async () => {
  assert.equal(await confirmPrice({ session, globalState }, question), true);
  assert.deepEqual(shown, []);
  // No user answers here.
  const asked = { ...question, alwaysAsks: true, status: "experimental" } as const;
  assert.equal(await confirmPrice({ session, globalState }, asked), false);
  assert.match(shown.join("\n"), /^Read 12 documents in docs for \$0\.12 play money\?\n/);
  assert.match(shown.join("\n"), /The sandbox charges no real money/);
  assert.match(shown.join("\n"), /The service calls this experimental: it may change without notice\./);
});

test("approving a small price doesn't approve a larger one", () => {
  assert.equal(isNewPrice(undefined, 0.001), true);
  assert.equal(isNewPrice(0.001, 0.001), false);
  assert.equal(isNewPrice(0.001, 0.09), false);
  assert.equal(isNewPrice(0.001, 7.5), true);
  assert.equal(isNewPrice(7.5, 7.4), false);
  assert.equal(isNewPrice(7.5, 7.6), true);
  assert.equal(isNewPrice(7.5, undefined), true);
});

test("an approved price counts for the service at that address only", async () => {
  const stored = new Map<string, unknown>();
  const state = {
    get: (key: string, other: unknown) => stored.get(key) ?? other,
    update: async (key: string, value: unknown) => void stored.set(key, value),
  } as unknown as Memento;
  const live = { id: "c-1", name: "One", kind: "live", baseUrl: "https://one.example/api/v1" };
  const at = (change: object) => ({
    session: { active: { ...live, ...change } } as unknown as Session,
    globalState: state,
  });
  const search = { ...question, count: 1, usd: 0.01 };
  assert.equal(isPriceDue(at({}), search), true);
  await agreePrice(at({}), search);
  assert.equal(isPriceDue(at({ name: "Renamed", baseUrl: "https://one.example/other" }), search), false);
  for (const other of [
    { id: "c-2" },
    { baseUrl: "https://two.example/api/v1" },
    { kind: "environment", id: "environment" },
  ])
    assert.equal(isPriceDue(at(other), search), true, JSON.stringify(other));
});

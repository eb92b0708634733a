import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import type { Session } from "../../../../src/session/session.ts";
import { replace, shown } from "../../vscodeDouble.ts";
import { openConsents } from "../openConsents.ts";

const { agreePrice, confirmPrice, isNewPrice, isPriceDue } = await import(
  "../../../../src/session/spend/confirmPrice.ts"
);

const session = { active: { id: "s", name: "Sandbox", kind: "sandbox" } } as unknown as Session;
const question = {
  action: "parse" as const,
  title: "Read 12 documents in docs",
  button: "Read",
  usd: 0.01,
  count: 12,
};

test("the count of a folder is confirmed even if it is free; other actions of the sandbox are not", async () => {
  // The list is shared by all test files of a process.
  shown.length = 0;
  assert.equal(await confirmPrice({ session, consents: openConsents() }, question), true);
  assert.deepEqual(shown, []);
  // No user answers here.
  const asked = { ...question, alwaysAsks: true, status: "experimental" } as const;
  assert.equal(await confirmPrice({ session, consents: openConsents() }, asked), false);
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

const live = { id: "c-1", name: "One", kind: "live", baseUrl: "https://one.example/api/v1" } as Connection;
const search = { ...question, count: 1, usd: 0.01 };

test("an approved price counts for the service at that address only", async () => {
  const consents = openConsents();
  const at = (change: object) => ({
    session: { active: { ...live, ...change } } as unknown as Session,
    consents,
  });
  assert.equal(isPriceDue(at({}), search), true);
  await agreePrice(at({}), live, search);
  assert.equal(isPriceDue(at({ name: "Renamed", baseUrl: "https://one.example/other" }), search), false);
  for (const other of [
    { id: "c-2" },
    { baseUrl: "https://two.example/api/v1" },
    { kind: "environment", id: "environment" },
  ])
    assert.equal(isPriceDue(at(other), search), true, JSON.stringify(other));
});

test("a price that is approved while another window switches the connection counts for the one that was named, and runs nothing", async (t) => {
  const consents = openConsents();
  const other = { ...live, id: "c-2", name: "Two" };
  const changing = { active: live } as { active: Connection };
  const deps = { session: changing as unknown as Session, consents };
  const showInformationMessage = async (_: string, __: object, button: string) => {
    changing.active = other;
    return button;
  };
  replace("window", { showInformationMessage }, t);
  assert.equal(await confirmPrice(deps, search), false);
  assert.equal(isPriceDue(deps, search), true, "nothing was agreed for the new connection");
  changing.active = live;
  assert.equal(isPriceDue(deps, search), false);
});

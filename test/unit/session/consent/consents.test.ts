// What the user has allowed: one store for all kinds, each bound to a receiver.
import assert from "node:assert/strict";
import { test } from "node:test";
import { receiverOf } from "../../../../src/session/connection/baseUrl.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { type Consent, type ConsentKind, consentStores } from "../../../../src/session/consent/consent.ts";
import { moveFormerConsents } from "../../../../src/session/consent/formerConsents.ts";
import { memento } from "../../memento.ts";
import { openConsents } from "../openConsents.ts";

const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example/api/v1",
  dialect: "auto",
};
const kinds = Object.keys(consentStores) as ConsentKind[];
const given = (kind: ConsentKind, subject: readonly string[] = ["a", "b"]): Consent => ({
  kind,
  receiver: receiverOf(live),
  subject,
  says: "Something",
});

for (const kind of kinds)
  test(`${kind}: what was allowed on one connection asks again on another one, and after its origin has changed`, async () => {
    const consents = openConsents();
    await consents.give(given(kind));
    assert.ok(consents.use(given(kind)));
    assert.ok(
      consents.find({ ...given(kind), receiver: receiverOf({ ...live, baseUrl: "https://one.example/v2" }) }),
    );
    for (const other of [
      { ...live, id: "c-2" },
      { ...live, baseUrl: "https://two.example/api/v1" },
      { ...live, baseUrl: "https://one.example:444/api/v1" },
      { ...live, baseUrl: "http://127.0.0.1:1/api/v1" },
      { ...live, id: "environment", kind: "environment" as const },
      { ...live, id: "sandbox", kind: "sandbox" as const, baseUrl: "" },
    ])
      assert.equal(
        consents.use({ ...given(kind), receiver: receiverOf(other) }),
        undefined,
        JSON.stringify(other),
      );
    for (const subject of [["a"], ["a", "c"], ["a", "b", "c"], ["a b"], []])
      assert.equal(consents.use({ ...given(kind), subject }), undefined, JSON.stringify(subject));
    for (const other of kinds)
      if (other !== kind) assert.equal(consents.use({ ...given(kind), kind: other }), undefined, other);
  });

test("revoking counts at once in another window over the same state, and can be taken back", async () => {
  const [globalState, workspaceState] = [memento(), memento()];
  const [here, there] = [
    openConsents({ globalState, workspaceState }),
    openConsents({ globalState, workspaceState }),
  ];
  const shared = kinds.filter((kind) => consentStores[kind] !== "window");
  for (const kind of kinds) await here.give(given(kind));
  for (const kind of shared) assert.ok(there.use(given(kind)), kind);
  let changes = 0;
  const listening = here.onDidChange(() => changes++);
  const all = here.all();
  assert.equal(all.length, kinds.length);
  await here.revoke(all);
  for (const kind of kinds) assert.equal(here.use(given(kind)), undefined, kind);
  for (const kind of shared) assert.equal(there.use(given(kind)), undefined, kind);
  await here.restore(all);
  assert.deepEqual(new Set(here.all()), new Set(all));
  assert.equal(changes, 2);
  listening.dispose();
  await here.revoke(all);
  assert.equal(changes, 2);
});

test("what a user allows to a connection ends with it", async () => {
  const consents = openConsents();
  for (const kind of kinds) await consents.give(given(kind));
  await consents.give({ ...given("price"), receiver: "c-11 https://one.example" });
  await consents.forget("c-1");
  assert.deepEqual(
    consents.all().map(({ receiver }) => receiver),
    ["c-11 https://one.example"],
  );
});

test("a consent says when it was given and last used, and ends with its time", async () => {
  let time = 1_000_000;
  const consents = openConsents({ now: () => time });
  await consents.give({ ...given("overdraft"), untilMs: time + 10_000_000, usd: 0.2 });
  const found = () => consents.find(given("overdraft"));
  assert.deepEqual([found()?.agreedAtMs, found()?.usedAtMs], [1_000_000, undefined]);
  time += 5_000;
  consents.use(given("overdraft"));
  assert.equal(found()?.usedAtMs, 1_005_000);
  time += 5_000;
  consents.use(given("overdraft"));
  assert.equal(found()?.usedAtMs, 1_005_000, "each note is written to the disk");
  time += 3_600_000;
  consents.use(given("overdraft"));
  assert.equal(found()?.usedAtMs, time);
  await consents.give({ ...given("overdraft"), untilMs: 11_000_000, usd: 0.1 });
  assert.equal(found()?.usd, 0.2, "the highest price stays allowed");
  time = 11_000_000;
  assert.equal(found(), undefined);
  assert.deepEqual(consents.all(), []);
});

test("an entry that can't be read allows nothing, and loses no other", () => {
  const key = given("price");
  const wrong: unknown[] = [
    null,
    "price",
    [],
    { ...key, kind: "everything" },
    { ...key, kind: "constructor" },
    { ...key, receiver: undefined },
    { ...key, subject: "a b" },
    { ...key, subject: ["a", 1] },
    { ...key, untilMs: "never" },
    { ...key, usd: "1000" },
    // The chat's approvals belong to a workspace.
    given("workspaceTool"),
  ];
  for (const entry of wrong) {
    const globalState = memento();
    void globalState.update("consents", [entry, given("mcp")]);
    const consents = openConsents({ globalState });
    assert.deepEqual(
      consents.all().map(({ kind }) => kind),
      ["mcp"],
      JSON.stringify(entry),
    );
  }
  for (const all of ["torn", {}, 1, null]) {
    const globalState = memento();
    void globalState.update("consents", all);
    assert.deepEqual(openConsents({ globalState }).all(), []);
  }
});

test("the stored consents of a kind are bounded, and their words too", async () => {
  const consents = openConsents();
  await consents.give(given("completions"));
  for (let index = 0; index < 510; index++)
    await consents.give({ ...given("mcp", [`${index}`]), says: "x".repeat(5_000) });
  const all = consents.all();
  assert.equal(all.length, 501);
  assert.deepEqual(all.at(-1)?.subject, ["509"]);
  assert.ok(all.every(({ says }) => says.length <= 201));
});

test("what users allowed in earlier versions goes on, each kind, until it is revoked", async () => {
  const [globalState, workspaceState] = [memento(), memento()];
  const at = "c-1 https://one.example";
  const former = {
    connections: [live],
    "price.agreed": {
      [`search ${at}`]: 0.01,
      [`tool.inference_search_web ${at}`]: 0.02,
      [`tool.mcp.My Client 2.0.inference_read_page ${at}`]: 0.03,
      search: 1,
      [`unheard ${at}`]: 1,
      [`scrape ${at}`]: "1",
    },
    "completions.consents": { [at]: "paid", sandbox: "free", other: "all" },
    "languageModels.allowed": [`a.b ${at}`, 7],
    "rpc.abiHosts": ["abi.example"],
    "spend.allowed": ["c-1 day 2026-11-26", "c-1 day 2026-11-25", "c-9 month 2026-11-01", "torn"],
    connectionWallets: {
      sandbox: { address: "0x1", signer: "paste" },
      environment: { address: "0x2", signer: "command" },
    },
  };
  for (const [key, value] of Object.entries(former)) await globalState.update(key, value);
  await workspaceState.update("chat.approvals", [
    JSON.stringify([at, "read_page", "read_page", "$0.01", "https://a.example"]),
    JSON.stringify([at, "list_files", "list_files", undefined, undefined]),
    "torn",
  ]);
  const consents = openConsents({
    ...{ globalState, workspaceState },
    now: () => Date.UTC(2026, 10, 26, 12),
  });
  // Given before the former ones were moved.
  const since: Consent = {
    kind: "price",
    receiver: at,
    subject: ["speech"],
    says: "Read text aloud",
    usd: 5,
  };
  await consents.give(since);
  const move = () =>
    moveFormerConsents({ globalState, workspaceState }, { INFERENCE_BASE_URL: "https://env.example/api" });
  await move();
  for (const key of Object.keys(former))
    if (key !== "connections") assert.equal(globalState.get(key), undefined, key);
  await move();
  const expected = [
    ["price", at, "search"],
    ["tool", at, "inference_search_web"],
    ["mcp", at, "My Client 2.0", "inference_read_page"],
    ["completions", at, "paid"],
    ["completions", "sandbox", "free"],
    ["extension", at, "a.b"],
    ["contracts", "abi.example", "abi.example"],
    ["overdraft", at, "day", String(Date.UTC(2026, 10, 26) / 86_400_000)],
    ["wallet", "sandbox", "0x1", "paste"],
    ["wallet", "environment https://env.example", "0x2", "command"],
    ["price", at, "speech"],
    ["workspaceTool", at, "read_page", "read_page", "$0.01", "https://a.example"],
    ["workspaceTool", at, "list_files", "list_files", ""],
  ];
  const listed = () => consents.all().map(({ kind, receiver, subject }) => [kind, receiver, ...subject]);
  assert.deepEqual(listed(), expected);
  const [first, ...others] = consents.all();
  await consents.revoke(first ? [first] : []);
  assert.deepEqual(listed(), expected.slice(1));
  assert.equal(others.length, expected.length - 1);
  await consents.revoke(others);
  assert.deepEqual(listed(), []);
  assert.deepEqual([workspaceState.get("chat.approvals"), workspaceState.get("consents")], [undefined, []]);
});

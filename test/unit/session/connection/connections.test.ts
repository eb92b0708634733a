import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { createConnections, sandboxConnection } from "../../../../src/session/connection/connections.ts";
import { openConsents } from "../openConsents.ts";

const one: Connection = {
  id: "1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "auto",
};
const two: Connection = {
  id: "2",
  name: "Two",
  kind: "live",
  baseUrl: "https://two.example",
  dialect: "venice",
};

/** The editor's Memento as a map of JSON values. */
function memory(initial: Record<string, unknown> = {}): Memento {
  const values = new Map(Object.entries(initial));
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : fallback),
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.parse(JSON.stringify(value)));
    },
  } as Memento;
}

function connectionsOf(state: Memento, env: NodeJS.ProcessEnv) {
  return createConnections(state, env, openConsents({ globalState: state }));
}

test("keeps connections in the order they were added, and replaces one in place", async () => {
  const connections = connectionsOf(memory(), {});
  await connections.put(one);
  await connections.put(two);
  await connections.put({ ...one, name: "Uno" });
  assert.deepEqual(
    connections.stored().map(({ name }) => name),
    ["Uno", "Two"],
  );
  assert.deepEqual(connections.all().at(-1), sandboxConnection);
});

test("removing the active connection leaves none active", async () => {
  const connections = connectionsOf(memory(), {});
  await connections.put(one);
  await connections.setActive(one.id);
  await connections.remove(one.id);
  assert.equal(connections.activeId(), undefined);
  assert.deepEqual(connections.stored(), []);
});

test("the environment defines a connection only with a key and a safe address, and the key is never stored", () => {
  const state = memory();
  const at = (env: NodeJS.ProcessEnv) =>
    connectionsOf(state, env)
      .all()
      .filter(({ kind }) => kind === "environment");
  assert.deepEqual(at({ INFERENCE_API_KEY: "k" }), []);
  assert.deepEqual(at({ INFERENCE_API_KEY: "k", INFERENCE_BASE_URL: "http://example.com" }), []);
  const [found] = at({ INFERENCE_API_KEY: "k-canary", INFERENCE_BASE_URL: "https://example.com/" });
  assert.equal(found?.baseUrl, "https://example.com");
  assert.equal(JSON.stringify(found).includes("k-canary"), false);
  assert.deepEqual(state.keys(), []);
});

test("ignores an unreadable stored list and skips invalid rows", () => {
  assert.deepEqual(connectionsOf(memory({ connections: "torn" }), {}).stored(), []);
  const rows = [
    null,
    { id: 1 },
    { id: "3", name: "Three", baseUrl: "https://three.example", dialect: "klingon" },
  ];
  const [only, ...others] = connectionsOf(memory({ connections: rows }), {}).stored();
  assert.deepEqual(others, []);
  assert.equal(only?.dialect, "auto");
});

const wallet = { address: `0x${"1".repeat(40)}`, signer: "command" } as const;

test("any connection can have a wallet, the sandbox too; it ends with its connection", async () => {
  const connections = connectionsOf(memory(), {});
  await connections.put(one);
  for (const { id } of [one, sandboxConnection]) await connections.setWallet(id, wallet);
  assert.deepEqual(
    connections.all().map((connection) => connection.wallet),
    [wallet, wallet],
  );
  await connections.put({ ...one, name: "Uno" });
  assert.deepEqual(connections.byId(one.id)?.wallet, wallet, "a new name keeps the wallet");
  await connections.setWallet(sandboxConnection.id, undefined);
  assert.equal(connections.byId(sandboxConnection.id)?.wallet, undefined);
  await connections.remove(one.id);
  await connections.put(one);
  assert.equal(connections.byId(one.id)?.wallet, undefined);
});

test("a stored wallet of another shape is none", () => {
  const wrong: unknown[] = [null, "x", [], {}, { ...wallet, address: "0x1" }, { ...wallet, signer: "shell" }];
  for (const value of wrong) {
    const connections = connectionsOf(memory({ connectionWallets: { sandbox: value } }), {});
    assert.equal(connections.byId("sandbox")?.wallet, undefined, JSON.stringify(value));
  }
  assert.equal(connectionsOf(memory({ connectionWallets: "torn" }), {}).all().length, 1);
});

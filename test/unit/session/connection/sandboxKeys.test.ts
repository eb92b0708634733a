// A key of a sandbox is no connection of its own: its address lasts as long as a window, and its money is play money.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandbox } from "../../../../src/sandbox/main.ts";
import { createConnections, sandboxConnection } from "../../../../src/session/connection/connections.ts";
import { isSandboxKey, replaceSandboxConnections } from "../../../../src/session/connection/sandboxKeys.ts";
import { memento } from "../../memento.ts";
import { openConsents } from "../openConsents.ts";

/** A window over the state and the keys that all windows share. */
function openWindow(globalState = { ...memento(), keys: () => [] }, secrets = new Map<string, string>()) {
  const connections = createConnections(globalState, {}, openConsents({ globalState }));
  const keys = {
    read: async (id: string, origin: string) => secrets.get(`${id} ${origin}`),
    async erase(id: string) {
      for (const name of secrets.keys()) if (name.startsWith(`${id} `)) secrets.delete(name);
    },
  };
  return { connections, keys, globalState, secrets };
}

const key = `sandbox-inference-${"a".repeat(32)}`;

test("keys that a sandbox makes are recognised at addresses of this machine", async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  for (const secret of [sandbox.apiKey, sandbox.inferenceKey, ` ${sandbox.apiKey}\n`])
    assert.ok(isSandboxKey(sandbox.baseUrl, secret));
  assert.ok(!isSandboxKey("https://service.example/api/v1", sandbox.apiKey));
  for (const other of ["", "sandbox-inference-", `${key}x`, `x${key}`, `sandbox-other-${"a".repeat(32)}`])
    assert.ok(!isSandboxKey(sandbox.baseUrl, other), other);
});

test("a sandbox that was stored as a connection is the sandbox after a reload, in play money, in both windows", async () => {
  const before = openWindow();
  const dead = {
    id: "c-1",
    name: "Mine",
    kind: "live",
    baseUrl: "http://127.0.0.1:4711/api/v1",
    dialect: "auto",
  } as const;
  const local = { ...dead, id: "c-2", name: "A proxy", baseUrl: "http://127.0.0.1:4712" };
  const live = { ...dead, id: "c-3", name: "Live", baseUrl: "https://service.example" };
  for (const connection of [dead, local, live]) await before.connections.put(connection);
  before.secrets.set("c-1 http://127.0.0.1:4711", key);
  before.secrets.set("c-2 http://127.0.0.1:4712", "a-key-of-the-proxy");
  before.secrets.set("c-3 https://service.example", key);
  await before.connections.setActive("c-1");
  const [first, second] = [before, before].map(({ globalState, secrets }) =>
    openWindow(globalState, secrets),
  );
  assert.ok(first && second);
  const named = await Promise.all(
    [first, second].map((window) => replaceSandboxConnections(window.connections, window.keys)),
  );
  assert.ok(named.flat().includes("Mine"));
  for (const { connections } of [first, second]) {
    assert.equal(connections.activeId(), sandboxConnection.id);
    assert.deepEqual(
      connections.stored().map(({ name }) => name),
      ["A proxy", "Live"],
    );
  }
  assert.equal(before.secrets.size, 2);
  assert.deepEqual(await replaceSandboxConnections(first.connections, first.keys), []);
});

test("another connection stays the active one", async () => {
  const { connections, keys, secrets } = openWindow();
  const dead = {
    id: "c-1",
    name: "Mine",
    kind: "live",
    baseUrl: "http://[::1]:4711",
    dialect: "auto",
  } as const;
  await connections.put(dead);
  secrets.set("c-1 http://[::1]:4711", key);
  await connections.setActive("environment");
  assert.deepEqual(await replaceSandboxConnections(connections, keys), ["Mine"]);
  assert.equal(connections.activeId(), "environment");
});

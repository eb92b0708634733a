// The session of a window: its clients are loaded by the first call, built once, and built again after a change.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { LogOutputChannel, Memento } from "vscode";
import { createConnections } from "../../../src/session/connection/connections.ts";
import { settings } from "../../../src/shared/names/ids.ts";
import { configurationOf } from "../configurationDouble.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { replace } from "../vscodeDouble.ts";
import { openConsents } from "./openConsents.ts";

const { createSession } = await import("../../../src/session/createSession.ts");

type Listener = (event: { affectsConfiguration(section: string): boolean }) => void;

function memory(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
    async update(key: string, value: unknown) {
      values.set(key, value);
    },
  };
}

/** A session whose sandboxes have addresses where nothing answers. `failures` of their starts fail. */
function setUp(t: TestContext, failures = 0, env: NodeJS.ProcessEnv = {}) {
  const user = {
    [settings.connectionTransport]: "host",
    [settings.connectionTimeoutSeconds]: 1,
    [settings.sandboxDialect]: "standard",
    [settings.sandboxTokensPerSecond]: 50,
    [settings.sandboxModelServers]: [],
  };
  configurationOf(t, { user });
  const listeners = new Set<Listener>();
  replace(
    "workspace",
    {
      onDidChangeConfiguration(listener: Listener) {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    },
    t,
  );
  const started: { isClosed: boolean; speed: number }[] = [];
  const state = memory();
  const consents = openConsents({ globalState: state });
  const connections = createConnections(state, env, consents);
  let left = failures;
  const session = createSession({
    connections,
    consents,
    keys: { onDidChange: () => ({ dispose() {} }) } as never,
    env: {},
    documents: () => assert.fail("not needed"),
    async startSandbox({ tokensPerSecond }) {
      if (left-- > 0) throw new Error("the port is taken");
      const sandbox = { isClosed: false, speed: tokensPerSecond };
      started.push(sandbox);
      return {
        baseUrl: `http://127.0.0.1:${started.length}`,
        apiKey: "key",
        setTokensPerSecond(speed) {
          sandbox.speed = speed;
        },
        setModelServers() {},
        findLocalModels: async () => ({ models: [], problems: [] }),
        async close() {
          sandbox.isClosed = true;
        },
      };
    },
    log: { error: (text: string) => assert.fail(text) } as unknown as LogOutputChannel,
    spendFolder: temporaryFolder(),
    state,
  });
  t.after(() => session.dispose());
  const change = (section: string) => {
    for (const listener of listeners)
      listener({ affectsConfiguration: (asked) => section.startsWith(asked) });
  };
  return { session, connections, started, change };
}

const source = { kind: "connection" } as const;

test("without a connection a call is refused, and no sandbox starts", async (t) => {
  const { session, started } = setUp(t);
  await assert.rejects(session.client(source), { kind: "unauthorized" });
  assert.equal(started.length, 0);
});

test("calls at the same time share one client, and later ones get it, too", async (t) => {
  const { session, connections, started } = setUp(t);
  await connections.setActive("sandbox");
  const [one, other] = await Promise.all([session.client(source), session.client(source)]);
  assert.equal(one.prices, other.prices);
  assert.equal((await session.client(source)).prices, one.prices);
  assert.equal(started.length, 1);
});

test("a client is built again after a refresh, even one that comes while the first is loaded", async (t) => {
  const { session, connections } = setUp(t);
  await connections.setActive("sandbox");
  const loading = session.client(source);
  session.refresh();
  const [first, second] = await Promise.all([loading, session.client(source)]);
  assert.notEqual(second.prices, first.prices);
  session.refresh();
  assert.notEqual((await session.client(source)).prices, second.prices);
});

test("a sandbox that could not start is started by the next call", async (t) => {
  const { session, connections, started } = setUp(t, 1);
  await connections.setActive("sandbox");
  await assert.rejects(session.client(source), { kind: "unavailable" });
  assert.equal((await session.client(source)).connection.id, "sandbox");
  assert.equal(started.length, 1);
});

test("changed settings reach the running sandbox, and listeners get the active connection", async (t) => {
  const { session, connections, started, change } = setUp(t);
  await connections.setActive("sandbox");
  const fired: unknown[] = [];
  session.onDidChangeActive((active) => fired.push(active?.id));
  change("inference.sandbox.tokensPerSecond");
  assert.deepEqual(fired, ["sandbox"]);
  assert.equal(started.length, 0);
  await session.client(source);
  for (const sandbox of started) sandbox.speed = 0;
  change("editor.fontSize");
  change("inference.sandbox.tokensPerSecond");
  await session.client(source);
  assert.deepEqual(
    started.map(({ speed }) => speed),
    [50],
  );
  assert.equal(fired.length, 2);
});

test("the sandbox is closed with the session", async (t) => {
  const { session, connections, started } = setUp(t);
  await connections.setActive("sandbox");
  await session.client(source);
  session.dispose();
  await Promise.resolve();
  assert.deepEqual(
    started.map(({ isClosed }) => isClosed),
    [true],
  );
});

test("a connection that was chosen and is gone is not replaced by the environment's, which was not chosen", async (t) => {
  const env = { INFERENCE_API_KEY: "k", INFERENCE_BASE_URL: "https://environment.example" };
  const { session, connections } = setUp(t, 0, env);
  const activeAfter = async (chosen: string | undefined) => {
    await connections.setActive(chosen);
    return session.active?.id;
  };
  assert.equal(await activeAfter(undefined), "environment");
  assert.equal(await activeAfter("gone"), undefined);
  assert.equal(await activeAfter(undefined), "environment");
});

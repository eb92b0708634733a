// Each call belongs to a key: the ledger names it by its end, as the service does, and never in full.
import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keyEndingOf } from "../../../../src/shared/keyEnding.ts";
import { listen } from "../../../loopback/server.ts";
import { canary, clientOf } from "../../api/client.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection, openWindow } from "../budgetWindow.ts";
import { hard, noService, search, serve } from "../spendGateKit.ts";

function linesIn(folder: string): readonly Record<string, unknown>[] {
  const [name = ""] = readdirSync(join(folder, connection.id));
  const text = readFileSync(join(folder, connection.id, name), "utf8");
  return text.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
}

test("the hold and the entry of a call name the key by its last six characters, as the service does", async (t) => {
  const sandbox = await serve(t);
  const folder = temporaryFolder();
  const admin = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: hard(1) });
  const { data: made } = await admin.api.keys.create({ apiKeyType: "INFERENCE", description: "ci" });
  const window = openWindow({ ...sandbox, apiKey: made.apiKey, folder, budgets: hard(1) });
  await window.api.augment.search({ query: "chat" });
  const [entry] = await window.spend.entries(connection);
  const { data: shown } = await admin.api.keys.read({ id: made.id });
  assert.equal(entry?.keyEnding, shown.last6Chars);
  const lines = linesIn(folder).filter(({ t: kind }) => kind === "held" || kind === "spent");
  assert.deepEqual(
    lines.map(({ t: kind, keyEnding }) => [kind, keyEnding]),
    [
      ["held", shown.last6Chars],
      ["spent", shown.last6Chars],
    ],
  );
  const text = JSON.stringify(linesIn(folder));
  assert.equal(text.includes(made.apiKey.slice(-7)), false, "no more of the key than the service shows");
});

test("a call that ended without a price, and may be billed, names its key", async (t) => {
  const service = await listen((_, response) => {
    response.statusCode = 502;
    response.end("{}");
  });
  t.after(() => service.close());
  const options = { baseUrl: `${service.origin}/api/v1`, apiKey: canary };
  const window = openWindow({ ...options, folder: temporaryFolder(), budgets: hard(1) });
  await assert.rejects(window.api.augment.search({ query: "chat" }));
  const [entry] = await window.spend.entries(connection);
  assert.deepEqual([entry?.cost, entry?.keyEnding], [undefined, canary.slice(-6)]);
  assert.equal(service.received.length, 1, "no request is made to learn the key");
});

test("a wallet that pays, and a key too short to show a part of it, have no ending", async (t) => {
  const service = await listen((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
  t.after(() => service.close());
  const body = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" } as const;
  const endings = async (options: Parameters<typeof clientOf>[2]) => {
    const { api, events } = clientOf(t, service.origin, options);
    await api.rpc.call({ network: "base-mainnet", body });
    return events.flatMap((event) => (event.type === "charged" ? [event.keyEnding] : []));
  };
  assert.deepEqual(await endings({}), [canary.slice(-6)]);
  assert.deepEqual(await endings({ walletSignIn: async () => "signed" }), [undefined]);
  assert.deepEqual(await endings({ apiKey: async () => "short-key-of-23-letters" }), [undefined]);
  assert.equal(keyEndingOf("0123456789abcdefghijklmn"), "ijklmn");
  assert.equal(keyEndingOf(undefined), undefined);
});

test("a key that can't be read does not stop the call from saying so", async (t) => {
  const window = clientOf(t, "http://127.0.0.1:9", {
    apiKey: async () => {
      throw new Error("the keyring is locked");
    },
  });
  await assert.rejects(window.api.augment.search({ query: "chat" }), /the keyring is locked/);
});

test("lines of older versions have no key, and one that is no ending is left out; money counts all the same", async () => {
  const folder = temporaryFolder();
  const window = openWindow({ ...noService, folder, budgets: hard(1) });
  const hold = await window.gate.admit(
    connection,
    { ...search, keyEnding: "abc123" },
    window.prices,
    undefined,
  );
  const [name = ""] = readdirSync(join(folder, connection.id));
  const line = { t: "spent", atMs: Date.now(), endpoint: "augment.search", usd: "0.01" };
  const others = [undefined, 5, "", "a whole key-0123456789", "a\u202eb12", "ending"];
  appendFileSync(
    join(folder, connection.id, name),
    others.map((keyEnding, id) => `${JSON.stringify({ ...line, id: `e-${id}`, keyEnding })}\n`).join(""),
  );
  const entries = await window.spend.entries(connection);
  assert.deepEqual(
    entries.map(({ keyEnding }) => keyEnding),
    ["ending", undefined, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    linesIn(folder).flatMap(({ t: kind, id, keyEnding }) => (kind === "held" ? [[id, keyEnding]] : [])),
    [[hold, "abc123"]],
  );
});

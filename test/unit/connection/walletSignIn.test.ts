import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Memento } from "vscode";
import { createConnections, sandboxConnection } from "../../../src/session/connection/connections.ts";
import { settings } from "../../../src/shared/names/ids.ts";
import { testWallet, testWalletKey } from "../../contract/suite/signInKit.ts";
import { root } from "../../tools/paths.ts";
import { configurationOf } from "../configurationDouble.ts";
import { answerDialogs } from "../fields/answering.ts";
import { openConsents } from "../session/openConsents.ts";
import { replace, shown } from "../vscodeDouble.ts";

const { removeWallet, signInWithWallet } = await import("../../../src/connection/walletSignIn.ts");

function setUp(t: TestContext, command: readonly string[]) {
  configurationOf(t, { user: { [settings.walletCommand]: command } });
  const values = new Map<string, unknown>();
  const memento = {
    keys: () => [...values.keys()],
    get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Memento;
  const consents = openConsents({ globalState: memento });
  const connections = createConnections(memento, {}, consents);
  let refreshed = 0;
  const session = { active: undefined, refresh: () => void refreshed++ } as never;
  const keys = {} as never;
  return {
    connections,
    stored: () => JSON.stringify([...values]),
    refreshed: () => refreshed,
    deps: { connections, consents, session, keys },
  };
}

/** A program that signs with the key of the tests, and notes each run. */
function signer(t: TestContext, code: string): readonly string[] {
  const folder = join(root, ".vscode-test", `signer-${crypto.randomUUID()}`);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const script = join(folder, "sign.mjs");
  const reads =
    'import { readFileSync } from "node:fs"; import { privateKeyToAccount } from "viem/accounts";';
  const challenge = 'const { message } = JSON.parse(readFileSync(0, "utf8"));';
  writeFileSync(
    script,
    `${reads}\n${challenge}\nconst account = privateKeyToAccount("${testWalletKey}");\n${code}`,
  );
  return [process.execPath, script];
}

const answers =
  (service: string, who: string) =>
  (question: string): string => {
    if (question.startsWith("Select the service that the wallet pays")) return service;
    if (question === "Select a service") return "Other…";
    if (question.startsWith("Address of the service")) return "https://pay.example";
    if (question.startsWith("Name of this connection")) return "Paid";
    if (question.startsWith("Address of the wallet")) return testWallet.address;
    return question.startsWith("Select who signs") ? who : "";
  };

test("a program that signs is proved first; then a new connection without a key is paid by the wallet", async (t) => {
  const { connections, deps, stored, refreshed } = setUp(
    t,
    signer(t, "console.log(await account.signMessage({ message }))"),
  );
  answerDialogs(t, answers("Another Service…", "A Program of Mine"));
  await signInWithWallet(deps);
  const [paid] = connections.stored();
  assert.deepEqual(
    [paid?.name, paid?.baseUrl, paid?.wallet],
    ["Paid", "https://pay.example", { address: testWallet.address, signer: "command" }],
  );
  assert.equal(connections.activeId(), paid?.id);
  assert.equal(refreshed(), 1);
  assert.equal(stored().includes(testWalletKey.slice(2)), false);
});

for (const [name, code] of [
  ["fails", "console.error('locked'); process.exit(1)"],
  ["prints something else", "console.log('hello')"],
  [
    "signs for another wallet",
    "console.log(Buffer.from(JSON.stringify({ address: '0x1', message, signature: '0x1' })).toString('base64'))",
  ],
] as const)
  test(`nothing is stored if the program ${name}`, async (t) => {
    const { connections, deps, stored, refreshed } = setUp(t, signer(t, code));
    answerDialogs(t, answers("Another Service…", "A Program of Mine"));
    await signInWithWallet(deps);
    assert.deepEqual(connections.stored(), []);
    assert.deepEqual([stored(), refreshed()], ["[]", 0]);
    assert.match(shown.join("\n"), /the wallet did not sign/);
  });

test("without a program in the user settings, they are opened, and nothing is stored", async (t) => {
  const { deps, stored } = setUp(t, []);
  const opened: unknown[] = [];
  replace("commands", { executeCommand: async (...call: readonly unknown[]) => void opened.push(call) }, t);
  answerDialogs(t, answers("Sandbox", "A Program of Mine"));
  await signInWithWallet(deps);
  assert.deepEqual(opened, [["workbench.action.openSettings", settings.walletCommand]]);
  assert.equal(stored(), "[]");
});

test("a wallet of the sandbox whose signatures are pasted is removed after a question, and the connection stays", async (t) => {
  const { connections, deps } = setUp(t, []);
  answerDialogs(t, answers("Sandbox", "I Paste a Signature for Each Call"));
  await signInWithWallet(deps);
  const sandbox = () => connections.byId(sandboxConnection.id);
  assert.deepEqual(sandbox()?.wallet, { address: testWallet.address, signer: "paste" });
  replace("window", { showWarningMessage: async () => undefined }, t);
  await removeWallet(deps);
  assert.ok(sandbox()?.wallet, "the question was left");
  replace("window", { showWarningMessage: async (_: string, __: object, button: string) => button }, t);
  await removeWallet(deps);
  assert.equal(sandbox()?.wallet, undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { WalletAccount } from "../../../../../src/account/host/usage/walletAccount.ts";
import { dialects } from "../../../../../src/api/dialect/dialect.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { signIn, testWallet } from "../../../../contract/suite/signInKit.ts";
import { startTestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../../api/client.ts";
import { connection } from "../accountRows.ts";

const { address } = testWallet;
const { signal } = new AbortController();

test("a wallet is read on demand alone: balance, then its transactions, each with a sign-in", async (t) => {
  const sandbox = await startTestSandbox({ dialect: "venice", walletUsd: 0.5, nodes: false });
  t.after(() => sandbox.close());
  const { api } = clientOf(t, sandbox.baseUrl, {
    dialect: dialects.venice,
    walletSignIn: () => signIn({ baseUrl: sandbox.baseUrl, now: Date.now }),
  });
  await api.rpc.call({ network: "base-mainnet", body: { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" } });
  const client: Pick<Client, "api" | "dialect" | "connection"> = {
    api,
    dialect: dialects.venice,
    connection,
  };
  const account = new WalletAccount(address, Date.now);
  const [before] = account.nodes(client);
  assert.equal(before?.command, "readWallet");
  assert.equal(before?.copyText, address);
  assert.equal(before?.children, undefined);
  assert.equal(sandbox.requests.filter(({ path }) => path.includes("x402")).length, 0);
  await account.read(client, signal);
  const [row] = account.nodes(client);
  assert.match(row?.description ?? "", /^\$0\.50, read .* ago$/);
  const rows = (await row?.children?.()) ?? [];
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["Charge", "Top-up", "Read again"],
  );
  assert.match(rows[0]?.description ?? "", /^−\$0\.000014 · crypto-rpc-base-mainnet/);
});

test("a dialect without accounts of wallets has no row, and a service that lacks them is not asked again", async (t) => {
  const sandbox = await startTestSandbox({ nodes: false });
  t.after(() => sandbox.close());
  const { api } = clientOf(t, sandbox.baseUrl, {
    walletSignIn: () => signIn({ baseUrl: sandbox.baseUrl, now: Date.now }),
  });
  const account = new WalletAccount(address, Date.now);
  assert.deepEqual(account.nodes({ dialect: dialects.standard, connection }), []);
  const venice = { dialect: dialects.venice, connection };
  assert.equal(account.nodes(venice).length, 1);
  await assert.rejects(account.read({ api }, signal), { kind: "not-found" });
  assert.deepEqual(account.nodes(venice), []);
});

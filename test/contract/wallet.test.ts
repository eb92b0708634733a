// A wallet that pays the sandbox, signed by viem: the client and the challenge are ours, the signature is not.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApi } from "../../src/api/call/client.ts";
import { dialects } from "../../src/api/dialect/dialect.ts";
import { table } from "../../src/api/table.ts";
import { readSignIn, signInChallenge } from "../../src/wallet/signIn.ts";
import { startTestSandbox, type TestSandbox } from "../serviceKit/testSandbox.ts";
import { testWallet } from "./suite/signInKit.ts";
import { failureOf, transports } from "./suite/suite.ts";

const { address } = testWallet;
const item = { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" } as const;
const call = { network: "base-mainnet", body: item };

for (const dialect of Object.values(dialects)) {
  describe(`a wallet pays the sandbox, ${dialect.id}`, () => {
    let sandbox: TestSandbox;
    const transport = transports.host();
    before(async () => {
      sandbox = await startTestSandbox({
        dialect: dialect.id,
        walletUsd: 0.01,
        nodes: false,
        speechProgram: null,
      });
    });
    after(async () => {
      await sandbox.close();
      await transport.close();
    });

    /** A client that has no key. The wallet signs our challenge. */
    const clientOf = (wallet = testWallet) =>
      createApi(table, transport, {
        baseUrl: sandbox.baseUrl,
        apiKey: async () => assert.fail("a wallet has no key"),
        dialect,
        timeouts: { headersMs: 60_000, idleMs: 60_000 },
        async walletSignIn() {
          const challenge = signInChallenge(sandbox.baseUrl, address, Date.now());
          const signature = await wallet.signMessage({ message: challenge.message });
          const read = readSignIn(signature, challenge, { nowMs: Date.now(), isUsed: () => false });
          assert.ok(typeof read === "object");
          return read.header;
        },
      });

    test("calls go until the balance is used up, and then it says how to top up", async () => {
      const api = clientOf();
      const balance = async () => (await api.wallet.balance({ address })).data.balanceUsd;
      await api.rpc.call(call);
      if (dialect.id === "venice") {
        const left = await balance();
        assert.ok(left > 0.00998 && left < 0.01, String(left));
      }
      let error: Awaited<ReturnType<typeof failureOf>> | undefined;
      for (let count = 0; count < 90 && !error; count++) {
        const body = Array.from({ length: 100 }, (_, id) => ({ ...item, id }));
        error = await api.rpc.call({ network: "base-mainnet", body }).then(
          () => undefined,
          (thrown) => failureOf(Promise.reject(thrown)),
        );
      }
      assert.deepEqual([error?.kind, error?.details.source], ["payment-required", "wallet"]);
      assert.equal(error?.details.topUp?.steps.length, 3);
      const [payment] = error?.details.topUp?.payments ?? [];
      assert.equal(payment?.amount, "5 USDC");
      assert.match(payment?.network ?? "", /test network/);
      if (dialect.id === "venice") assert.equal(await balance(), 0, "a charge never goes below zero");
    });

    test("its calls are not on the bill of the account, and no log has a sign-in", async () => {
      const { apiKey, baseUrl } = sandbox;
      const get = async (path: string) =>
        (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } })).json();
      const limits = (await get("/api_keys/rate_limits")) as {
        data: { balances: { USD: number; DIEM: number } };
      };
      assert.deepEqual(limits.data.balances, { USD: 25, DIEM: 10 });
      assert.equal(JSON.stringify(sandbox.requests.map(({ headers }) => headers)).includes("eyJ"), false);
    });

    test("a signature of another key is refused", async () => {
      const { privateKeyToAccount, generatePrivateKey } = await import("viem/accounts");
      const error = await failureOf(clientOf(privateKeyToAccount(generatePrivateKey())).rpc.call(call));
      assert.equal(error.details.serviceCode, "X402_INVALID_SIGN_IN");
      assert.match(error.message, /not signed by its wallet/);
    });

    test("its account is its own, newest first; only the public dialect has it", async () => {
      const api = clientOf();
      if (dialect.id === "standard") {
        assert.equal((await failureOf(api.wallet.transactions({ address }))).kind, "not-found");
        return;
      }
      const { data } = await api.wallet.transactions({ address, limit: 2 });
      assert.deepEqual(
        data.transactions.map(({ type }) => type),
        ["CHARGE", "CHARGE"],
      );
      assert.equal(data.pagination?.hasMore, true);
      const other = `0x${"1".repeat(40)}`;
      assert.equal(
        (await failureOf(api.wallet.balance({ address: other }))).details.serviceCode,
        "X402_WALLET_MISMATCH",
      );
    });
  });
}

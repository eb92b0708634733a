// Results of Solana in the shapes that its documentation states (https://solana.com/docs/rpc/http).
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Json, RpcNetwork } from "../../../../../src/rpc/output/rpcOutput.ts";
import {
  readSolana,
  readSolanaTransaction,
  solanaText,
  solText,
} from "../../../../../src/rpc/renderer/data/solana.ts";
import { type RendererPage, useRendererPage } from "../rendererPage.ts";
import { lineOf, outputOf, result } from "../samples.ts";

const solana: RpcNetwork = { slug: "solana-mainnet", isMainnet: true, coin: "SOL" };
const system = "11111111111111111111111111111111";
const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const [payer, receiver, mint] = [
  "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
];
const context = { apiVersion: "3.0.0", slot: 341_197_053 };
const account = {
  data: ["aGVsbG8=", "base64"],
  executable: false,
  lamports: 1_500_000_001,
  owner: system,
  rentEpoch: 18_446_744_073_709_551_615n,
};
const meta = {
  computeUnitsConsumed: 150,
  err: null,
  fee: 5000,
  innerInstructions: [{ index: 1, instructions: [{ programIdIndex: 2, accounts: [0, 1], data: "3Bxs4h" }] }],
  logMessages: [`Program ${system} invoke [1]`],
  preBalances: [2_000_000_000, 0, 1, 1],
  postBalances: [999_995_000, 1_000_000_000, 1, 1],
  preTokenBalances: [],
  postTokenBalances: [
    {
      accountIndex: 1,
      mint,
      owner: receiver,
      uiTokenAmount: { amount: "1500000", decimals: 6, uiAmountString: "1.5" },
    },
  ],
};
const transaction = {
  blockTime: 1_746_479_684,
  slot: 378_917_547,
  version: "legacy",
  meta,
  transaction: {
    signatures: ["5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"],
    message: {
      accountKeys: [payer, receiver, system, token],
      header: { numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 2, numRequiredSignatures: 1 },
      instructions: [
        { accounts: [0, 1], data: "3Bxs4h24hBtQy9rw", programIdIndex: 2, stackHeight: null },
        { accounts: [0, 1], data: "3DdGGhkhJbjm", programIdIndex: 3, stackHeight: null },
      ],
      recentBlockhash: "DfQmHzKwGqsVWuqWvmvDHrxHwHwPWqXPqS2NUFCRJNDz",
    },
  },
};

describe("readers of Solana's results", () => {
  const short = (value: unknown) => solanaText(value as Json);

  it("SOL has nine exact decimals", () => {
    assert.equal(solText(18_446_744_073_709_551_615n), "18,446,744,073.709551615 SOL");
    assert.equal(solText(-1n), "-0.000000001 SOL");
  });

  it("short texts say the amount, the owner and the status", () => {
    assert.equal(short({ context, value: 1_500_000_000 }), "1.5 SOL");
    assert.equal(short(890_880), "0.00089088 SOL");
    assert.equal(short({ context, value: account }), "1.500000001 SOL, owned by System Program");
    assert.equal(short({ context, value: null }), "no such account");
    assert.equal(short(transaction), "succeeded, 3 instructions, fee 0.000005 SOL");
    assert.equal(short({ context, value: [account, null] }), "2 accounts");
  });

  it("a transaction has signers, instructions by program, and changes, indexed and parsed", () => {
    const read = readSolanaTransaction(transaction as unknown as { [name: string]: Json });
    assert.deepEqual(read.signers, [payer]);
    assert.deepEqual(
      read.instructions.map(({ place, program, accounts }) => [place, program, accounts]),
      [
        ["1", "System Program", [payer, receiver]],
        ["2", "Token Program", [payer, receiver]],
        ["2.1", "System Program", [payer, receiver]],
      ],
    );
    assert.deepEqual(
      read.changes.map(({ account: of, by, mint: token }) => [of, token, by]),
      [
        [payer, undefined, "-1.000005 SOL"],
        [receiver, undefined, "+1 SOL"],
        [receiver, mint, "+1.5"],
      ],
    );
    const parsed = readSolanaTransaction({
      meta,
      transaction: {
        signatures: [],
        message: {
          accountKeys: [{ pubkey: payer, signer: true, source: "transaction", writable: true }],
          instructions: [
            { program: "system", programId: system, parsed: { type: "transfer", info: { lamports: 1 } } },
            {
              program: "spl-memo",
              programId: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
              parsed: "hello",
            },
          ],
        },
      },
    } as unknown as { [name: string]: Json });
    assert.deepEqual(parsed.signers, [payer]);
    assert.equal(parsed.instructions[0]?.type, "transfer");
    assert.deepEqual(parsed.instructions[1]?.info, { text: "hello" });
  });

  it("accounts of lookup tables are counted after those of the message", () => {
    const loaded = { ...meta, loadedAddresses: { writable: ["W"], readonly: ["R"] } };
    const message = { accountKeys: [payer], instructions: [{ programIdIndex: 2, accounts: [1, 9] }] };
    const read = readSolanaTransaction({ meta: loaded, transaction: { message } } as unknown as {
      [name: string]: Json;
    });
    assert.deepEqual(
      [read.instructions[0]?.programId, read.instructions[0]?.accounts],
      ["R", ["W", "account 9"]],
    );
  });

  it("a failure names the instruction, its program and the reason", () => {
    const failed = (err: Json) =>
      readSolanaTransaction({ ...transaction, meta: { ...meta, err } } as unknown as { [name: string]: Json })
        .error;
    assert.equal(
      failed({ InstructionError: [1, { Custom: 1 }] }),
      "Instruction 2 (Token Program): custom error 1 (0x1)",
    );
    assert.equal(
      failed({ InstructionError: [0, "InvalidAccountData"] }),
      "Instruction 1 (System Program): InvalidAccountData",
    );
    assert.equal(failed("AccountInUse"), "AccountInUse");
    assert.equal(
      failed({ InsufficientFundsForRent: { account_index: 2 } }),
      '{"InsufficientFundsForRent":{"account_index":2}}',
    );
  });

  it("other shapes are left to the JSON view", () => {
    for (const value of [
      null,
      "text",
      [],
      {},
      { context },
      { context, value: "x" },
      [1],
      { transaction: [] },
    ] as Json[])
      assert.equal(readSolana(value), undefined);
  });
});

describe("views of Solana's results", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });
  const draw = (method: string, value: unknown) =>
    opened.draw(
      outputOf([lineOf(method, result("solana", value as Json, { bytes: 1 }), { network: solana.slug })], {
        networks: [solana],
      }),
    );

  it("an account has its balance, owner, and the length of its data", async () => {
    await draw("getAccountInfo", { context, value: account });
    assert.equal(await page.locator(".large").innerText(), "1.500000001 SOL");
    await page.getByText("1,500,000,001 lamports · in slot 341,197,053").waitFor();
    await page.getByText("System Program").waitFor();
    await page.locator(".field", { hasText: "data length" }).getByText("5 bytes").waitFor();
    await draw("getAccountInfo", { context, value: null });
    await page.getByText("No account has this address").waitFor();
  });

  it("accounts are a table, with lamports in SOL", async () => {
    await draw("getTokenAccountsByOwner", { context, value: [{ pubkey: receiver, account }] });
    await page.getByRole("cell", { name: "1.500000001 SOL" }).waitFor();
  });

  it("a transaction has its status, fee, instructions and balance changes", async () => {
    await draw("getTransaction", transaction);
    await page.getByText("✓ Succeeded").waitFor();
    await page.locator(".field", { hasText: /^fee/ }).first().getByText("0.000005 SOL").waitFor();
    const rows = (name: string) => page.getByRole("region", { name }).locator("tbody tr");
    assert.equal(await rows("Instructions").count(), 3);
    assert.match(await rows("Balance changes").first().innerText(), /-1\.000005 SOL/);
    await draw("getTransaction", {
      ...transaction,
      meta: { ...meta, err: { InstructionError: [1, { Custom: 1 }] } },
    });
    await page.getByText(/✗ Failed, and its fee was paid\. Instruction 2 \(Token Program\)/).waitFor();
    await page.setViewportSize({ width: 260, height: 700 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 260);
    assert.deepEqual(opened.problems, []);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTopUp } from "../../../../src/api/errors/topUp.ts";
import { hidesSomething } from "../../../../src/shared/text/html/visibleText.ts";

const payTo = "0x1111111111111111111111111111111111111111";
const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const offer = { scheme: "exact", network: "eip155:8453", asset: usdcOnBase, amount: "5250000", payTo };

test("reads the public service's instructions, with its amount, network, token and address", () => {
  const topUp = readTopUp(
    {
      error: "Payment required",
      currentBalanceUsd: 0.04,
      suggestedTopUpUsd: 10,
      minimumTopUpUsd: 5,
      topUpInstructions: {
        step2: "Sign a transfer",
        step1: "Ask for the terms",
        receiverWallet: payTo,
        tokenAddress: usdcOnBase,
        network: "eip155:8453",
        minimumAmountUsd: 5,
      },
    },
    "",
  );
  assert.deepEqual(topUp, {
    steps: ["Ask for the terms", "Sign a transfer"],
    balanceUsd: "0.04",
    minimumUsd: "5",
    suggestedUsd: "10",
    payments: [{ amount: "5 USD", network: "Base (eip155:8453)", token: usdcOnBase, payTo }],
  });
});

test("reads offers in the body and in the header, each address once", () => {
  const solana = {
    network: "solana",
    asset: "XYZ",
    amount: "7",
    payTo: "So11111111111111111111111111111111111111112",
  };
  const header = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [offer, solana] })).toString("base64");
  const topUp = readTopUp({ x402Version: 1, accepts: [offer] }, header);
  assert.deepEqual(topUp?.payments, [
    { amount: "5.25 USDC", network: "Base (eip155:8453)", token: usdcOnBase, payTo },
    { amount: "7 base units", network: "Solana (solana)", token: "XYZ", payTo: solana.payTo },
  ]);
});

test("an amount has six decimals for USDC alone, and other forms are left out", () => {
  const amountOf = (amount: unknown, asset: string = usdcOnBase) =>
    readTopUp({ accepts: [{ ...offer, amount, asset }] }, "")?.payments[0]?.amount;
  const expected = {
    "0": "0 USDC",
    "1": "0.000001 USDC",
    "10000000": "10 USDC",
    "123456789": "123.456789 USDC",
  };
  for (const [amount, text] of Object.entries(expected)) assert.equal(amountOf(amount), text);
  assert.equal(amountOf("5000000", payTo), "5000000 base units");
  for (const wrong of [5, -1, "1e6", "5.0", "0x10", "", "9".repeat(31), null, {}])
    assert.equal(amountOf(wrong), undefined);
});

test("what has no address of a known shape is no way to pay", () => {
  for (const address of [
    "0x1",
    `${payTo}0`,
    ` ${payTo}`,
    `${payTo}\n`,
    "alice.eth",
    "javascript:alert(1)",
    7,
    null,
  ])
    assert.equal(readTopUp({ accepts: [{ ...offer, payTo: address }] }, ""), undefined);
});

test("hidden characters, markup and line breaks stay visible text on one line", () => {
  const topUp = readTopUp(
    {
      topUpInstructions: {
        step1: "<b>Pay</b>\u202e [here](https://evil.example)\n\u0000now",
        step2: " ",
        step3: 7,
      },
    },
    "",
  );
  assert.deepEqual(topUp?.steps, ["<b>Pay</b>⟨U+202E⟩ [here](https://evil.example) ⟨U+0000⟩now"]);
});

test("a huge body is cut", () => {
  const steps = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`step${index}`, "x".repeat(10_000)]),
  );
  const accepts = Array.from({ length: 5_000 }, (_, index) => ({
    ...offer,
    payTo: `0x${String(index).padStart(40, "0")}`,
  }));
  const topUp = readTopUp({ topUpInstructions: steps, accepts }, "A".repeat(1_000_000));
  assert.ok(JSON.stringify(topUp).length < 6_000);
});

test("random bodies and headers never throw, and never show a hidden character", () => {
  const member = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }));
  const body = fc.record(
    {
      topUpInstructions: fc.dictionary(
        fc.constantFrom("step1", "step2", "receiverWallet", "network"),
        member,
      ),
      accepts: member,
      currentBalanceUsd: member,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), fc.string(), (value, header) => {
      const text = JSON.stringify(readTopUp(value, header) ?? {});
      assert.equal(hidesSomething(JSON.parse(JSON.stringify(text)) as string), false);
    }),
  );
});

import assert from "node:assert/strict";
import { testWallet } from "../suite/signInKit.ts";
import type { RowSuite, Rules } from "../suite/suite.ts";

const { address } = testWallet;
const rules: Rules = { address: { good: [address], bad: ["", "0x1", 7, "vitalik.eth"] } };

/** GET /x402/balance/{address} (api-missing.md, Wallet). */
export const balance: RowSuite = {
  sample: { address },
  only: "venice",
  rules,
  reply: {
    nullable: ["canConsume", "minimumTopUpUsd", "suggestedTopUpUsd"].map((name) => `data.${name}`),
    required: ["data", "data.balanceUsd"],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "states the balance of the wallet that signed",
      async run({ api }) {
        const { data } = await api.wallet.balance({ address });
        assert.deepEqual([data.balanceUsd, data.canConsume], [0, false]);
      },
    },
  ],
};

/** GET /x402/transactions/{address}. */
export const transactions: RowSuite = {
  sample: { address },
  only: "venice",
  rules: {
    ...rules,
    limit: { good: [1, 50, 100], bad: [0, 101, 1.5, "many"] },
    offset: { good: [0, 7], bad: [-1, 0.5, "none"] },
  },
  // A wallet without money has none; test/contract/wallet.test.ts reads the rows.
  reply: {
    nullable: ["data.currentBalance", "data.pagination"],
    required: ["data", "data.transactions"],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "lists none for a wallet without any",
      async run({ api }) {
        assert.deepEqual((await api.wallet.transactions({ address })).data.transactions, []);
      },
    },
  ],
};

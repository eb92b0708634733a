import assert from "node:assert/strict";
import { test } from "node:test";
import {
  baseCredits,
  chargedCredits,
  predictCredits,
  rpcTier,
} from "../../../../src/api/money/rpcCredits.ts";

// Spec E3, method tiers, row by row.
const tiers: readonly (readonly [1 | 2 | 4, string])[] = [
  [1, "eth_call eth_getBalance eth_blockNumber eth_sendRawTransaction eth_getLogs eth_getTransactionReceipt"],
  [1, "eth_estimateGas net_version web3_clientVersion eth_sendUserOperation eth_estimateUserOperationGas"],
  [1, "zks_estimateFee linea_estimateGas bor_getAuthor starknet_blockNumber"],
  [
    2,
    "trace_block trace_call trace_transaction debug_traceCall debug_traceTransaction debug_traceBlockByHash",
  ],
  [2, "txpool_inspect txpool_status arbtrace_block arbtrace_call"],
  [4, "trace_replayBlockTransactions trace_replayTransaction txpool_content arbtrace_replayTransaction"],
  [4, "arbtrace_replayBlockTransactions arbtrace_replayAnything"],
];
for (const [multiplier, methods] of tiers) {
  for (const method of methods.split(" ")) {
    test(`${method} weighs ${multiplier}`, () => {
      assert.deepEqual(rpcTier(method, "ethereum-mainnet"), { multiplier });
      assert.equal(predictCredits("ethereum-mainnet", [method]), 20 * multiplier);
      assert.equal(predictCredits("zksync-sepolia", [method]), 30 * multiplier);
    });
  }
}

const refused = {
  websocket: "eth_subscribe eth_unsubscribe",
  filter:
    "eth_newFilter eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter eth_newBlockFilter eth_newPendingTransactionFilter",
  "key-holding": "eth_sign eth_accounts eth_mining eth_hashrate eth_getWork eth_submitWork",
  unlisted: "personal_unlockAccount admin_peers miner_start constructor __proto__",
};
for (const [reason, methods] of Object.entries(refused)) {
  for (const method of methods.split(" ")) {
    test(`${method} is refused: ${reason}`, () => {
      assert.deepEqual(rpcTier(method, "base-mainnet"), { refused: reason });
    });
  }
}

test("a batch is charged item by item, an error item flat (spec E3, billing rule 3)", () => {
  const answered = [
    { method: "eth_getBalance", failed: false },
    { method: "trace_replayTransaction", failed: true },
  ];
  assert.equal(chargedCredits("ethereum-mainnet", answered), 25);
});

test("Solana has its own base and its own heavy methods (wire.md section 9)", () => {
  assert.equal(baseCredits("solana-mainnet"), 30);
  assert.equal(predictCredits("solana-mainnet", ["getSlot", "getSupply"]), 30 + 120);
});

import { toQuantity } from "../../../shared/rpc/hex.ts";
import type { ChainMethods } from "../chain.ts";
import { parameter } from "../simulated/parameters.ts";
import type { ChainBlock } from "./block.ts";
import type { Blockchain, MinedTransaction } from "./blockchain.ts";
import { blockForm, receiptForm, transactionForm } from "./values/forms.ts";
import { blockAt, hashAt, quantityAt } from "./values/parameters.ts";

type Params = readonly unknown[];

/** Blocks, transactions and receipts. Missing ones are null, as on any node. */
export function blockMethods(chain: Blockchain): ChainMethods {
  const byNumber = (params: Params) => blockAt(chain, params, 0);
  const byHash = (params: Params) => chain.blockOf(hashAt(params, 0));
  const block = (found: ChainBlock | undefined, params: Params) =>
    found ? blockForm(found, chain.chainId, parameter(params, 1) === true) : null;
  const count = (found: ChainBlock | undefined) => (found ? toQuantity(found.transactions.length) : null);
  const transaction = (found: MinedTransaction | undefined) =>
    found ? transactionForm(found, chain.chainId) : null;
  const receipts = (found: ChainBlock | undefined) =>
    found
      ? found.transactions.map((each, index) => receiptForm({ transaction: each, block: found, index }))
      : null;
  return {
    eth_blockNumber: () => toQuantity(chain.head().number),
    eth_getBlockByNumber: (params) => block(byNumber(params), params),
    eth_getBlockByHash: (params) => block(byHash(params), params),
    eth_getBlockTransactionCountByNumber: (params) => count(byNumber(params)),
    eth_getBlockTransactionCountByHash: (params) => count(byHash(params)),
    eth_getUncleCountByBlockNumber: (params) => (byNumber(params) ? "0x0" : null),
    eth_getUncleCountByBlockHash: (params) => (byHash(params) ? "0x0" : null),
    eth_getBlockReceipts: (params) => receipts(byNumber(params)),
    eth_getTransactionByHash: (params) => transaction(chain.find(hashAt(params, 0))),
    eth_getTransactionByBlockNumberAndIndex: (params) => transaction(nth(byNumber(params), params)),
    eth_getTransactionByBlockHashAndIndex: (params) => transaction(nth(byHash(params), params)),
    eth_getTransactionReceipt: (params) => {
      const found = chain.find(hashAt(params, 0));
      return found ? receiptForm(found) : null;
    },
  };
}

function nth(block: ChainBlock | undefined, params: Params): MinedTransaction | undefined {
  const index = quantityAt(params, 1);
  const transaction = block?.transactions[index];
  return block && transaction ? { transaction, block, index } : undefined;
}

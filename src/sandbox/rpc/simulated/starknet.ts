import { type Chain, ChainFault, type ChainMethods, tableChain } from "../chain.ts";
import { hexDigest } from "./digest.ts";
import { invalidParams, parameter, textParameter } from "./parameters.ts";
import { createStarknetBlocks } from "./starknetBlocks.ts";

const felt = /^0x0*[0-9a-f]{1,63}$/i;

/** A simulated Starknet: an empty block every 30 seconds, determined by the clock. */
export function createStarknet(slug: string, now: () => number): Chain {
  const blocks = createStarknetBlocks(slug, now);
  const blockAt = (params: readonly unknown[], index: number): number => {
    const number = blockNamed(parameter(params, index));
    const found = number === "head" ? blocks.head() : blocks.find(number);
    if (found !== undefined) return found;
    throw new ChainFault(24, "Block not found");
  };
  const block = (params: readonly unknown[]) => blocks.form(blockAt(params, 0));
  const methods: ChainMethods = {
    starknet_specVersion: () => "0.9.0",
    starknet_chainId: () => (slug.endsWith("mainnet") ? "0x534e5f4d41494e" : "0x534e5f5345504f4c4941"),
    starknet_syncing: () => false,
    starknet_blockNumber: () => blocks.head(),
    starknet_blockHashAndNumber: () => ({
      block_hash: blocks.hashOf(blocks.head()),
      block_number: blocks.head(),
    }),
    starknet_getBlockWithTxHashes: block,
    starknet_getBlockWithTxs: block,
    starknet_getBlockWithReceipts: block,
    starknet_getBlockTransactionCount: (params) => block(params).transactions.length,
    starknet_getNonce: (params) => {
      blockAt(params, 0);
      textParameter(params, 1, felt, "a contract address");
      return "0x0";
    },
    starknet_getClassHashAt: (params) => {
      blockAt(params, 0);
      const address = textParameter(params, 1, felt, "a contract address");
      return `0x${hexDigest(slug, "class", BigInt(address).toString(16)).slice(-62)}`;
    },
    starknet_getStorageAt: (params) => {
      textParameter(params, 0, felt, "a contract address");
      textParameter(params, 1, felt, "a storage key");
      blockAt(params, 2);
      return "0x0";
    },
    starknet_call: (params) => {
      blockAt(params, 1);
      return ["0x0"];
    },
    starknet_getEvents: (params) => {
      const filter = parameter(params, 0);
      if (typeof filter !== "object" || filter === null)
        throw invalidParams("invalid params: a filter expected");
      return { events: [] };
    },
    starknet_getTransactionByHash: transactionNotFound,
    starknet_getTransactionReceipt: transactionNotFound,
    starknet_getTransactionStatus: transactionNotFound,
  };
  return tableChain(methods);
}

function transactionNotFound(params: readonly unknown[]): never {
  textParameter(params, 0, felt, "a transaction hash");
  throw new ChainFault(29, "Transaction hash not found");
}

/** A block by tag, number or hash. */
function blockNamed(id: unknown): "head" | { readonly number?: unknown; readonly hash?: unknown } {
  if (id === "latest" || id === "pending" || id === "pre_confirmed" || id === "l1_accepted") return "head";
  if (typeof id !== "object" || id === null) throw invalidParams("invalid params: a block id expected");
  return {
    number: "block_number" in id ? id.block_number : undefined,
    hash: "block_hash" in id ? id.block_hash : undefined,
  };
}

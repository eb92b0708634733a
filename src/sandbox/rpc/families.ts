import { type Chain, type ChainMethods, tableChain } from "./chain.ts";
import type { Network } from "./networks.ts";

/** Adds methods of the chain's family to an EVM node: a few constant answers of the right shape. */
export function familyChain({ family }: Network, node: Chain): Chain {
  switch (family) {
    case "zksync":
      return tableChain(zksync, node);
    case "linea":
      return tableChain(linea, node);
    case "polygon":
      return tableChain(polygon, node);
    case "arbitrum":
      return arbitrumChain(node);
    case "starknet":
    case "solana":
      return node;
    default:
      return tableChain(bundler, node);
  }
}

const entryPoints = [
  "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
];

/** ERC-4337: estimates, but no mempool. */
const bundler: ChainMethods = {
  eth_supportedEntryPoints: () => entryPoints,
  eth_estimateUserOperationGas: () => ({
    preVerificationGas: "0xc350",
    verificationGasLimit: "0x186a0",
    callGasLimit: "0x14820",
  }),
  eth_getUserOperationByHash: () => null,
  eth_getUserOperationReceipt: () => null,
};

const zksync: ChainMethods = {
  zks_L1ChainId: () => "0x1",
  zks_L1BatchNumber: () => "0x10",
  zks_getMainContract: () => "0x32400084c286cf3e17e7b677ea9583e60a000324",
  zks_getBridgeContracts: () => ({
    l1Erc20DefaultBridge: "0x57891966931eb4bb6fb81430e6ce0a03aabde063",
    l2Erc20DefaultBridge: "0x11f943b2c77b743ab90f4a0ae7d5a4e7fca3e102",
    l1WethBridge: `0x${"0".repeat(40)}`,
    l2WethBridge: `0x${"0".repeat(40)}`,
  }),
  zks_estimateFee: () => ({
    gas_limit: "0x156c00",
    gas_per_pubdata_limit: "0x143b",
    max_fee_per_gas: "0xee6b280",
    max_priority_fee_per_gas: "0x0",
  }),
};

const linea: ChainMethods = {
  ...bundler,
  linea_estimateGas: () => ({ gasLimit: "0x5208", baseFeePerGas: "0x7", priorityFeePerGas: "0x2dc6c0" }),
};

const validator = "0x0375b2fc7140977c9c76d45421564e354ed42277";

const polygon: ChainMethods = {
  ...bundler,
  bor_getAuthor: () => validator,
  bor_getCurrentProposer: () => validator,
  bor_getCurrentValidators: () => [{ ID: 1, signer: validator, power: 1, accum: 0 }],
};

/** Arbitrum's traces of old blocks have other names. */
function arbitrumChain(node: Chain): Chain {
  const plain: Chain = {
    answer: (calls, signal) =>
      node.answer(
        calls.map(({ method, params }) => ({ method: method.replace(/^arbtrace_/, "trace_"), params })),
        signal,
      ),
  };
  return tableChain(bundler, plain);
}

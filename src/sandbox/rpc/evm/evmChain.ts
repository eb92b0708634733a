import type { Hex } from "../../../shared/rpc/hex.ts";
import { toQuantity, toWord } from "../../../shared/rpc/hex.ts";
import { type Chain, type ChainMethods, tableChain } from "../chain.ts";
import { parameter } from "../simulated/parameters.ts";
import { type Blockchain, createBlockchain } from "./blockchain.ts";
import { blockMethods } from "./blockMethods.ts";
import { blockGasLimit, fees, plainGas } from "./fees.ts";
import { logsOf } from "./logs.ts";
import { submit } from "./submit.ts";
import { traceMethods } from "./traceMethods.ts";
import { keccak256 } from "./values/crypto.ts";
import { addressAt, bytesAt, quantityAt, stateBlockAt } from "./values/parameters.ts";

/** A simulated EVM node: a small chain with one token. Its past is the same at every start. */
export function createEvmChain(chainId: number, now: () => number): Chain {
  const chain = createBlockchain(chainId, now);
  return tableChain({
    ...nodeMethods(chain),
    ...stateMethods(chain),
    ...blockMethods(chain),
    ...traceMethods(chain),
  });
}

function nodeMethods(chain: Blockchain): ChainMethods {
  const { chainId } = chain;
  return {
    web3_clientVersion: () => "sandbox/v1",
    web3_sha3: (params) => keccak256(bytesAt(params, 0)),
    net_version: () => String(chainId),
    net_listening: () => true,
    net_peerCount: () => "0x0",
    eth_chainId: () => toQuantity(chainId),
    eth_protocolVersion: () => "0x41",
    eth_syncing: () => false,
    eth_gasPrice: () => toQuantity(fees.gasPrice),
    eth_maxPriorityFeePerGas: () => toQuantity(fees.priority),
    eth_blobBaseFee: () => toQuantity(fees.blob),
    eth_feeHistory: (params) => feeHistory(chain, params),
  };
}

function stateMethods(chain: Blockchain): ChainMethods {
  return {
    eth_getBalance: (params) => {
      const address = addressAt(params, 0);
      stateBlockAt(chain, params, 1);
      return toQuantity(chain.balance(address));
    },
    eth_getTransactionCount: (params) => {
      const address = addressAt(params, 0);
      stateBlockAt(chain, params, 1);
      return toQuantity(chain.nonce(address));
    },
    eth_getCode: (params) => {
      const address = addressAt(params, 0);
      stateBlockAt(chain, params, 1);
      // The token has no code. This is STOP.
      return address === chain.token.address ? "0x00" : "0x";
    },
    eth_getStorageAt: (params) => {
      addressAt(params, 0);
      parameter(params, 1);
      stateBlockAt(chain, params, 2);
      return toWord(0);
    },
    eth_call: (params) => {
      const { to, input } = callAt(params);
      stateBlockAt(chain, params, 1);
      return to === chain.token.address ? chain.token.call(input) : "0x";
    },
    eth_estimateGas: (params) => {
      const { to, input } = callAt(params);
      if (to === chain.token.address) chain.token.call(input);
      return toQuantity(plainGas(input));
    },
    eth_getLogs: (params) => logsOf(chain, parameter(params, 0)),
    eth_sendRawTransaction: (params) => submit(chain, bytesAt(params, 0)),
  };
}

/** Members of a call. `data` is the old name of `input`. */
function callAt(params: readonly unknown[]): { readonly to: Hex | undefined; readonly input: Hex } {
  const call = parameter(params, 0);
  const { to, input, data } = (typeof call === "object" ? call : {}) as Readonly<Record<string, unknown>>;
  return {
    to: to === undefined || to === null ? undefined : addressAt([to], 0),
    input: bytesAt([input ?? data ?? "0x"], 0),
  };
}

/** eth_feeHistory. Fees are constant. The fill level of a block follows from its gas. */
function feeHistory(chain: Blockchain, params: readonly unknown[]): object {
  const newest = stateBlockAt(chain, params, 1).number;
  const count = Math.min(Math.max(1, quantityAt(params, 0)), newest + 1, 1024);
  const percentiles = Array.isArray(params[2]) ? params[2] : undefined;
  const oldest = newest - count + 1;
  const numbers = Array.from({ length: count }, (_, index) => oldest + index);
  const used = (number: number) =>
    (chain.block(number)?.transactions ?? []).reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  return {
    oldestBlock: toQuantity(oldest),
    baseFeePerGas: [...numbers, newest + 1].map(() => toQuantity(fees.base)),
    gasUsedRatio: numbers.map((number) => Number(used(number)) / Number(blockGasLimit)),
    baseFeePerBlobGas: [...numbers, newest + 1].map(() => toQuantity(fees.blob)),
    blobGasUsedRatio: numbers.map(() => 0),
    ...(percentiles ? { reward: rewards(numbers, percentiles) } : {}),
  };
}

/** One tip per block and percentile. Without percentiles the list is empty. */
function rewards(numbers: readonly number[], percentiles: readonly unknown[]): string[][] {
  if (percentiles.length === 0) return [];
  return numbers.map(() => percentiles.map(() => toQuantity(fees.priority)));
}

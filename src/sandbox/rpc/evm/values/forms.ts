import type { Hex } from "../../../../shared/rpc/hex.ts";
import { toQuantity } from "../../../../shared/rpc/hex.ts";
import { hexDigest } from "../../simulated/digest.ts";
import type { ChainBlock, ChainLog } from "../block.ts";
import type { MinedTransaction } from "../blockchain.ts";
import { blockGasLimit, fees } from "../fees.ts";
import { keccak256 } from "./crypto.ts";

const zeroHash = `0x${"0".repeat(64)}`;
/** keccak256 of an empty list, in RLP. */
const noUncles = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
/** Root of an empty trie. */
const emptyRoot = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** A block as eth_getBlockBy… shows it, with its transactions or their hashes. */
export function blockForm(block: ChainBlock, chainId: number, full: boolean): object {
  const { number, hash, parentHash, timestamp, transactions } = block;
  return {
    hash,
    parentHash,
    sha3Uncles: noUncles,
    miner: `0x${"0".repeat(40)}`,
    stateRoot: hexDigest(hash, "state"),
    transactionsRoot: rootOf(block, "transactions"),
    receiptsRoot: rootOf(block, "receipts"),
    logsBloom: bloomOf(transactions.flatMap(({ logs }) => logs)),
    difficulty: "0x0",
    number: toQuantity(number),
    gasLimit: toQuantity(blockGasLimit),
    gasUsed: toQuantity(gasUpTo(block, transactions.length - 1)),
    timestamp: toQuantity(timestamp),
    extraData: "0x",
    mixHash: zeroHash,
    nonce: "0x0000000000000000",
    baseFeePerGas: toQuantity(fees.base),
    withdrawalsRoot: emptyRoot,
    blobGasUsed: "0x0",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: zeroHash,
    totalDifficulty: "0x0",
    size: toQuantity(600 + 200 * transactions.length),
    uncles: [],
    transactions: transactions.map((transaction, index) =>
      full ? transactionForm({ transaction, block, index }, chainId) : transaction.hash,
    ),
    withdrawals: [],
  };
}

/** A transaction as eth_getTransactionBy… shows it. */
export function transactionForm({ transaction, block, index }: MinedTransaction, chainId: number): object {
  const { signature, type } = transaction;
  return {
    type,
    chainId: toQuantity(chainId),
    nonce: toQuantity(transaction.nonce),
    gas: toQuantity(transaction.gas),
    gasPrice: toQuantity(transaction.gasPrice),
    ...transaction.extra,
    to: transaction.to,
    value: toQuantity(transaction.value),
    input: transaction.input,
    ...signature,
    ...(type === "0x0" ? {} : { yParity: signature.v }),
    hash: transaction.hash,
    from: transaction.from,
    ...placeForm(block, index),
  };
}

export function receiptForm({ transaction, block, index }: MinedTransaction): object {
  return {
    type: transaction.type,
    status: "0x1",
    cumulativeGasUsed: toQuantity(gasUpTo(block, index)),
    logs: logForms(block).filter((log) => log.transactionIndex === toQuantity(index)),
    logsBloom: bloomOf(transaction.logs),
    gasUsed: toQuantity(transaction.gasUsed),
    effectiveGasPrice: toQuantity(transaction.gasPrice),
    from: transaction.from,
    to: transaction.to,
    contractAddress: transaction.contractAddress,
    transactionHash: transaction.hash,
    ...placeForm(block, index),
  };
}

export interface LogForm extends ChainLog {
  readonly transactionIndex: string;
  readonly [member: string]: unknown;
}

/** All logs of a block, as eth_getLogs shows them. */
export function logForms(block: ChainBlock): LogForm[] {
  const logs = block.transactions.flatMap((transaction, index) =>
    transaction.logs.map((log) => ({
      ...log,
      transactionHash: transaction.hash,
      ...placeForm(block, index),
      blockTimestamp: toQuantity(block.timestamp),
      removed: false,
    })),
  );
  return logs.map((log, index) => ({ ...log, logIndex: toQuantity(index) }));
}

function placeForm({ hash, number }: ChainBlock, index: number) {
  return { blockHash: hash, blockNumber: toQuantity(number), transactionIndex: toQuantity(index) };
}

function gasUpTo({ transactions }: ChainBlock, index: number): bigint {
  return transactions.slice(0, index + 1).reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}

function rootOf({ hash, transactions }: ChainBlock, name: string): string {
  return transactions.length === 0 ? emptyRoot : hexDigest(hash, name);
}

const bloomBytes = 256;

/** The bloom filter of logs: three bits for each address and topic (Ethereum yellow paper, 4.3.1). */
function bloomOf(logs: readonly ChainLog[]): Hex {
  const bloom = Buffer.alloc(bloomBytes);
  for (const { address, topics } of logs) for (const value of [address, ...topics]) mark(bloom, value);
  return `0x${bloom.toString("hex")}`;
}

function mark(bloom: Buffer, value: Hex): void {
  const hash = keccak256(value, "bytes");
  for (const pair of [0, 2, 4]) {
    const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 2047;
    const byte = bloomBytes - 1 - (bit >> 3);
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
  }
}

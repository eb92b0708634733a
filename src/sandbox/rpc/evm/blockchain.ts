import type { Hex } from "../../../shared/rpc/hex.ts";
import { hexDigest } from "../simulated/digest.ts";
import type { ChainBlock, ChainTransaction } from "./block.ts";
import { fees } from "./fees.ts";
import { createToken, type Erc20Token, transferInput, transferLog } from "./token.ts";
import { lower } from "./values/quantity.ts";

/** Blocks at the start, each with one token transfer. */
const firstBlocks = 32;
const blockSeconds = 12;
const genesisSeconds = Date.UTC(2026, 0, 1) / 1000;

const oneEther = 10n ** 18n;
/** Accounts of the usual test mnemonic, with 10,000 ETH each. */
const richAccounts: readonly Hex[] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
  "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
];

export interface MinedTransaction {
  readonly transaction: ChainTransaction;
  readonly block: ChainBlock;
  readonly index: number;
}

/** A chain that mines a block for each transaction. Its past is the same at every start. */
export interface Blockchain {
  readonly chainId: number;
  readonly token: Erc20Token;
  head(): ChainBlock;
  block(number: number): ChainBlock | undefined;
  blockOf(hash: string): ChainBlock | undefined;
  find(transactionHash: string): MinedTransaction | undefined;
  balance(address: string): bigint;
  nonce(address: string): number;
  mine(transaction: ChainTransaction): void;
}

export function createBlockchain(chainId: number, now: () => number): Blockchain {
  const blocks: ChainBlock[] = [];
  const mined = new Map<string, MinedTransaction>();
  const balances = new Map<string, bigint>(richAccounts.map((address) => [address, 10_000n * oneEther]));
  const nonces = new Map<string, number>();
  const token = createToken(richAccounts);
  const nonceOf = (address: string) => nonces.get(lower(address)) ?? 0;
  const append = (transactions: readonly ChainTransaction[], timestamp: number) => {
    const number = blocks.length;
    const hash = hexDigest(chainId, "block", number, ...transactions.map((each) => each.hash));
    const parentHash = blocks.at(-1)?.hash ?? `0x${"0".repeat(64)}`;
    const block: ChainBlock = { number, hash, parentHash, timestamp, transactions };
    blocks.push(block);
    for (const [index, transaction] of transactions.entries()) {
      mined.set(transaction.hash, { transaction, block, index });
      nonces.set(lower(transaction.from), nonceOf(transaction.from) + 1);
      token.apply(transaction.logs);
    }
  };
  const add = (address: string, amount: bigint) => {
    balances.set(lower(address), (balances.get(lower(address)) ?? 0n) + amount);
  };
  append([], genesisSeconds);
  for (let number = 1; number <= firstBlocks; number++) {
    const transaction = seedTransaction({ chainId, number, accounts: richAccounts, token, nonceOf });
    append([transaction], genesisSeconds + number * blockSeconds);
  }
  const last = () => blocks.at(-1) as ChainBlock;
  return {
    chainId,
    token,
    head: last,
    block: (number) => blocks[number],
    blockOf: (hash) => blocks.find((block) => block.hash === lower(hash)),
    find: (hash) => mined.get(lower(hash)),
    balance: (address) => balances.get(lower(address)) ?? 0n,
    nonce: nonceOf,
    mine(transaction) {
      const { from, to, value, gasUsed, gasPrice, contractAddress } = transaction;
      add(from, -(value + gasUsed * gasPrice));
      add(to ?? contractAddress ?? from, value);
      append([transaction], Math.max(Math.floor(now() / 1000), last().timestamp + 1));
    },
  };
}

/** A fictional token transfer for one of the first blocks. Its signature is not valid. */
function seedTransaction(options: {
  readonly chainId: number;
  readonly number: number;
  readonly accounts: readonly Hex[];
  readonly token: Erc20Token;
  readonly nonceOf: (address: Hex) => number;
}): ChainTransaction {
  const { chainId, number, accounts, token, nonceOf } = options;
  const from = accounts[number % accounts.length] as Hex;
  const to = accounts[(number + 1) % accounts.length] as Hex;
  const amount = BigInt(number) * 1_000_000n;
  return {
    hash: hexDigest(chainId, "transaction", number),
    type: "0x2",
    from,
    to: token.address,
    value: 0n,
    nonce: nonceOf(from),
    gas: 60_000n,
    gasUsed: 51_000n,
    gasPrice: fees.gasPrice,
    extra: fees.caps,
    input: transferInput(to, amount),
    signature: { r: hexDigest(chainId, "r", number), s: hexDigest(chainId, "s", number), v: "0x0" },
    contractAddress: null,
    logs: [transferLog(token.address, from, to, amount)],
  };
}

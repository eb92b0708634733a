import { type Chain, ChainFault, type ChainMethods, tableChain } from "../chain.ts";
import { base58 } from "./base58.ts";
import { digest } from "./digest.ts";
import { parameter, textParameter } from "./parameters.ts";

const slotMs = 400;
const slotsPerEpoch = 432_000;
const genesisMs = Date.UTC(2026, 0, 1);
const genesisHashes: Readonly<Record<string, string>> = {
  "solana-mainnet": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  "solana-devnet": "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
};
const publicKey = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const signature = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;
const lamports = 1_000_000_000;

/** A small Solana: slots at the usual pace, balances that follow from the address; the same for the same clock. */
export function createSolana(slug: string, now: () => number): Chain {
  const slot = () => Math.max(0, Math.floor((now() - genesisMs) / slotMs));
  const blockhash = (at: number) => base58(digest(slug, "block", at));
  const inContext = (value: unknown) => ({ context: { apiVersion: "3.0.0", slot: slot() }, value });
  const address = (params: readonly unknown[]) => textParameter(params, 0, publicKey, "a public key");
  const balance = (key: string) => digest(slug, "balance", key).readUInt32BE(0) * 10;
  const methods: ChainMethods = {
    getHealth: () => "ok",
    getVersion: () => ({ "feature-set": 3_294_202_862, "solana-core": "3.0.0" }),
    getGenesisHash: () => genesisHashes[slug] ?? blockhash(0),
    getIdentity: () => ({ identity: base58(digest(slug, "identity")) }),
    getSlot: slot,
    getBlockHeight: slot,
    getFirstAvailableBlock: () => 0,
    minimumLedgerSlot: () => 0,
    getTransactionCount: () => slot() * 2,
    getEpochInfo: () => ({
      absoluteSlot: slot(),
      blockHeight: slot(),
      epoch: Math.floor(slot() / slotsPerEpoch),
      slotIndex: slot() % slotsPerEpoch,
      slotsInEpoch: slotsPerEpoch,
      transactionCount: slot() * 2,
    }),
    getBlockTime: (params) => {
      const at = slotParameter(params, slot());
      return Math.floor((genesisMs + at * slotMs) / 1000);
    },
    getBlock: (params) => {
      const at = slotParameter(params, slot());
      return {
        blockHeight: at,
        blockTime: Math.floor((genesisMs + at * slotMs) / 1000),
        blockhash: blockhash(at),
        parentSlot: Math.max(0, at - 1),
        previousBlockhash: blockhash(Math.max(0, at - 1)),
        rewards: [],
        transactions: [],
      };
    },
    getLatestBlockhash: () => inContext({ blockhash: blockhash(slot()), lastValidBlockHeight: slot() + 150 }),
    isBlockhashValid: (params) => {
      const hash = textParameter(params, 0, publicKey, "a block hash");
      return inContext(Array.from({ length: 150 }, (_, back) => blockhash(slot() - back)).includes(hash));
    },
    getBalance: (params) => inContext(balance(address(params))),
    getAccountInfo: (params) => inContext(account(balance(address(params)))),
    getMultipleAccounts: (params) => {
      const keys = parameter(params, 0);
      if (!Array.isArray(keys))
        throw new ChainFault(-32602, "Invalid params: expected a list of public keys");
      return inContext(
        keys.map((_, index) => account(balance(textParameter(keys, index, publicKey, "a public key")))),
      );
    },
    getMinimumBalanceForRentExemption: (params) => (Number(parameter(params, 0)) + 128) * 6960,
    getRecentPrioritizationFees: () => [{ slot: slot(), prioritizationFee: 0 }],
    getFeeForMessage: () => inContext(5000),
    getSignaturesForAddress: (params) => {
      address(params);
      return [];
    },
    getSignatureStatuses: (params) => {
      const signatures = parameter(params, 0);
      return inContext(Array.isArray(signatures) ? signatures.map(() => null) : []);
    },
    getTransaction: (params) => {
      textParameter(params, 0, signature, "a signature");
      return null;
    },
    getTokenAccountsByOwner: (params) => {
      address(params);
      return inContext([]);
    },
    getSupply: () =>
      inContext({
        total: 600_000_000 * lamports,
        circulating: 500_000_000 * lamports,
        nonCirculating: 100_000_000 * lamports,
        nonCirculatingAccounts: [],
      }),
    getLargestAccounts: () =>
      inContext(
        Array.from({ length: 20 }, (_, index) => ({
          address: base58(digest(slug, "whale", index)),
          lamports: (5_000_000 - index * 100_000) * lamports,
        })),
      ),
  };
  return tableChain(methods);
}

/** A wallet's account, as the system program keeps it. */
function account(balance: number): object {
  return {
    data: ["", "base64"],
    executable: false,
    lamports: balance,
    owner: "1".repeat(32),
    rentEpoch: 18_446_744_073_709_552_000,
    space: 0,
  };
}

function slotParameter(params: readonly unknown[], head: number): number {
  const slot = parameter(params, 0);
  if (typeof slot !== "number" || !Number.isInteger(slot) || slot < 0) {
    throw new ChainFault(-32602, "Invalid params: a slot expected");
  }
  if (slot > head) throw new ChainFault(-32004, `Block not available for slot ${slot}`);
  return slot;
}

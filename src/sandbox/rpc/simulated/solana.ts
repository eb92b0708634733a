import { type Chain, ChainFault, type ChainMethods, tableChain } from "../chain.ts";
import { digest } from "./digest.ts";
import { invalidParams, parameter, textParameter } from "./parameters.ts";

const slotMs = 400;
/** Slots for which a block hash is valid. */
const validSlots = 150;
const slotsPerEpoch = 432_000;
const genesisMs = Date.UTC(2026, 0, 1);
const genesisHashes: Readonly<Record<string, string>> = {
  "solana-mainnet": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  "solana-devnet": "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
};
const publicKey = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const signature = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;
const lamports = 1_000_000_000;

/** A simulated Solana: slots at the usual interval, balances computed from the address. Determined by the clock. */
export function createSolana(slug: string, now: () => number): Chain {
  const slot = () => Math.max(0, Math.floor((now() - genesisMs) / slotMs));
  const ledger: Ledger = {
    slug,
    slot,
    blockhash: (at) => base58(digest(slug, "block", at)),
    inContext: (value) => ({ context: { apiVersion: "3.0.0", slot: slot() }, value }),
  };
  return tableChain({ ...nodeMethods(ledger), ...blockMethods(ledger), ...accountMethods(ledger) });
}

interface Ledger {
  readonly slug: string;
  readonly slot: () => number;
  readonly blockhash: (slot: number) => string;
  /** A value with the context of the current slot. */
  readonly inContext: (value: unknown) => object;
}

function nodeMethods({ slug, slot, blockhash, inContext }: Ledger): ChainMethods {
  return {
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
    getRecentPrioritizationFees: () => [{ slot: slot(), prioritizationFee: 0 }],
    getFeeForMessage: () => inContext(5000),
    getMinimumBalanceForRentExemption: (params) => (Number(parameter(params, 0)) + 128) * 6960,
  };
}

/** Blocks have no transactions. */
function blockMethods({ slot, blockhash, inContext }: Ledger): ChainMethods {
  const timeOf = (at: number) => Math.floor((genesisMs + at * slotMs) / 1000);
  return {
    getBlockTime: (params) => timeOf(slotParameter(params, slot())),
    getBlock: (params) => {
      const at = slotParameter(params, slot());
      const parent = Math.max(0, at - 1);
      return {
        blockHeight: at,
        blockTime: timeOf(at),
        blockhash: blockhash(at),
        parentSlot: parent,
        previousBlockhash: blockhash(parent),
        rewards: [],
        transactions: [],
      };
    },
    getLatestBlockhash: () =>
      inContext({ blockhash: blockhash(slot()), lastValidBlockHeight: slot() + validSlots }),
    isBlockhashValid: (params) => {
      const hash = textParameter(params, 0, publicKey, "a block hash");
      const valid = Array.from({ length: validSlots }, (_, back) => blockhash(slot() - back));
      return inContext(valid.includes(hash));
    },
    getSignatureStatuses: (params) => {
      const signatures = parameter(params, 0);
      return inContext(Array.isArray(signatures) ? signatures.map(() => null) : []);
    },
    getTransaction: (params) => {
      textParameter(params, 0, signature, "a signature");
      return null;
    },
  };
}

function accountMethods({ slug, inContext }: Ledger): ChainMethods {
  const keyAt = (params: readonly unknown[], index: number) =>
    textParameter(params, index, publicKey, "a public key");
  const balance = (key: string) => digest(slug, "balance", key).readUInt32BE(0) * 10;
  return {
    getBalance: (params) => inContext(balance(keyAt(params, 0))),
    getAccountInfo: (params) => inContext(account(balance(keyAt(params, 0)))),
    getMultipleAccounts: (params) => {
      const keys = parameter(params, 0);
      if (!Array.isArray(keys)) throw invalidParams("Invalid params: expected a list of public keys");
      return inContext(keys.map((_, index) => account(balance(keyAt(keys, index)))));
    },
    getSignaturesForAddress: (params) => nothingOf(keyAt(params, 0)),
    getTokenAccountsByOwner: (params) => inContext(nothingOf(keyAt(params, 0))),
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
}

/** Accounts have no transactions and no tokens. Invalid addresses have thrown before. */
function nothingOf(_address: string): readonly unknown[] {
  return [];
}

/** A wallet's account, owned by the system program. */
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
    throw invalidParams("Invalid params: a slot expected");
  }
  if (slot > head) throw new ChainFault(-32004, `Block not available for slot ${slot}`);
  return slot;
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base58, Solana's text form of bytes. */
function base58(bytes: Buffer): string {
  let number = BigInt(`0x0${bytes.toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = `${alphabet[Number(number % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

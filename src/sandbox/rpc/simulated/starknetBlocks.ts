import { hexDigest } from "./digest.ts";

const blockMs = 30_000;
const genesisMs = Date.UTC(2026, 0, 1);

/** Empty blocks at a constant interval, computed from their numbers. */
export interface StarknetBlocks {
  head(): number;
  hashOf(number: number): string;
  /** The block's number, if the block exists. */
  find(block: { readonly number?: unknown; readonly hash?: unknown }): number | undefined;
  form(number: number): { readonly transactions: readonly unknown[] };
}

export function createStarknetBlocks(slug: string, now: () => number): StarknetBlocks {
  const head = () => Math.max(0, Math.floor((now() - genesisMs) / blockMs));
  /** Below 2^251. It ends with the block number, so that a block is found by its hash. */
  const hashOf = (number: number) =>
    `0x1${hexDigest(slug, "block", number).slice(2, 54)}${number.toString(16).padStart(8, "0")}`;
  const numberOf = (hash: unknown): unknown => {
    const number = typeof hash === "string" ? Number.parseInt(hash.slice(-8), 16) : Number.NaN;
    return hash === hashOf(number) ? number : undefined;
  };
  return {
    head,
    hashOf,
    find({ number, hash }) {
      const wanted = number ?? numberOf(hash);
      return typeof wanted === "number" && wanted >= 0 && wanted <= head() ? wanted : undefined;
    },
    form: (number) => ({
      status: "ACCEPTED_ON_L2",
      block_hash: hashOf(number),
      parent_hash: number === 0 ? "0x0" : hashOf(number - 1),
      block_number: number,
      new_root: `0x2${hexDigest(slug, "root", number).slice(2, 62)}`,
      timestamp: Math.floor((genesisMs + number * blockMs) / 1000),
      sequencer_address: "0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8",
      l1_gas_price: { price_in_fri: "0x1d1a94a2000", price_in_wei: "0x3b9aca00" },
      l1_data_gas_price: { price_in_fri: "0x1", price_in_wei: "0x1" },
      l2_gas_price: { price_in_fri: "0x1dcd6500", price_in_wei: "0x4a817" },
      l1_da_mode: "BLOB",
      starknet_version: "0.14.0",
      transactions: [],
    }),
  };
}

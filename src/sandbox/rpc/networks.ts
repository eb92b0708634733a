import type { DialectId } from "../../api/dialect.ts";

export type Family =
  | "ethereum"
  | "polygon"
  | "arbitrum"
  | "optimism"
  | "base"
  | "linea"
  | "avalanche"
  | "bsc"
  | "blast"
  | "zksync"
  | "robinhood"
  | "starknet"
  | "solana";

/** One chain behind the proxy. */
export interface Network {
  readonly slug: string;
  readonly family: Family;
  /** Undefined where the chain is no EVM. */
  readonly chainId: number | undefined;
  /** Whether only venice offers it (wire.md section 2). */
  readonly veniceOnly: boolean;
}

/** Slug → chain id (spec E3, Supported networks). */
const evmNetworks: readonly (readonly [slug: string, family: Family, chainId: number])[] = [
  ["ethereum-mainnet", "ethereum", 1],
  ["ethereum-sepolia", "ethereum", 11_155_111],
  ["ethereum-holesky", "ethereum", 17_000],
  ["polygon-mainnet", "polygon", 137],
  ["polygon-amoy", "polygon", 80_002],
  ["arbitrum-mainnet", "arbitrum", 42_161],
  ["arbitrum-sepolia", "arbitrum", 421_614],
  ["optimism-mainnet", "optimism", 10],
  ["optimism-sepolia", "optimism", 11_155_420],
  ["base-mainnet", "base", 8_453],
  ["base-sepolia", "base", 84_532],
  ["linea-mainnet", "linea", 59_144],
  ["linea-sepolia", "linea", 59_141],
  ["avalanche-mainnet", "avalanche", 43_114],
  ["avalanche-fuji", "avalanche", 43_113],
  ["bsc-mainnet", "bsc", 56],
  ["bsc-testnet", "bsc", 97],
  ["blast-mainnet", "blast", 81_457],
  ["blast-sepolia", "blast", 168_587_773],
  ["zksync-mainnet", "zksync", 324],
  ["zksync-sepolia", "zksync", 300],
];

const networks: readonly Network[] = [
  ...evmNetworks.map(([slug, family, chainId]) => ({ slug, family, chainId, veniceOnly: false })),
  { slug: "starknet-mainnet", family: "starknet", chainId: undefined, veniceOnly: false },
  { slug: "starknet-sepolia", family: "starknet", chainId: undefined, veniceOnly: false },
  { slug: "robinhood-mainnet", family: "robinhood", chainId: 4_663, veniceOnly: true },
  { slug: "robinhood-testnet", family: "robinhood", chainId: 46_630, veniceOnly: true },
  { slug: "solana-mainnet", family: "solana", chainId: undefined, veniceOnly: true },
  { slug: "solana-devnet", family: "solana", chainId: undefined, veniceOnly: true },
];

/** What a dialect offers: 23 networks, or 27. */
export function networksOf(dialect: DialectId): readonly Network[] {
  return networks.filter(({ veniceOnly }) => !veniceOnly || dialect === "venice");
}

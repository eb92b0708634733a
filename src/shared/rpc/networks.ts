export const networkFamilies = [
  "ethereum",
  "polygon",
  "arbitrum",
  "optimism",
  "base",
  "linea",
  "avalanche",
  "bsc",
  "blast",
  "zksync",
  "robinhood",
  "starknet",
  "solana",
] as const;
export type NetworkFamily = (typeof networkFamilies)[number];

/** One chain behind the proxy (spec E3, Supported networks; wire.md section 2). */
export interface Network {
  readonly slug: string;
  readonly family: NetworkFamily;
  /** Undefined if the chain is not an EVM chain. */
  readonly chainId: number | undefined;
  /** True if only the venice dialect offers it (wire.md section 2). */
  readonly veniceOnly: boolean;
}

type Row = readonly [slug: string, family: NetworkFamily, chainId?: number];

const everywhere: readonly Row[] = [
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
  ["starknet-mainnet", "starknet"],
  ["starknet-sepolia", "starknet"],
];
const onVenice: readonly Row[] = [
  ["robinhood-mainnet", "robinhood", 4_663],
  ["robinhood-testnet", "robinhood", 46_630],
  ["solana-mainnet", "solana"],
  ["solana-devnet", "solana"],
];

/** Static list of networks. A service may offer others. */
export const networks: readonly Network[] = [
  ...everywhere.map((row) => toNetwork(row, false)),
  ...onVenice.map((row) => toNetwork(row, true)),
];

function toNetwork([slug, family, chainId]: Row, veniceOnly: boolean): Network {
  return { slug, family, chainId, veniceOnly };
}

/** Used if neither the cell nor the file names a network. */
export const defaultNetwork = "ethereum-mainnet";

/** Not a network of the service: a node on this machine, free of charge. */
export const localNetwork = "local";

/** Placeholder until the user chooses a network. No service offers this name, so nothing is sent. */
export const openNetwork = "choose-network";

/** True if a network uses real money. An unknown network counts as a main network. */
export function isMainnet(slug: string): boolean {
  return slug !== localNetwork && !/-(sepolia|holesky|amoy|fuji|testnet|devnet|hoodi|goerli)$/.test(slug);
}

const coins: Readonly<Partial<Record<NetworkFamily, string>>> = {
  polygon: "POL",
  avalanche: "AVAX",
  bsc: "BNB",
  starknet: "STRK",
  solana: "SOL",
};

/** The symbol of the native currency, `ETH`. */
export function coinOf(slug: string): string {
  const family = networks.find((one) => one.slug === slug)?.family;
  return (family && coins[family]) ?? "ETH";
}

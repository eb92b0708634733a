import { localNetwork, type NetworkFamily, networks } from "../../shared/rpc/networks.ts";

/** Names of families in the hosts of providers. */
const families: Readonly<Record<string, NetworkFamily>> = {
  eth: "ethereum",
  ethereum: "ethereum",
  matic: "polygon",
  polygon: "polygon",
  "polygon-bor": "polygon",
  arb: "arbitrum",
  arbitrum: "arbitrum",
  "arbitrum-one": "arbitrum",
  opt: "optimism",
  op: "optimism",
  optimism: "optimism",
  base: "base",
  linea: "linea",
  avax: "avalanche",
  avalanche: "avalanche",
  "avalanche-c-chain": "avalanche",
  bnb: "bsc",
  bsc: "bsc",
  blast: "blast",
  zksync: "zksync",
  "zksync-era": "zksync",
  starknet: "starknet",
  solana: "solana",
  robinhood: "robinhood",
};

/** Public hosts of chains, whose names have no pattern. */
const ownHosts: Readonly<Record<string, string>> = {
  "arb1.arbitrum.io": "arbitrum-mainnet",
  "sepolia-rollup.arbitrum.io": "arbitrum-sepolia",
  "mainnet.optimism.io": "optimism-mainnet",
  "sepolia.optimism.io": "optimism-sepolia",
  "mainnet.base.org": "base-mainnet",
  "sepolia.base.org": "base-sepolia",
  "polygon-rpc.com": "polygon-mainnet",
  "rpc-amoy.polygon.technology": "polygon-amoy",
  "api.avax.network": "avalanche-mainnet",
  "api.avax-test.network": "avalanche-fuji",
  "bsc-dataseed.binance.org": "bsc-mainnet",
  "bsc-dataseed.bnbchain.org": "bsc-mainnet",
  "data-seed-prebsc-1-s1.binance.org": "bsc-testnet",
  "data-seed-prebsc-1-s1.bnbchain.org": "bsc-testnet",
  "rpc.linea.build": "linea-mainnet",
  "rpc.sepolia.linea.build": "linea-sepolia",
  "rpc.blast.io": "blast-mainnet",
  "sepolia.blast.io": "blast-sepolia",
  "mainnet.era.zksync.io": "zksync-mainnet",
  "sepolia.era.zksync.dev": "zksync-sepolia",
  "api.mainnet-beta.solana.com": "solana-mainnet",
  "api.devnet.solana.com": "solana-devnet",
  "cloudflare-eth.com": "ethereum-mainnet",
  "rpc.sepolia.org": "ethereum-sepolia",
};

/** Providers that name main networks by their family only, and test networks of Ethereum without it. */
const shortNames =
  /\.(?:infura\.io|tenderly\.co|llamarpc\.com|drpc\.org|publicnode\.com|blockpi\.network|ankr\.com)$|^(?:1rpc\.io|rpc\.ankr\.com)$/;

/**
 * The network of an address, from its host or from the path of the service; undefined if unknown. Only known names of
 * networks are returned, because other parts may be a key.
 */
export function networkOfAddress(address: string, localNode: string): string | undefined {
  const slug = /\/crypto\/rpc\/([a-z0-9-]+)/.exec(address)?.[1];
  if (slug !== undefined) return networks.find((one) => one.slug === slug)?.slug;
  const url = parsed(address);
  if (!url) return networkNamed(address);
  const { hostname } = url;
  if (isLoopback(hostname)) return placeOf(url) === placeOf(parsed(localNode)) ? localNetwork : undefined;
  const own = ownHosts[hostname];
  if (own !== undefined) return own;
  const isShort = shortNames.test(hostname);
  const path = isShort ? url.pathname.split("/").slice(1, 2) : [];
  const labels = [...hostname.split(".").slice(0, -1), ...path];
  const found = new Set(
    labels.map((label) => networkInLabel(label, isShort)).filter((one) => one !== undefined),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** The host of an address, which is not secret; undefined without one. */
export function hostOf(address: string): string | undefined {
  return parsed(address)?.host;
}

function parsed(address: string): URL | undefined {
  const text = address.includes("://") ? address : `http://${address}`;
  const isHost = address.includes("://") || /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?:[:/?]|$)/.test(address);
  return isHost && URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(host);
}

function placeOf(url: URL | undefined): string {
  return url && isLoopback(url.hostname) ? url.port : "elsewhere";
}

function networkInLabel(label: string, isShort: boolean): string | undefined {
  const name = label
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^rpc-/, "")
    .replace(/-rpc$/, "")
    .replace("-bor", "");
  const slug = slugOf(name);
  if (slug !== undefined || !isShort) return slug;
  return networkNamed(name);
}

/** The slug of a name such as `matic-amoy`. */
function slugOf(name: string): string | undefined {
  const dash = name.lastIndexOf("-");
  const family = Object.hasOwn(families, name.slice(0, dash)) ? families[name.slice(0, dash)] : undefined;
  const slug = family && `${family}${name.slice(dash)}`;
  return networks.find((one) => one.slug === slug)?.slug;
}

/** A network by a short name of Foundry and providers (`mainnet`, `sepolia`, `base`) or by its chain id. */
function networkNamed(name: string): string | undefined {
  if (name === localNetwork || name === "localhost" || name === "anvil") return localNetwork;
  if (/^\d{1,15}$/.test(name)) return networks.find(({ chainId }) => chainId === Number(name))?.slug;
  if (["mainnet", "sepolia", "holesky"].includes(name)) return `ethereum-${name}`;
  const family = Object.hasOwn(families, name) ? families[name] : undefined;
  return family ? `${family}-mainnet` : slugOf(name.replaceAll("_", "-"));
}

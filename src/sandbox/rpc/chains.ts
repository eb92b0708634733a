import { createNodes } from "./anvil/nodes.ts";
import type { Chain } from "./chain.ts";
import { familyChain } from "./families.ts";
import type { Network } from "./networks.ts";

/** The chains behind the proxy. Each starts with its first call. */
export interface Chains {
  of(network: Network): Promise<Chain>;
  /** Resolves when all nodes have exited. */
  close(): Promise<void>;
}

export interface ChainsOptions {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Path of the anvil binary (`findAnvil`). Undefined: chains are simulated. */
  readonly nodeBinary: string | undefined;
}

/** Real EVM nodes if there is a binary that runs, else simulated ones. Starknet and Solana are always simulated. */
export function createChains({ now, nodeBinary }: ChainsOptions): Chains {
  const nodes = nodeBinary === undefined ? undefined : createNodes(nodeBinary, now);
  const standins = new Map<string, Promise<Chain>>();
  const simulated = (network: Network): Promise<Chain> => {
    const known = standins.get(network.slug) ?? createSimulated(network, now);
    standins.set(network.slug, known);
    return known;
  };
  return {
    async of(network) {
      const node = network.chainId === undefined ? undefined : await nodes?.of(network.slug, network.chainId);
      return familyChain(network, node ?? (await simulated(network)));
    },
    close: async () => nodes?.close(),
  };
}

async function createSimulated(network: Network, now: () => number): Promise<Chain> {
  if (network.family === "starknet")
    return (await import("./simulated/starknet.ts")).createStarknet(network.slug, now);
  if (network.family === "solana")
    return (await import("./simulated/solana.ts")).createSolana(network.slug, now);
  const { createEvmChain } = await import("./evm/evmChain.ts");
  return createEvmChain(network.chainId ?? 1, now);
}

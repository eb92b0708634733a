import { methodFamilies, methodTiers } from "../../shared/rpc/methodTiers.ts";
import { networkFamilies } from "../../shared/rpc/networks.ts";

/** Cost multiplier of a method, or the reason that the proxy refuses it (spec E3). */
export type RpcTier =
  | { readonly multiplier: 1 | 2 | 4 }
  | { readonly refused: "websocket" | "filter" | "key-holding" | "unlisted" };

/** Expensive reads of Solana (wire.md section 9). */
const solanaLarge = new Set(["getLargestAccounts", "getSupply"]);
const refusals = ["websocket", "filter", "key-holding"] as const;

/** The tier of a method; `unlisted` if the spec does not list it. */
export function rpcTier(method: string, network: string): RpcTier {
  const refused = refusals.find((reason) => methodTiers[reason].has(method));
  if (refused) return { refused };
  const { standard, advanced, large } = methodTiers;
  if (network.startsWith("solana-") && solanaMethod.test(method)) {
    return { multiplier: solanaLarge.has(method) ? 4 : 1 };
  }
  if (large.has(method) || methodFamilies.large.test(method)) return { multiplier: 4 };
  if (advanced.has(method) || methodFamilies.advanced.test(method)) return { multiplier: 2 };
  if (standard.has(method) || methodFamilies.standard.test(method)) return { multiplier: 1 };
  return { refused: "unlisted" };
}

/** Solana methods have no namespace and are not listed in the spec. */
const solanaMethod = /^(get|is|minimum|request|send|simulate)[A-Z]\w+$/;

/** Credits of an item with a JSON-RPC error (spec E3, billing rule 3). */
const errorItemCredits = 5;

/** Credits of one standard call on a network (spec E3, billing rule 2; wire.md section 9 for Solana). */
export function baseCredits(network: string): number {
  return /^(zksync|solana)-/.test(network) ? 30 : 20;
}

/** Credits of the calls if all succeed. A refused call counts nothing because the proxy refuses the whole request. */
export function predictCredits(network: string, methods: readonly string[]): number {
  return methods.reduce((sum, method) => {
    const tier = rpcTier(method, network);
    return sum + ("multiplier" in tier ? baseCredits(network) * tier.multiplier : 0);
  }, 0);
}

/** Upper bound of the credits for these calls: an unlisted method counts as the most expensive tier. */
export function mostCredits(network: string, methods: readonly string[]): number {
  const isKnown = isNetworkFamily(network.split("-")[0]);
  const base = isKnown ? baseCredits(network) : highestBase;
  return methods.reduce((sum, method) => {
    const tier = rpcTier(method, network);
    return sum + base * ("multiplier" in tier ? tier.multiplier : highestMultiplier);
  }, 0);
}

const highestBase = 30;
const highestMultiplier = 4;

function isNetworkFamily(name: string | undefined): boolean {
  return networkFamilies.some((family) => family === name);
}

/** Credits charged for answered calls: tier cost for a result, 5 for an error item. */
export function chargedCredits(
  network: string,
  answered: readonly { readonly method: string; readonly failed: boolean }[],
): number {
  return answered.reduce(
    (sum, { method, failed }) => sum + (failed ? errorItemCredits : predictCredits(network, [method])),
    0,
  );
}

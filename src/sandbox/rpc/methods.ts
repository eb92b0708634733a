import type { DialectId } from "../../api/dialect/dialect.ts";
import { methodFamilies, methodTiers } from "../../shared/rpc/methodTiers.ts";

/** The credit weight of a method, or why the proxy refuses it (spec E3). */
export type MethodTier = { readonly multiplier: 1 | 2 | 4 } | { readonly refused: string };

/** The class of a method. A chain without a listed method returns an error item, which is charged. */
export function tierOf(method: string, dialect: DialectId): MethodTier {
  const { standard, advanced, large } = methodTiers;
  if (large.has(method) || methodFamilies.large.test(method)) return { multiplier: 4 };
  if (advanced.has(method) || methodFamilies.advanced.test(method)) return { multiplier: 2 };
  if (standard.has(method) || methodFamilies.standard.test(method)) return { multiplier: 1 };
  if (dialect === "venice" && solanaLarge.has(method)) return { multiplier: 4 };
  if (dialect === "venice" && solanaProxyMethods.has(method)) return { multiplier: 1 };
  return { refused: whyRefused(method) };
}

function whyRefused(method: string): string {
  if (methodTiers.websocket.has(method)) return "WebSocket only";
  if (methodTiers.filter.has(method)) return "stateful filter, use eth_getLogs";
  if (methodTiers["key-holding"].has(method)) return "needs a key on the node, sign on your side";
  return "not on the allowlist";
}

/** Methods of Solana's HTTP interface that the proxy allows. */
const solanaProxyMethods: ReadonlySet<string> = new Set(
  `
  getAccountInfo getBalance getBlock getBlockCommitment getBlockHeight getBlockProduction getBlocks
  getBlocksWithLimit getBlockTime getClusterNodes getEpochInfo getEpochSchedule getFeeForMessage
  getFirstAvailableBlock getGenesisHash getHealth getHighestSnapshotSlot getIdentity getInflationGovernor
  getInflationRate getInflationReward getLatestBlockhash getLeaderSchedule getMaxRetransmitSlot
  getMaxShredInsertSlot getMinimumBalanceForRentExemption getMultipleAccounts getProgramAccounts
  getRecentPerformanceSamples getRecentPrioritizationFees getSignaturesForAddress getSignatureStatuses getSlot
  getSlotLeader getSlotLeaders getStakeMinimumDelegation getTokenAccountBalance getTokenAccountsByDelegate
  getTokenAccountsByOwner getTokenLargestAccounts getTokenSupply getTransaction getTransactionCount getVersion
  getVoteAccounts isBlockhashValid minimumLedgerSlot sendTransaction simulateTransaction
  `
    .trim()
    .split(/\s+/),
);

/** These cost four times as much (wire.md section 9). */
const solanaLarge: ReadonlySet<string> = new Set(["getLargestAccounts", "getSupply"]);

/** Methods of Solana's HTTP interface that the proxy allows. */
export const solanaProxyMethods: ReadonlySet<string> = new Set(
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
export const solanaLarge: ReadonlySet<string> = new Set(["getLargestAccounts", "getSupply"]);

/** Methods of other chains, in the format of evmMethods.ts. */
export const zksyncMethods = `
zks_estimateFee(call: call) json — The estimated fee of a transaction, by component.
zks_estimateGasL1ToL2(call: call) quantity — The gas of a message from Ethereum.
zks_getBridgehubContract() address — The shared contract of all chains of the hub.
zks_getMainContract() address — The chain's contract on Ethereum.
zks_getBridgeContracts() json — The contracts of the default bridges.
zks_getTestnetPaymaster() address — The paymaster of a test network.
zks_L1ChainId() quantity — The chain id of the layer 1.
zks_L1BatchNumber() quantity — The newest batch.
zks_getBaseTokenL1Address() address — The base token on Ethereum.
zks_getL2ToL1LogProof(hash: hash, index?: number) json — Proves a log of a transaction to Ethereum.
zks_getL2ToL1MsgProof(block: number, sender: address, message: hash, position?: number) json — Proves a message to Ethereum.
zks_getAllAccountBalances(address: address) json — All token balances of an account.
zks_getBlockDetails(block: number) json — Details of a block in the rollup.
zks_getTransactionDetails(hash: hash) json — Fee, state and batch of a transaction.
zks_getRawBlockTransactions(block: number) table — The raw transactions of a block in the rollup.
zks_getL1BatchBlockRange(batch: number) json — The first and last block of a batch.
zks_getL1BatchDetails(batch: number) json — Details of a batch in the rollup.
zks_getBytecodeByHash(hash: hash) json — The bytecode with a hash.
zks_getL1GasPrice() wei — The gas price on Ethereum as the rollup sees it.
zks_getFeeParams() json — The parameters of the fee model.
zks_getProtocolVersion(version?: number) json — A version of the protocol.
zks_getProof(address: address, slots: slots, batch: number) json — Storage slots with proofs.
zks_sendRawTransactionWithDetailedOutput(transaction: data) json writes — Sends a transaction and returns its effects.
`;

export const starknetMethods = `
starknet_specVersion() string — The version of the specification.
starknet_blockNumber() number — The number of the newest block.
starknet_blockHashAndNumber() json — Hash and number of the newest block.
starknet_chainId() felt — The chain's id.
starknet_syncing() any — False, or the progress of the synchronization.
starknet_getBlockWithTxHashes(block: starkBlock) block — A block with its transactions' hashes.
starknet_getBlockWithTxs(block: starkBlock) block — A block with its transactions.
starknet_getBlockWithReceipts(block: starkBlock) block — A block with transactions and receipts.
starknet_getBlockTransactionCount(block: starkBlock) number — The number of transactions in a block.
starknet_getStateUpdate(block: starkBlock) json — The state changes of a block.
starknet_getStorageAt(contract: felt, key: felt, block: starkBlock) felt — One slot of a contract's storage.
starknet_getStorageProof(block: starkBlock, classes?: json, contracts?: json, keys?: json) json — Proofs of classes, contracts and slots.
starknet_getTransactionStatus(hash: felt) json — The status of a transaction.
starknet_getMessagesStatus(hash: felt) json — The status of the messages of an Ethereum transaction.
starknet_getTransactionByHash(hash: felt) json — A transaction.
starknet_getTransactionByBlockIdAndIndex(block: starkBlock, index: number) json — A transaction by its index in a block.
starknet_getTransactionReceipt(hash: felt) json — The receipt of a transaction.
starknet_getClass(block: starkBlock, hash: felt) json — A class by its hash.
starknet_getClassHashAt(block: starkBlock, contract: felt) felt — The class of a contract.
starknet_getClassAt(block: starkBlock, contract: felt) json — The complete class of a contract.
starknet_getCompiledCasm(hash: felt) json — The compiled form of a class.
starknet_getEvents(filter: json) json — Events that match a filter, in pages.
starknet_getNonce(block: starkBlock, contract: felt) felt — The nonce of a contract.
starknet_call(request: json, block: starkBlock) json — Executes a call without changing the chain.
starknet_estimateFee(transactions: json, flags: json, block: starkBlock) json — The estimated fees of transactions.
starknet_estimateMessageFee(message: json, block: starkBlock) json — The estimated fee of a message from Ethereum.
starknet_addInvokeTransaction(transaction: json) json writes — Sends a signed invocation.
starknet_addDeclareTransaction(transaction: json) json writes — Sends a signed declaration.
starknet_addDeployAccountTransaction(transaction: json) json writes — Sends a signed account deployment.
starknet_traceTransaction(hash: felt) trace — The inner calls of a transaction.
starknet_simulateTransactions(block: starkBlock, transactions: json, flags: json) json — Executes transactions without changing the chain.
starknet_traceBlockTransactions(block: starkBlock) trace — The inner calls of a block's transactions.
`;

export const solanaMethods = `
getAccountInfo(account: string, options?: json) solana — An account with its data.
getBalance(account: string, options?: json) solana — Lamports of an account.
getBlock(slot: number, options?: json) json — The block in a slot.
getBlockCommitment(slot: number) json — The stake that has voted on a block.
getBlockHeight(options?: json) number — The block height.
getBlockProduction(options?: json) json — The blocks that validators produced and skipped.
getBlockTime(slot: number) number — The time of a block, in Unix seconds.
getBlocks(from: number, to?: number, options?: json) json — The slots with a block in a range.
getBlocksWithLimit(from: number, limit: number, options?: json) json — The slots with a block, up to a limit.
getClusterNodes() table — The nodes of the cluster.
getEpochInfo(options?: json) json — The progress of the current epoch.
getEpochSchedule() json — The length of epochs.
getFeeForMessage(message: string, options?: json) json — The fee of a message.
getFirstAvailableBlock() number — The oldest slot with a stored block.
getGenesisHash() string — The hash of the first block.
getHealth() string — The health of the node.
getHighestSnapshotSlot() json — The slots of the newest snapshots.
getIdentity() json — The public key of the node.
getInflationGovernor(options?: json) json — The parameters of the inflation.
getInflationRate() json — The inflation of the current epoch.
getInflationReward(accounts: json, options?: json) table — The staking rewards of accounts in an epoch.
getLargestAccounts(options?: json) solana — The twenty richest accounts. Large.
getLatestBlockhash(options?: json) json — The latest blockhash, for signing.
getLeaderSchedule(slot?: number, options?: json) json — The slots of each leader in an epoch.
getMinimumBalanceForRentExemption(bytes: number, options?: json) solana — The minimum balance for rent exemption, in lamports.
getMultipleAccounts(accounts: json, options?: json) solana — Up to a hundred accounts.
getProgramAccounts(program: string, options?: json) solana — All accounts of a program.
getRecentPerformanceSamples(limit?: number) table — Transactions and slots in the last minutes.
getRecentPrioritizationFees(accounts?: json) table — The tips of the last slots.
getSignatureStatuses(signatures: json, options?: json) json — The status of transactions.
getSignaturesForAddress(account: string, options?: json) table — The transactions of an account.
getSlot(options?: json) number — The current slot.
getSlotLeader(options?: json) string — The leader of the current slot.
getSlotLeaders(from: number, limit: number) json — The leaders of a range of slots.
getStakeMinimumDelegation(options?: json) solana — The minimum stake, in lamports.
getSupply(options?: json) solana — The supply of the coin. Large.
getTokenAccountBalance(account: string, options?: json) json — The balance of a token account.
getTokenAccountsByDelegate(delegate: string, by: json, options?: json) solana — The token accounts with a delegate.
getTokenAccountsByOwner(owner: string, by: json, options?: json) solana — The token accounts of an owner.
getTokenLargestAccounts(mint: string, options?: json) json — The twenty largest accounts of a token.
getTokenSupply(mint: string, options?: json) json — The supply of a token.
getTransaction(signature: string, options?: json) solana — A transaction.
getTransactionCount(options?: json) number — The number of transactions.
getVersion() json — The node's version.
getVoteAccounts(options?: json) json — The validators' vote accounts.
isBlockhashValid(hash: string, options?: json) json — True if a blockhash is still valid for signing.
minimumLedgerSlot() number — The oldest slot of the ledger.
sendTransaction(transaction: string, options?: json) string writes — Sends a signed transaction.
simulateTransaction(transaction: string, options?: json) json — Simulates a transaction without changing the chain.
`;

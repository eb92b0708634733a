/** Methods of chains that have their own, written as in evmMethods.ts. */
export const zksyncMethods = `
zks_estimateFee(call: call) json — What a transaction would cost, part by part.
zks_estimateGasL1ToL2(call: call) quantity — The gas of a message from Ethereum.
zks_getBridgehubContract() address — The contract that all chains of the hub share.
zks_getMainContract() address — The chain's contract on Ethereum.
zks_getBridgeContracts() json — The contracts of the default bridges.
zks_getTestnetPaymaster() address — The paymaster of a test network.
zks_L1ChainId() quantity — The id of the chain below.
zks_L1BatchNumber() quantity — The newest batch.
zks_getBaseTokenL1Address() address — The base token on Ethereum.
zks_getL2ToL1LogProof(hash: hash, index?: number) json — Proves a log of a transaction to Ethereum.
zks_getL2ToL1MsgProof(block: number, sender: address, message: hash, position?: number) json — Proves a message to Ethereum.
zks_getAllAccountBalances(address: address) json — All token balances of an account.
zks_getBlockDetails(block: number) json — What the rollup knows of a block.
zks_getTransactionDetails(hash: hash) json — Fee, state and batch of a transaction.
zks_getRawBlockTransactions(block: number) table — The transactions of a block as the rollup keeps them.
zks_getL1BatchBlockRange(batch: number) json — The first and last block of a batch.
zks_getL1BatchDetails(batch: number) json — What the rollup knows of a batch.
zks_getBytecodeByHash(hash: hash) json — The code that has a hash.
zks_getL1GasPrice() wei — The gas price on Ethereum as the rollup sees it.
zks_getFeeParams() json — What fees are made of.
zks_getProtocolVersion(version?: number) json — A version of the protocol.
zks_getProof(address: address, slots: slots, batch: number) json — Storage slots with proofs.
zks_sendRawTransactionWithDetailedOutput(transaction: data) json writes — Hands in a transaction and tells what it would do.
`;

export const starknetMethods = `
starknet_specVersion() string — The version of the interface.
starknet_blockNumber() number — The number of the newest block.
starknet_blockHashAndNumber() json — Hash and number of the newest block.
starknet_chainId() felt — The chain's id.
starknet_syncing() any — False, or how far the node is behind.
starknet_getBlockWithTxHashes(block: starkBlock) block — A block with its transactions' hashes.
starknet_getBlockWithTxs(block: starkBlock) block — A block with its transactions.
starknet_getBlockWithReceipts(block: starkBlock) block — A block with transactions and receipts.
starknet_getBlockTransactionCount(block: starkBlock) number — How many transactions a block has.
starknet_getStateUpdate(block: starkBlock) json — What a block changed.
starknet_getStorageAt(contract: felt, key: felt, block: starkBlock) felt — One slot of a contract's storage.
starknet_getStorageProof(block: starkBlock, classes?: json, contracts?: json, keys?: json) json — Proofs of classes, contracts and slots.
starknet_getTransactionStatus(hash: felt) json — How far a transaction has come.
starknet_getMessagesStatus(hash: felt) json — How far the messages of an Ethereum transaction have come.
starknet_getTransactionByHash(hash: felt) json — A transaction.
starknet_getTransactionByBlockIdAndIndex(block: starkBlock, index: number) json — A transaction by its place in a block.
starknet_getTransactionReceipt(hash: felt) json — How a transaction ended.
starknet_getClass(block: starkBlock, hash: felt) json — A class by its hash.
starknet_getClassHashAt(block: starkBlock, contract: felt) felt — The class of a contract.
starknet_getClassAt(block: starkBlock, contract: felt) json — The class of a contract, whole.
starknet_getCompiledCasm(hash: felt) json — The compiled form of a class.
starknet_getEvents(filter: json) json — Events that fit a filter, page by page.
starknet_getNonce(block: starkBlock, contract: felt) felt — The nonce of a contract.
starknet_call(request: json, block: starkBlock) json — Runs a call and changes nothing.
starknet_estimateFee(transactions: json, flags: json, block: starkBlock) json — What transactions would cost.
starknet_estimateMessageFee(message: json, block: starkBlock) json — What a message from Ethereum would cost.
starknet_addInvokeTransaction(transaction: json) json writes — Hands in a signed invocation.
starknet_addDeclareTransaction(transaction: json) json writes — Hands in a signed declaration.
starknet_addDeployAccountTransaction(transaction: json) json writes — Hands in a signed account.
starknet_traceTransaction(hash: felt) trace — The inner calls of a transaction.
starknet_simulateTransactions(block: starkBlock, transactions: json, flags: json) json — Runs transactions and changes nothing.
starknet_traceBlockTransactions(block: starkBlock) trace — The inner calls of a block's transactions.
`;

export const solanaMethods = `
getAccountInfo(account: string, options?: json) json — An account with its data.
getBalance(account: string, options?: json) json — Lamports of an account.
getBlock(slot: number, options?: json) json — The block of a slot.
getBlockHeight(options?: json) number — How many blocks there are.
getBlockTime(slot: number) number — When a block was made, Unix seconds.
getBlocks(from: number, to?: number, options?: json) json — The slots with a block in a range.
getEpochInfo(options?: json) json — Where the current epoch stands.
getFeeForMessage(message: string, options?: json) json — What a message would cost.
getGenesisHash() string — The hash of the first block.
getHealth() string — Whether the node is up to date.
getLargestAccounts(options?: json) json — The twenty richest accounts. Large.
getLatestBlockhash(options?: json) json — The hash to sign with.
getMinimumBalanceForRentExemption(bytes: number, options?: json) number — Lamports that keep an account.
getMultipleAccounts(accounts: json, options?: json) json — Up to a hundred accounts.
getProgramAccounts(program: string, options?: json) json — All accounts of a program.
getRecentPrioritizationFees(accounts?: json) table — The tips of the last slots.
getSignatureStatuses(signatures: json, options?: json) json — How far transactions have come.
getSignaturesForAddress(account: string, options?: json) table — The transactions of an account.
getSlot(options?: json) number — The current slot.
getSupply(options?: json) json — How much there is of the coin. Large.
getTokenAccountBalance(account: string, options?: json) json — The balance of a token account.
getTokenAccountsByOwner(owner: string, by: json, options?: json) json — The token accounts of an owner.
getTokenSupply(mint: string, options?: json) json — How much there is of a token.
getTransaction(signature: string, options?: json) json — A transaction.
getTransactionCount(options?: json) number — How many transactions there were.
getVersion() json — The node's version.
getVoteAccounts(options?: json) json — The validators' vote accounts.
isBlockhashValid(hash: string, options?: json) json — Whether a hash may still be signed with.
sendTransaction(transaction: string, options?: json) string writes — Hands in a signed transaction.
simulateTransaction(transaction: string, options?: json) json — Runs a transaction and changes nothing.
`;

/** EVM methods, one per line: `name(parameter: type, optional?: type) result — summary`; `writes` after the result marks methods that change the chain. */
export const evmMethods = `
eth_blockNumber() quantity — The number of the newest block.
eth_chainId() quantity — The chain's id, as transactions are signed for it.
eth_gasPrice() wei — The gas price that the node suggests for fast inclusion.
eth_maxPriorityFeePerGas() wei — A tip for inclusion in one of the next blocks.
eth_blobBaseFee() wei — The base fee of blob gas in the next block.
eth_feeHistory(blocks: quantity, newest: block, percentiles?: percentiles) feeHistory — Base fees, the share of used gas, and paid tips of recent blocks.
eth_syncing() any — False, or the progress of the synchronization.
eth_protocolVersion() string — The protocol version of the node.
eth_getBalance(address: address, block?: block) wei — The balance of an account.
eth_getTransactionCount(address: address, block?: block) quantity — The nonce of an account's next transaction.
eth_getCode(address: address, block?: block) data — The code of a contract; 0x for an account without code.
eth_getStorageAt(address: address, slot: quantity, block?: block) data — One slot of a contract's storage.
eth_getProof(address: address, slots: slots, block: block) json — An account and some of its storage, with Merkle proofs.
eth_getBlockByNumber(block: block, full: boolean) block — A block, with complete transactions or their hashes.
eth_getBlockByHash(hash: hash, full: boolean) block — A block, with complete transactions or their hashes.
eth_getBlockReceipts(block: block) table — The receipts of all transactions of a block.
eth_getBlockTransactionCountByNumber(block: block) quantity — The number of transactions in a block.
eth_getBlockTransactionCountByHash(hash: hash) quantity — The number of transactions in a block.
eth_getTransactionByHash(hash: hash) transaction — A transaction, mined or pending.
eth_getTransactionByBlockNumberAndIndex(block: block, index: quantity) transaction — A transaction by its index in a block.
eth_getTransactionByBlockHashAndIndex(hash: hash, index: quantity) transaction — A transaction by its index in a block.
eth_getTransactionReceipt(hash: hash) receipt — The status and logs of a mined transaction; null until it is mined.
eth_getUncleByBlockNumberAndIndex(block: block, index: quantity) json — An uncle of a block.
eth_getUncleByBlockHashAndIndex(hash: hash, index: quantity) json — An uncle of a block.
eth_getUncleCountByBlockNumber(block: block) quantity — The number of uncles of a block.
eth_getUncleCountByBlockHash(hash: hash) quantity — The number of uncles of a block.
eth_getLogs(filter: filter) logs — The events of a range of blocks that match a filter.
eth_call(call: call, block?: block, overrides?: json, blockOverrides?: json) data — Executes a call on the node without changing the chain.
eth_estimateGas(call: call, block?: block, overrides?: json, blockOverrides?: json) quantity — The gas that a transaction would need.
eth_createAccessList(call: call, block?: block) json — The storage slots that a transaction would access.
eth_sendRawTransaction(transaction: data) hash writes — Sends a signed transaction. The service records its hash.
eth_sendUserOperation(operation: json, entryPoint: address) hash writes — Sends a user operation to the bundler (ERC-4337).
eth_estimateUserOperationGas(operation: json, entryPoint: address, overrides?: json) json — The gas limits of a user operation (ERC-4337).
eth_getUserOperationByHash(hash: hash) json — A user operation by its hash (ERC-4337).
eth_getUserOperationReceipt(hash: hash) json — The status of a user operation (ERC-4337).
eth_supportedEntryPoints() json — The entry points that the bundler supports (ERC-4337).
net_version() string — The network's id as decimal text.
net_listening() boolean — True if the node accepts connections.
net_peerCount() quantity — The number of peers of the node.
web3_clientVersion() string — The name and version of the node software.
web3_sha3(data: data) data — The Keccak-256 hash of the data.
debug_traceCall(call: call, block: block, options?: tracer) trace — Executes a call and returns each step.
debug_traceTransaction(hash: hash, options?: tracer) trace — Replays a mined transaction and returns each step.
debug_traceBlockByHash(hash: hash, options?: tracer) trace — Replays a block and returns each step of its transactions.
trace_block(block: block) trace — The calls of all transactions of a block.
trace_call(call: call, types: traceTypes, block?: block) trace — Executes a call and returns its inner calls and changes.
trace_transaction(hash: hash) trace — The inner calls of a mined transaction.
trace_replayTransaction(hash: hash, types: traceTypes) trace — Replays a transaction with the requested traces.
trace_replayBlockTransactions(block: block, types: traceTypes) trace — Replays a block with the requested traces.
txpool_status() json — The number of transactions in the node's pool.
txpool_inspect() json — The pending transactions, one line each.
txpool_content() json — The complete pending transactions. Large.
arbtrace_block(block: block) trace — trace_block for blocks before Nitro.
arbtrace_call(call: call, types: traceTypes, block?: block) trace — trace_call of blocks before Nitro.
arbtrace_transaction(hash: hash) trace — trace_transaction of blocks before Nitro.
arbtrace_filter(filter: json) trace — The calls of a range of old blocks that match a filter.
arbtrace_get(hash: hash, path: json) trace — One inner call of an old transaction.
arbtrace_callMany(calls: json, block?: block) trace — Several calls in sequence on an old block.
arbtrace_replayTransaction(hash: hash, types: traceTypes) trace — trace_replayTransaction of blocks before Nitro.
arbtrace_replayBlockTransactions(block: block, types: traceTypes) trace — trace_replayBlockTransactions of blocks before Nitro.
linea_estimateGas(call: call, block?: block) json — Gas limit and fees on Linea.
linea_getProof(address: address, slots: slots, block: block) json — A proof of Linea's state tree.
linea_getTransactionExclusionStatusV1(hash: hash) json — The reason that a transaction was excluded from blocks.
bor_getAuthor(block: block) address — The author of a block.
bor_getCurrentProposer() address — The current block producer.
bor_getCurrentValidators() table — The validators of the current span.
bor_getRootHash(from: number, to: number) string — The root hash of a range of blocks, as used in checkpoints.
bor_getSnapshot(block?: block) json — The validators at a block.
`;

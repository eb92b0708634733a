/** EVM methods, one a line: `name(parameter: type, optional?: type) result — what it is for`; `writes` behind the result marks what changes the chain. */
export const evmMethods = `
eth_blockNumber() quantity — The number of the newest block.
eth_chainId() quantity — The chain's id, as transactions are signed for it.
eth_gasPrice() wei — The node's idea of a gas price that is taken soon.
eth_maxPriorityFeePerGas() wei — A tip that gets a transaction into one of the next blocks.
eth_blobBaseFee() wei — The base fee of blob gas in the next block.
eth_feeHistory(blocks: quantity, newest: block, percentiles?: percentiles) feeHistory — Base fees, how full blocks were, and what tips were paid.
eth_syncing() any — False, or how far the node is behind.
eth_protocolVersion() string — The version of the protocol that the node speaks.
eth_getBalance(address: address, block?: block) wei — The balance of an account.
eth_getTransactionCount(address: address, block?: block) quantity — The nonce of an account's next transaction.
eth_getCode(address: address, block?: block) data — The code of a contract; 0x for an account without any.
eth_getStorageAt(address: address, slot: quantity, block?: block) data — One slot of a contract's storage.
eth_getProof(address: address, slots: slots, block: block) json — An account and some of its storage, with Merkle proofs.
eth_getBlockByNumber(block: block, full: boolean) block — A block, with its transactions whole or as hashes.
eth_getBlockByHash(hash: hash, full: boolean) block — A block, with its transactions whole or as hashes.
eth_getBlockReceipts(block: block) table — The receipts of all transactions of a block.
eth_getBlockTransactionCountByNumber(block: block) quantity — How many transactions a block has.
eth_getBlockTransactionCountByHash(hash: hash) quantity — How many transactions a block has.
eth_getTransactionByHash(hash: hash) transaction — A transaction, mined or waiting.
eth_getTransactionByBlockNumberAndIndex(block: block, index: quantity) transaction — A transaction by its place in a block.
eth_getTransactionByBlockHashAndIndex(hash: hash, index: quantity) transaction — A transaction by its place in a block.
eth_getTransactionReceipt(hash: hash) receipt — How a mined transaction ended, with its logs; null until it is mined.
eth_getUncleByBlockNumberAndIndex(block: block, index: quantity) json — An uncle of a block.
eth_getUncleByBlockHashAndIndex(hash: hash, index: quantity) json — An uncle of a block.
eth_getUncleCountByBlockNumber(block: block) quantity — How many uncles a block has.
eth_getUncleCountByBlockHash(hash: hash) quantity — How many uncles a block has.
eth_getLogs(filter: filter) logs — The events of a range of blocks that fit a filter.
eth_call(call: call, block?: block, overrides?: json, blockOverrides?: json) data — Runs a call on the node and changes nothing.
eth_estimateGas(call: call, block?: block, overrides?: json, blockOverrides?: json) quantity — The gas that a transaction would need.
eth_createAccessList(call: call, block?: block) json — The slots that a transaction would touch.
eth_sendRawTransaction(transaction: data) hash writes — Hands in a signed transaction. The service records its hash.
eth_sendUserOperation(operation: json, entryPoint: address) hash writes — Hands a user operation to the bundler (ERC-4337).
eth_estimateUserOperationGas(operation: json, entryPoint: address, overrides?: json) json — The gas limits of a user operation (ERC-4337).
eth_getUserOperationByHash(hash: hash) json — A user operation by its hash (ERC-4337).
eth_getUserOperationReceipt(hash: hash) json — How a user operation ended (ERC-4337).
eth_supportedEntryPoints() json — The entry points that the bundler takes (ERC-4337).
net_version() string — The network's id as decimal text.
net_listening() boolean — Whether the node takes connections.
net_peerCount() quantity — How many peers the node has.
web3_clientVersion() string — The node's program and version.
web3_sha3(data: data) data — The Keccak-256 hash of the data.
debug_traceCall(call: call, block: block, options?: tracer) trace — Runs a call and tells each step.
debug_traceTransaction(hash: hash, options?: tracer) trace — Runs a mined transaction again and tells each step.
debug_traceBlockByHash(hash: hash, options?: tracer) trace — Runs a block again and tells each step of its transactions.
trace_block(block: block) trace — The calls of all transactions of a block.
trace_call(call: call, types: traceTypes, block?: block) trace — Runs a call and tells its inner calls and changes.
trace_transaction(hash: hash) trace — The inner calls of a mined transaction.
trace_replayTransaction(hash: hash, types: traceTypes) trace — Runs a transaction again with the traces that are asked for.
trace_replayBlockTransactions(block: block, types: traceTypes) trace — Runs a block again with the traces that are asked for.
txpool_status() json — How many transactions wait in the node's pool.
txpool_inspect() json — The waiting transactions, a line each.
txpool_content() json — The waiting transactions, whole. Large.
arbtrace_block(block: block) trace — trace_block of blocks before Nitro.
arbtrace_call(call: call, types: traceTypes, block?: block) trace — trace_call of blocks before Nitro.
arbtrace_transaction(hash: hash) trace — trace_transaction of blocks before Nitro.
arbtrace_filter(filter: json) trace — The calls of a range of old blocks that fit a filter.
arbtrace_get(hash: hash, path: json) trace — One inner call of an old transaction.
arbtrace_callMany(calls: json, block?: block) trace — Several calls after each other on an old block.
arbtrace_replayTransaction(hash: hash, types: traceTypes) trace — trace_replayTransaction of blocks before Nitro.
arbtrace_replayBlockTransactions(block: block, types: traceTypes) trace — trace_replayBlockTransactions of blocks before Nitro.
linea_estimateGas(call: call, block?: block) json — Gas limit and fees as Linea asks for them.
linea_getProof(address: address, slots: slots, block: block) json — A proof of Linea's own state tree.
linea_getTransactionExclusionStatusV1(hash: hash) json — Why a transaction was left out of blocks.
bor_getAuthor(block: block) address — Who made a block.
bor_getCurrentProposer() address — Who makes the current blocks.
bor_getCurrentValidators() table — The validators of the current span.
bor_getRootHash(from: number, to: number) string — The root of a range of blocks, as checkpoints have it.
bor_getSnapshot(block?: block) json — The validators as of a block.
`;

/** The method lists of the chain proxy, by credits or by the reason for refusal (spec E3). */
export const methodTiers = {
  /** The list of the spec, and the reads, writes and bundler calls that nodes offer besides. */
  standard: words(`
    eth_call eth_getBalance eth_blockNumber eth_sendRawTransaction eth_getLogs eth_getTransactionReceipt
    eth_estimateGas net_version web3_clientVersion
    eth_chainId eth_gasPrice eth_maxPriorityFeePerGas eth_feeHistory eth_blobBaseFee eth_syncing eth_protocolVersion
    eth_getBlockByHash eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash
    eth_getBlockTransactionCountByNumber eth_getCode eth_getProof eth_getStorageAt eth_getTransactionByHash
    eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionCount
    eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockHash
    eth_getUncleCountByBlockNumber eth_createAccessList net_listening net_peerCount web3_sha3
    eth_sendUserOperation eth_estimateUserOperationGas eth_getUserOperationByHash eth_getUserOperationReceipt
    eth_supportedEntryPoints
  `),
  advanced: words(`
    trace_block trace_call trace_transaction debug_traceCall debug_traceTransaction debug_traceBlockByHash
    txpool_inspect txpool_status
  `),
  large: words("trace_replayBlockTransactions trace_replayTransaction txpool_content"),
  websocket: words("eth_subscribe eth_unsubscribe"),
  filter: words(`
    eth_newFilter eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter eth_newBlockFilter
    eth_newPendingTransactionFilter
  `),
  "key-holding": words("eth_sign eth_accounts eth_mining eth_hashrate eth_getWork eth_submitWork"),
} as const;

/** Method families that are allowed as a whole; the spec names their prefix (spec E3, Method tiers). */
export const methodFamilies = {
  standard: /^(?:zks|linea|bor|starknet)_\w+$/,
  advanced: /^arbtrace_\w+$/,
  large: /^arbtrace_replay\w*$/,
} as const;

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

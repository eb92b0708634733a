import type { DialectId } from "../../api/dialect.ts";
import { solanaLarge, solanaMethods } from "./standin/solanaMethods.ts";

/** What a method weighs, or why the proxy takes it for none (spec E3). */
export type Tier = { readonly multiplier: 1 | 2 | 4 } | { readonly refused: string };

/** The spec's own list, and the plain reads, writes and bundler calls that stand beside them on any node. */
const standard = words(`
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
`);
const advanced = words(`
  trace_block trace_call trace_transaction debug_traceCall debug_traceTransaction debug_traceBlockByHash
  txpool_inspect txpool_status
`);
const large = words("trace_replayBlockTransactions trace_replayTransaction txpool_content");

const websocket = words("eth_subscribe eth_unsubscribe");
const filters = words(`
  eth_newFilter eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter eth_newBlockFilter
  eth_newPendingTransactionFilter
`);
const keyHolding = words("eth_sign eth_accounts eth_mining eth_hashrate eth_getWork eth_submitWork");

/** Where a method stands. A chain that does not know a listed one says so itself, at the price of an error. */
export function tierOf(method: string, dialect: DialectId): Tier {
  if (large.has(method) || /^arbtrace_replay\w+$/.test(method)) return { multiplier: 4 };
  if (advanced.has(method) || /^arbtrace_\w+$/.test(method)) return { multiplier: 2 };
  if (standard.has(method) || /^(zks|linea|bor|starknet)_\w+$/.test(method)) return { multiplier: 1 };
  if (dialect === "venice" && solanaLarge.has(method)) return { multiplier: 4 };
  if (dialect === "venice" && solanaMethods.has(method)) return { multiplier: 1 };
  return { refused: whyRefused(method) };
}

function whyRefused(method: string): string {
  if (websocket.has(method)) return "WebSocket only";
  if (filters.has(method)) return "stateful filter, use eth_getLogs";
  if (keyHolding.has(method)) return "needs a key on the node, sign on your side";
  return "not on the allowlist";
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

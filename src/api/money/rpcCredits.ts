/** How much a method weighs, or why the proxy refuses it (spec E3). */
export type RpcTier =
  | { readonly multiplier: 1 | 2 | 4 }
  | { readonly refused: "websocket" | "filter" | "key-holding" | "unlisted" };

const standard = new Set([
  "eth_call",
  "eth_getBalance",
  "eth_blockNumber",
  "eth_sendRawTransaction",
  "eth_getLogs",
  "eth_getTransactionReceipt",
  "eth_estimateGas",
  "net_version",
  "web3_clientVersion",
]);
const advanced = new Set([
  "trace_block",
  "trace_call",
  "trace_transaction",
  "debug_traceCall",
  "debug_traceTransaction",
  "debug_traceBlockByHash",
  "txpool_inspect",
  "txpool_status",
]);
const large = new Set([
  "trace_replayBlockTransactions",
  "trace_replayTransaction",
  "txpool_content",
  "getLargestAccounts",
  "getSupply",
]);
const refusedMethods: Readonly<Record<"websocket" | "filter" | "key-holding", ReadonlySet<string>>> = {
  websocket: new Set(["eth_subscribe", "eth_unsubscribe"]),
  filter: new Set([
    "eth_newFilter",
    "eth_getFilterChanges",
    "eth_getFilterLogs",
    "eth_uninstallFilter",
    "eth_newBlockFilter",
    "eth_newPendingTransactionFilter",
  ]),
  "key-holding": new Set([
    "eth_sign",
    "eth_accounts",
    "eth_mining",
    "eth_hashrate",
    "eth_getWork",
    "eth_submitWork",
  ]),
};

/** Families whose every method is on the allowlist; the spec names a few methods "and similar". */
const standardFamilies = /^(eth|net|web3|zks|linea|bor|starknet|rundler|pimlico)_\w+$/;
const advancedFamilies = /^(arbtrace|trace|debug)_\w+$/;

/** The tier of a method; `unlisted` is a guess wherever the spec's lists end in "and similar". */
export function rpcTier(method: string, network: string): RpcTier {
  for (const [refused, methods] of Object.entries(refusedMethods)) {
    if (methods.has(method)) return { refused: refused as keyof typeof refusedMethods };
  }
  if (large.has(method) || method.startsWith("arbtrace_replay")) return { multiplier: 4 };
  if (advanced.has(method) || advancedFamilies.test(method)) return { multiplier: 2 };
  if (standard.has(method) || standardFamilies.test(method)) return { multiplier: 1 };
  return network.startsWith("solana-") && /^[a-z]\w+$/.test(method)
    ? { multiplier: 1 }
    : { refused: "unlisted" };
}

/** Credits of an item that comes back with a JSON-RPC error (spec E3, billing rule 3). */
export const errorItemCredits = 5;

/** Credits of one standard call on a network (spec E3, billing rule 2; wire.md section 9 for Solana). */
export function baseCredits(network: string): number {
  return /^(zksync|solana)-/.test(network) ? 30 : 20;
}

/** Credits of the calls if all succeed; a refused one counts nothing, for the proxy turns the whole request away. */
export function predictCredits(network: string, methods: readonly string[]): number {
  return methods.reduce((sum, method) => {
    const tier = rpcTier(method, network);
    return sum + ("multiplier" in tier ? baseCredits(network) * tier.multiplier : 0);
  }, 0);
}

/** Credits charged for answered calls: tier cost for a result, a flat 5 for an error item. */
export function chargedCredits(
  network: string,
  answered: readonly { readonly method: string; readonly failed: boolean }[],
): number {
  return answered.reduce(
    (sum, { method, failed }) => sum + (failed ? errorItemCredits : predictCredits(network, [method])),
    0,
  );
}

import { rpcTier } from "../../../api/money/rpcCredits.ts";
import { catalog, isServedBy, networkFamily } from "../../../shared/rpc/catalog/catalog.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { similar } from "../../../shared/text/similar.ts";

/** A method that replaces another one. */
interface Replacement {
  readonly title: string;
  readonly method: string;
  readonly params?: string;
  /** Also adds polling. */
  readonly polls?: boolean;
}

/** The reason that a method can't be used, and its replacements. */
export interface MethodIssue {
  readonly code: "websocket" | "filter" | "key-holding" | "unlisted" | "family";
  readonly message: string;
  /** True if the service refuses the whole request. */
  readonly refuses: boolean;
  readonly replacements: readonly Replacement[];
}

const logs: Replacement = { title: "Use eth_getLogs", method: "eth_getLogs" };
const heads: Replacement = {
  title: "Poll the newest block every 12 seconds",
  method: "eth_getBlockByNumber",
  params: "latest false",
  polls: true,
};
const pollLogs: Replacement = {
  title: "Poll eth_getLogs every 12 seconds",
  method: "eth_getLogs",
  polls: true,
};

/** Replacements of methods that the proxy refuses (spec E3, Not supported). */
const replacements: ReadonlyMap<string, readonly Replacement[]> = new Map(
  Object.entries({
    eth_subscribe: [heads, pollLogs],
    eth_newFilter: [logs],
    eth_getFilterLogs: [logs],
    eth_getFilterChanges: [pollLogs, logs],
    eth_newBlockFilter: [heads],
    eth_newPendingTransactionFilter: [{ title: "Use txpool_status", method: "txpool_status", params: "" }],
    eth_sendTransaction: [
      { title: "Sign locally, send with eth_sendRawTransaction", method: "eth_sendRawTransaction" },
    ],
    eth_sign: [{ title: "Sign locally, send with eth_sendRawTransaction", method: "eth_sendRawTransaction" }],
  }),
);

const reasons = {
  websocket: "needs WebSocket, but the proxy uses HTTP",
  filter: "needs a filter stored on the node, which shared nodes don't support. Use eth_getLogs",
  "key-holding": "needs a key or a miner on the node. Sign locally and send with eth_sendRawTransaction",
  unlisted: "is not on the service's list",
} as const;

/** The issue of a method on a network; `allowed` are the methods of @allow. */
export function methodIssue(
  method: string,
  network: string,
  allowed: ReadonlySet<string> = new Set(),
): MethodIssue | undefined {
  if (allowed.has(method)) return undefined;
  // No node has these methods, one on this machine neither.
  const other = otherProgram(method);
  if (other) return other;
  if (network === localNetwork) return undefined;
  const tier = rpcTier(method, network);
  if ("refused" in tier) {
    const similar = tier.refused === "unlisted" ? closest(method) : [];
    return {
      code: tier.refused,
      message: `${method} ${reasons[tier.refused]}. The whole request would be refused.`,
      refuses: true,
      replacements: [...(replacements.get(method) ?? []), ...similar],
    };
  }
  const family = networkFamily(network);
  if (!family || isServedBy(method, family)) return undefined;
  const message = `${network} does not support ${method}. It would return an error, which costs 5 credits.`;
  return { code: "family", message, refuses: false, replacements: [] };
}

/** Commands of cast that people type, and their methods. */
const castCommands: ReadonlyMap<string, string> = new Map([
  ["balance", "eth_getBalance"],
  ["block", "eth_getBlockByNumber"],
  ["block-number", "eth_blockNumber"],
  ["chain-id", "eth_chainId"],
  ["code", "eth_getCode"],
  ["estimate", "eth_estimateGas"],
  ["gas-price", "eth_gasPrice"],
  ["nonce", "eth_getTransactionCount"],
  ["receipt", "eth_getTransactionReceipt"],
  ["run", "debug_traceTransaction"],
  ["storage", "eth_getStorageAt"],
  ["tx", "eth_getTransactionByHash"],
]);

/** The issue of a word of cast, or of a directive without its mark. */
function otherProgram(method: string): MethodIssue | undefined {
  const issue = { code: "unlisted", refuses: true } as const;
  if (method === "cast")
    return {
      ...issue,
      message: "cast is a program, not a method. Paste its whole command, and it becomes a line",
      replacements: [],
    };
  if (method === "give" || method === "secret")
    return {
      ...issue,
      message: `${method} is a directive. Write @${method}`,
      replacements: [{ title: `Write @${method}`, method: `@${method}` }],
    };
  const meant = castCommands.get(method);
  return meant === undefined
    ? undefined
    : {
        ...issue,
        message: `${method} is a command of cast. Its method is ${meant}`,
        replacements: [{ title: `Use ${meant}`, method: meant }],
      };
}

/** The first issue on several networks, preferably one that refuses the request. */
export function methodIssueOn(
  method: string,
  networks: readonly string[],
  allowed: ReadonlySet<string> = new Set(),
): MethodIssue | undefined {
  let first: MethodIssue | undefined;
  for (const network of networks) {
    const issue = methodIssue(method, network, allowed);
    if (issue?.refuses) return issue;
    first ??= issue;
  }
  return first;
}

/** Methods with a similar name. */
function closest(method: string): Replacement[] {
  return similar(method, methodNames).map((name) => ({ title: `Use ${name}`, method: name }));
}

const methodNames = catalog.map(({ name }) => name);

/** The price of a call: `1x · 20 credits`. */
export function tierText(method: string, network: string): string {
  if (network === localNetwork) return "free";
  const tier = rpcTier(method, network);
  if ("refused" in tier) return "refused";
  const base = /^(zksync|solana)-/.test(network) ? 30 : 20;
  return `${tier.multiplier}x · ${base * tier.multiplier} credits`;
}

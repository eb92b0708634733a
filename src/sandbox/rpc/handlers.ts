import type { Key } from "../auth.ts";
import { rpcCharge } from "../billing/charge.ts";
import { json, type Reply } from "../http/reply.ts";
import { Refusal } from "../refusal.ts";
import type { Handler, State } from "../state.ts";
import type { RpcProxy, RpcReply, RpcSpent } from "./proxy.ts";

/** What the proxy needs of a call. Its body is read by the proxy itself: the rules are the chain's, not the row's. */
export interface RpcCall {
  readonly input: unknown;
  readonly key: Key | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** All keys of the sandbox are one user's. */
const userId = "sandbox";

/** The chain routes of both dialects. */
export function rpcHandlers(proxy: RpcProxy) {
  return {
    "POST /crypto/rpc/{network}": (state: State, call: RpcCall): Promise<Reply> =>
      callChain(proxy, state, call),
    "GET /crypto/rpc/networks": (() => json({ networks: proxy.networks() })) satisfies Handler,
  };
}

/** What the ledger is told of a served request. */
export function chargeOf({ callerId, network, credits, usdPerCredit }: RpcSpent) {
  return rpcCharge({ keyId: callerId, network, credits, usdPerCredit });
}

async function callChain(proxy: RpcProxy, { dialect }: State, call: RpcCall): Promise<Reply> {
  const { key, requestId, signal } = call;
  if (!key) throw new Refusal(401, "Authentication failed");
  const input = call.input as { network: string; body: unknown; idempotencyKey?: string };
  const reply = await proxy.call({
    ...input,
    idempotencyKey: input.idempotencyKey,
    callerId: key.id,
    userId,
    requestId,
    signal,
  });
  return json(reply.body, costHeaders(dialect.rpcHeaderPrefix, reply));
}

function costHeaders(prefix: string, { credits, costUsd, replayed }: RpcReply): Record<string, string> {
  return {
    // Whatever the node sends (spec E3).
    "content-type": "application/json",
    [`${prefix}RPC-Credits`]: String(credits),
    [`${prefix}RPC-Cost-USD`]: costUsd,
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
  };
}

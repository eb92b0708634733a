import { rpcCharge } from "../billing/ledger/charge.ts";
import { json, type Reply } from "../http/reply.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../service.ts";
import type { ServiceCall, State } from "../state/state.ts";
import type { RpcProxy, RpcReply, RpcRequest, RpcSpent } from "./proxy.ts";

/** All keys of the sandbox belong to one user. A wallet is one of its own. */
const userId = "sandbox";

/** The chain routes of both dialects. The proxy has its own limits and validation. */
export function rpcServices(proxy: RpcProxy): Services {
  return {
    "POST /crypto/rpc/{network}": {
      handle: (state, call) => callChain(proxy, state, call),
      checksItself: true,
      limit: "own",
    },
    "GET /crypto/rpc/networks": { handle: () => json({ networks: proxy.networks() }) },
  };
}

/** The charge of a served request. */
export function chargeOf({ callerId, network, credits, usdPerCredit }: RpcSpent) {
  return rpcCharge({ keyId: callerId, network, credits, usdPerCredit });
}

async function callChain(proxy: RpcProxy, { dialect, wallets }: State, call: ServiceCall): Promise<Reply> {
  const { key, requestId, signal } = call;
  if (!key) throw new Refusal(401, "Authentication failed");
  const { network, body, idempotencyKey } = call.input as Pick<
    RpcRequest,
    "network" | "body" | "idempotencyKey"
  >;
  const reply = await proxy.call({
    network,
    body,
    idempotencyKey,
    callerId: key.id,
    userId: wallets.isWallet(key.id) ? key.id : userId,
    requestId,
    signal,
  });
  return json(reply.body, costHeaders(dialect.rpcHeaderPrefix, reply));
}

function costHeaders(prefix: string, { credits, costUsd, replayed }: RpcReply): Record<string, string> {
  return {
    // JSON in all cases (spec E3).
    "content-type": "application/json",
    [`${prefix}RPC-Credits`]: String(credits),
    [`${prefix}RPC-Cost-USD`]: costUsd,
    ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
  };
}

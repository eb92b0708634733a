import type { RpcAnswer, RpcItem } from "../../../api/endpoints/rpc.ts";
import type { RpcCall } from "../../../shared/rpcOutput.ts";

export type { RpcAnswer, RpcItem };

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Never sent again on its own, whatever happens: it moves money. */
  readonly once: boolean;
  /** The asker, for the session's ledger. */
  readonly caller?: string;
}

/** One HTTP request and what came back. */
export interface Sent extends Omit<RpcCall, "network" | "items"> {
  readonly answer: RpcAnswer | readonly RpcAnswer[];
}

/** Brings requests to a node: by way of the service, or to one on this machine. */
export interface Sender {
  /** Throws ApiError. */
  send(network: string, body: RpcItem | readonly RpcItem[], options: SendOptions): Promise<Sent>;
}

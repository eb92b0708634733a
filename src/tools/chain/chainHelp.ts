import type { RpcItem } from "../../api/endpoints/rpc.ts";

/** One call of a chain. */
export interface ChainCall {
  readonly network: string;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Decoded values by their paths in the reply, such as `result.gasUsed`. */
export type DecodedReply = Readonly<Record<string, string>>;

/** What the RPC notebook does for tools, which are below it. */
export interface ChainHelp {
  /** What is known of the values of a reply; empty if nothing is. Bounded. */
  decode(call: ChainCall, reply: unknown): Promise<DecodedReply>;
  /** False if no address is set for the network `local`. */
  hasLocalNode(): Promise<boolean>;
  /** Sends to the node on this machine: no key, no service, no price. Throws ApiError. */
  sendLocally(body: RpcItem, signal: AbortSignal): Promise<unknown>;
}

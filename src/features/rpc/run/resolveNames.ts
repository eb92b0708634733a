import { namesOfBatch } from "../estimate.ts";
import type { Round, RoundDeps, RoundTask } from "./round.ts";

/**
 * The addresses of the ENS names of a cell on one network, by one eth_call for 50 names. Throws if a name has none,
 * so that nothing else is sent; ApiError if a request fails.
 */
export async function resolveNames(
  deps: Pick<RoundDeps, "sender" | "loadEvm">,
  { plan, network, signal }: Pick<RoundTask, "plan" | "network" | "signal">,
  round: Round,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { names } = plan;
  if (names.length === 0) return found;
  const evm = await deps.loadEvm();
  for (let from = 0; from < names.length; from += namesOfBatch) {
    signal.throwIfAborted();
    const asked = names.slice(from, from + namesOfBatch);
    const params = [evm.encodeBatch(asked.map(evm.encodeResolve)), "latest"];
    const body = { jsonrpc: "2.0" as const, id: 1, method: "eth_call", params };
    const { answer, ...facts } = await deps.sender.send(network, body, { signal, once: false });
    round.calls.push({ network, items: 1, ...facts });
    const [one] = [answer].flat();
    if (one?.error)
      throw new Error(
        `The ENS names were not resolved: ${one.error.message ?? "the node gave no reason"}. Nothing else was sent`,
      );
    const replies = evm.decodeBatch(one?.result, asked.length);
    if (!replies)
      throw new Error(
        `${asked[0]} was not resolved, because ${network} has no contract Multicall3 at this node. Write its address. Nothing else was sent`,
      );
    asked.forEach((name, at) => {
      const reply = evm.decodeResolve(replies[at] ?? { success: false, returnData: "0x" });
      if ("reason" in reply)
        throw new Error(
          `${name} was not resolved on ${network}: ${reply.reason}. Correct the name or write its address. Nothing else was sent`,
        );
      found.set(name, reply.address);
    });
  }
  return found;
}

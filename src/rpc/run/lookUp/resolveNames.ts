import type { Evm } from "../../evm/evm.ts";
import { namesOfBatch } from "../plan/estimate.ts";
import type { Round, RoundDeps, RoundTask } from "../round.ts";

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
    const replies = await readBatch(deps, { network, signal }, round, asked.map(evm.encodeResolve));
    if ("reason" in replies)
      throw new Error(
        `${asked[0]} was not resolved, because ${replies.reason}. Write its address. Nothing else was sent`,
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

type ReadCall = ReturnType<Evm["encodeResolve"]>;
type Replies = NonNullable<ReturnType<Evm["decodeBatch"]>>;

/** Reads of contracts by one eth_call, or why there is no reply. Throws ApiError. */
export async function readBatch(
  deps: Pick<RoundDeps, "sender" | "loadEvm">,
  { network, signal }: Pick<RoundTask, "network" | "signal">,
  round: Round,
  reads: readonly ReadCall[],
): Promise<Replies | { readonly reason: string }> {
  const evm = await deps.loadEvm();
  const params = [evm.encodeBatch(reads, network), "latest"];
  const body = { jsonrpc: "2.0" as const, id: 1, method: "eth_call", params };
  const { answer, ...facts } = await deps.sender.send(network, body, { signal, once: false });
  round.calls.push({ network, items: 1, ...facts });
  const [one] = [answer].flat();
  if (one?.error) return { reason: `the node answered: ${one.error.message ?? "an error without a reason"}` };
  return (
    evm.decodeBatch(one?.result, reads.length) ?? {
      reason: `${network} has no contract Multicall3 at this node`,
    }
  );
}

import type { NodeProcess } from "../../../platform/process/anvil.ts";
import type { Chain } from "../chain.ts";
import { createNodeChain } from "./nodeChain.ts";
import { settleChain, settledMs } from "./settle.ts";

/** Real EVM nodes, one per network in use. */
export interface Nodes {
  /** Starts the network's node if none is running. Undefined if the binary can't run here. */
  of(slug: string, chainId: number): Promise<Chain | undefined>;
  /** Resolves when all have exited. */
  close(): Promise<void>;
}

/** Startup time limit in milliseconds. */
const startMs = 10_000;

interface Running {
  readonly node: NodeProcess;
  readonly chain: Chain;
}

export function createNodes(binary: string, now: () => number): Nodes {
  const running = new Map<string, Promise<Running | undefined>>();
  const closing = new AbortController();
  const start = (slug: string, chainId: number): Promise<Running | undefined> => {
    const started = startRunning(binary, chainId, now() - settledMs, closing.signal);
    running.set(slug, started);
    void started.then((value) => {
      // Removes a node that exited by itself. The next call starts another.
      value?.node.ended.addEventListener("abort", () => {
        if (running.get(slug) === started && !closing.signal.aborted) running.delete(slug);
        void value.node.close();
      });
    });
    return started;
  };
  return {
    async of(slug, chainId) {
      closing.signal.throwIfAborted();
      return (await (running.get(slug) ?? start(slug, chainId)))?.chain;
    },
    async close() {
      closing.abort();
      const all = await Promise.all(running.values());
      await Promise.all(all.map((one) => one?.node.close()));
    },
  };
}

/** Undefined if the node does not start. The chain is simulated then. */
async function startRunning(
  binary: string,
  chainId: number,
  genesisMs: number,
  signal: AbortSignal,
): Promise<Running | undefined> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const { startNode } = await import("../../../platform/process/anvil.ts");
  const node = await startNode(binary, { chainId, genesisMs }, deadline).catch(() => undefined);
  if (!node) return undefined;
  const chain = createNodeChain(node.port);
  try {
    await settleChain(chain, signal);
    return { node, chain };
  } catch {
    await node.close();
    return undefined;
  }
}

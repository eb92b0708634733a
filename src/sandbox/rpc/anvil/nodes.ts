import type { Chain } from "../chain.ts";
import { createNodeChain } from "./nodeChain.ts";
import { type NodeProcess, startNode } from "./nodeProcess.ts";
import { settleChain, settledMs } from "./settle.ts";

/** Real EVM nodes, one for each network that is asked for. */
export interface Nodes {
  /** Starts the network's node if none is running; undefined where the binary does not run here. */
  of(slug: string, chainId: number): Promise<Chain | undefined>;
  /** Ends all; resolves when they are gone. */
  close(): Promise<void>;
}

/** A binary that does not listen by then is no node. */
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
      // A node that ended of itself is cleared away, and the next call starts another.
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

/** Undefined when the node does not come up: the stand-in serves then. */
async function startRunning(
  binary: string,
  chainId: number,
  genesisMs: number,
  signal: AbortSignal,
): Promise<Running | undefined> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
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

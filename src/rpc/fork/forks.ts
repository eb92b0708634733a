import { createHostTransport } from "../../api/transport/host.ts";
import type { NodeProcess } from "../../platform/process/anvil.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { toQuantity } from "../../shared/rpc/hex.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import { createLocalSender, sendCalls } from "../run/senders.ts";
import type { StateOverrides } from "../simulate/balanceSlot.ts";
import {
  type AskNode,
  type AskNodes,
  diffTracer,
  type Effects,
  type Next,
  objectOf,
  refusalFrom,
  type SimulatedCall,
  simulate,
} from "../simulate/simulate.ts";
import { openForkProxy } from "./forkProxy.ts";
import { ForkState, readForkBlock } from "./forkState.ts";

/** Copies of networks in nodes on this machine. Each exists until the end of a run. */
export interface Forks {
  /**
   * Executes a transaction on the copy of a network, after those before it. `ask` sends to the network. Throws the
   * reason of `signal`, which also ends all copies. `given` is set once on each copy: later transactions see what is left.
   */
  simulate(
    network: string,
    call: SimulatedCall,
    ask: AskNodes,
    signal: AbortSignal,
    given?: StateOverrides,
  ): Promise<Effects | Next>;
  /** Resolves when all nodes have exited. */
  close(): Promise<void>;
}

/** The shared state of the simulations of one run. */
export interface Simulating {
  /** The methods that a network doesn't offer: `NETWORK METHOD`. */
  readonly unoffered: Set<string>;
  /** Absent if there is no anvil. */
  readonly forks?: Forks;
}

/** Time limits in milliseconds of the start of a node, and of a transaction. */
const startMs = 15_000;
const simulationMs = 60_000;

const zeroWord = `0x${"0".repeat(64)}`;

/** Nodes of one run. Each has a process. */
const mostForks = 8;

/** A running copy of a network. */
interface Fork {
  readonly state: ForkState;
  readonly ask: (signal: AbortSignal) => AskNode;
  /** The transaction whose changes the next one sees. */
  before?: SimulatedCall;
  /** The balances that the fork was given, as JSON. */
  readonly given: Set<string>;
  close(): Promise<void>;
}

/** Copies networks by this anvil. */
export function createForks(binary: string): Forks {
  const forks = new Map<string, Promise<Fork>>();
  /** The reasons that networks have no copy, or none any more. */
  const reasons = new Map<string, string>();
  const closing = new AbortController();
  const close = async () => {
    closing.abort(new Error("the run has ended"));
    await Promise.allSettled([...forks.values()].map(async (fork) => (await fork).close()));
  };
  const forkOf = (network: string, ask: AskNodes) => {
    const started = forks.get(network);
    if (started) return started;
    if (forks.size >= mostForks) throw new Error(`a run copies at most ${mostForks} networks`);
    const fork = startFork(binary, ask, closing.signal);
    forks.set(network, fork);
    return fork;
  };
  return {
    async simulate(network, call, ask, signal, given = {}) {
      const reason = reasons.get(network);
      if (reason !== undefined) return { next: reason };
      signal.addEventListener("abort", () => void close(), { once: true });
      const limit = AbortSignal.timeout(simulationMs);
      const ending = AbortSignal.any([signal, closing.signal, limit]);
      try {
        const fork = await untilAborted(forkOf(network, ask), ending);
        return await untilAborted(executeOn(fork, call, ask, ending, given), ending);
      } catch (error) {
        signal.throwIfAborted();
        const why = limit.aborted ? `it took more than ${simulationMs / 1000} s` : messageOf(error);
        const next = `Anvil could not fork the network: ${why}`;
        reasons.set(network, next);
        // The state of its transactions is not complete.
        void forks.get(network)?.then((fork) => fork.close(), ignore);
        return { next };
      }
    },
    close,
  };
}

async function startFork(binary: string, ask: AskNodes, closing: AbortSignal): Promise<Fork> {
  const block = await readForkBlock(ask);
  closing.throwIfAborted();
  const state = new ForkState(block);
  const proxy = await openForkProxy((method, params) => state.answer(method, params));
  const limit = AbortSignal.timeout(startMs);
  try {
    const chain = { chainId: Number(block.chainId), fork: { url: proxy.url, block: block.number } };
    const { startNode } = await import("../../platform/process/anvil.ts");
    const node = await startNode(binary, chain, AbortSignal.any([closing, limit]));
    return {
      state,
      given: new Set(),
      ask: (signal) => askLocal(node, signal),
      async close() {
        proxy.close();
        await node.close();
      },
    };
  } catch (error) {
    proxy.close();
    if (limit.aborted) throw new Error(`it did not start in ${startMs / 1000} s`);
    throw error;
  }
}

function askLocal({ port, ended }: NodeProcess, signal: AbortSignal): AskNode {
  const sender = createLocalSender(createHostTransport(), () => `http://127.0.0.1:${port}`);
  const ending = AbortSignal.any([signal, ended]);
  return async (method, params) => {
    const { replies } = await sendCalls(sender, localNetwork, [{ method, params }], ending);
    return replies[0] ?? { error: { code: 0, message: "no response" } };
  };
}

async function executeOn(
  fork: Fork,
  call: SimulatedCall,
  ask: AskNodes,
  signal: AbortSignal,
  given: StateOverrides,
): Promise<Effects> {
  const { state } = fork;
  const node = fork.ask(signal);
  await state.begin(call, ask);
  try {
    if (fork.before) await applyChanges(fork.before, node);
    delete fork.before;
    await applyGiven(fork, given, node);
    const found = await simulate(call, node);
    if (state.failure !== undefined) throw new Error(state.failure);
    if ("reason" in found) throw new Error(found.reason);
    if (found.status === "success") fork.before = call;
    return { ...found, method: "a forked anvil" };
  } finally {
    state.end();
  }
}

async function applyGiven(fork: Fork, given: StateOverrides, ask: AskNode): Promise<void> {
  const set = async (method: string, params: readonly unknown[]) => {
    const key = JSON.stringify(params.slice(0, -1));
    if (fork.given.has(key)) return;
    fork.given.add(key);
    const reply = await ask(method, params);
    if ("error" in reply) throw new Error(refusalFrom(method, reply.error));
  };
  for (const [account, { balance, stateDiff = {} }] of Object.entries(given)) {
    if (balance !== undefined) await set("anvil_setBalance", [account, balance]);
    for (const [slot, word] of Object.entries(stateDiff))
      await set("anvil_setStorageAt", [account, slot, word]);
  }
}

/** Changes the state as a transaction does. A block would read contracts of the network that no transaction uses. */
async function applyChanges(call: SimulatedCall, ask: AskNode): Promise<void> {
  const asked = async (method: string, params: readonly unknown[]) => {
    const reply = await ask(method, params);
    if ("error" in reply) throw new Error(refusalFrom(method, reply.error));
    return reply.result;
  };
  const traced = await asked("debug_traceCall", [call, "latest", diffTracer]);
  const { pre, post } = objectOf(traced) ?? {};
  for (const [account, changed] of Object.entries(objectOf(post) ?? {})) {
    const { balance, nonce, code, storage } = objectOf(changed) ?? {};
    const before = objectOf(objectOf(objectOf(pre)?.[account])?.storage);
    // A slot that becomes zero is only in `pre`.
    const cleared = Object.keys(before ?? {}).map((slot): [string, unknown] => [slot, zeroWord]);
    const slots = { ...Object.fromEntries(cleared), ...objectOf(storage) };
    if (balance !== undefined) await asked("anvil_setBalance", [account, balance]);
    if (nonce !== undefined) await asked("anvil_setNonce", [account, toQuantity(Number(nonce))]);
    if (code !== undefined) await asked("anvil_setCode", [account, code]);
    for (const [slot, word] of Object.entries(slots))
      await asked("anvil_setStorageAt", [account, slot, word]);
  }
}

function ignore(): void {}

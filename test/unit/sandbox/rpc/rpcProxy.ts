import assert from "node:assert/strict";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { type Chains, createChains } from "../../../../src/sandbox/rpc/chains.ts";
import {
  createRpcProxy,
  type RpcProxyOptions,
  type RpcRequest,
  type RpcSpent,
} from "../../../../src/sandbox/rpc/proxy.ts";
import { type Clock, createClock } from "../clock.ts";

/** A proxy before the simulated chains that counts requests, and delays them while `gate` is set. */
export interface Bench {
  readonly clock: Clock;
  readonly spent: readonly RpcSpent[];
  /** Requests that reached a chain. */
  reached(): number;
  /** Holds all replies until the returned function is called. */
  hold(): () => void;
  call(body: unknown, more?: Partial<RpcRequest>): ReturnType<ReturnType<typeof createRpcProxy>["call"]>;
  readonly proxy: ReturnType<typeof createRpcProxy>;
}

export function openProxy(options: Partial<RpcProxyOptions> = {}): Bench {
  const clock = createClock();
  const spent: RpcSpent[] = [];
  const chains = createChains({ now: clock.now, nodeBinary: undefined });
  let reached = 0;
  let gate: Promise<void> | undefined;
  const counted: Chains = {
    ...chains,
    async of(network) {
      const chain = await chains.of(network);
      return {
        async answer(calls, signal) {
          reached++;
          await gate;
          signal.throwIfAborted();
          return chain.answer(calls, signal);
        },
      };
    },
  };
  const proxy = createRpcProxy({
    dialect: "standard",
    now: clock.now,
    chains: counted,
    enforced: true,
    onSpent: (each) => spent.push(each),
    ...options,
  });
  return {
    clock,
    spent,
    proxy,
    reached: () => reached,
    hold() {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return () => {
        gate = undefined;
        held.resolve();
      };
    },
    call: (body, more = {}) =>
      proxy.call({
        network: "ethereum-mainnet",
        body,
        idempotencyKey: undefined,
        callerId: "caller",
        userId: "user",
        requestId: "request",
        signal: new AbortController().signal,
        ...more,
      }),
  };
}

export function item(method: string, params?: readonly unknown[], id: string | number = 1): object {
  return { jsonrpc: "2.0", method, ...(params ? { params } : {}), id };
}

/** The refusal of a call. */
export async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error;
  }
  assert.fail("It was let through");
}

/** Asserts that a call is refused with this status. */
export async function refusedWith(
  status: number,
  promise: Promise<unknown>,
  message?: RegExp,
): Promise<void> {
  const { status: given, message: said } = await refusal(promise);
  assert.equal(given, status, said);
  if (message) assert.match(said, message);
}

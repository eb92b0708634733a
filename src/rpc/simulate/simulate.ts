import { type AskNode, isVerdict, type NodeError, objectOf, quantityOf, refusalFrom } from "./answers.ts";
import type { StateOverrides } from "./balanceSlot.ts";
import {
  type CallFrame,
  type Effects,
  logsOfFrame,
  readDiff,
  readLogs,
  withoutTransfers,
} from "./effects.ts";

export {
  type AskNode,
  type AskNodes,
  type NodeCall,
  type NodeReply,
  objectOf,
  quantityOf,
  refusalFrom,
} from "./answers.ts";
export { type Effects, transferTopic } from "./effects.ts";
export { type Decoders, toSimulation } from "./toSimulation.ts";

/** The arguments of a call, as JSON-RPC takes them: quantities and bytes are hex. */
export interface SimulatedCall {
  readonly from?: string;
  readonly to?: string;
  readonly value?: string;
  readonly input?: string;
  readonly gas?: string;
  readonly accessList?: unknown;
}

/** Methods in the order of trying, with the requests of each. The price of a simulation is at most the price of all. */
export const simulationMethods = [
  "eth_simulateV1",
  "debug_traceCall",
  "debug_traceCall",
  "eth_call",
  "eth_estimateGas",
] as const;

/** True for the writes that can be simulated: transactions of EVM chains. */
export function isSimulated(method: string): boolean {
  return method === "eth_sendRawTransaction" || method === "eth_sendTransaction";
}

/** Calls that a forked node may cause for one transaction, and one of them. They all have its price. */
export const mostForkCalls = 100;
export const forkRead = "eth_getStorageAt";

/**
 * True if the EVM of Ethereum executes a network's transactions as the network does. Others have contracts or prices
 * of gas of their own.
 */
export function canFork(network: string): boolean {
  return !/^(?:arbitrum|robinhood|zksync|solana|starknet)-/.test(network);
}

/** Executes a call on a copy of the network. */
export type SimulateOnFork = (call: SimulatedCall, state: StateOverrides) => Promise<Effects | Next>;

/**
 * Executes a call on the newest state without sending it, by the first method that is offered. `state` differs from that
 * of the chain.
 */
export async function simulate(
  call: SimulatedCall,
  ask: AskNode,
  onFork?: SimulateOnFork,
  state: StateOverrides = {},
): Promise<Effects | { readonly reason: string }> {
  const reasons = new Set<string>();
  const first = await bySimulateV1(call, ask, state);
  if (!("next" in first)) return first;
  reasons.add(first.next);
  const forked = await onFork?.(call, state);
  if (forked && !("next" in forked)) return forked;
  if (forked) reasons.add(forked.next);
  for (const by of [byTraces, byCall]) {
    const found = await by(call, ask, state);
    if (!("next" in found)) return forked ? { ...found, notForked: forked.next } : found;
    reasons.add(found.next);
  }
  return { reason: `The node can't simulate this transaction: ${[...reasons].join("; ")}` };
}

/** The reason that a method gives no result, so that the next one is tried. */
export interface Next {
  readonly next: string;
}

/** The tracer of changes: `pre` and `post` are what changed, by account. */
export const diffTracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
const notChecked = "whether the nonce is the next one and the balance covers the fee";

/** The options of a tracer. */
function tracing(options: object, state: StateOverrides): object {
  return isEmpty(state) ? options : { ...options, stateOverrides: state };
}

function isEmpty(state: StateOverrides): boolean {
  return Object.keys(state).length === 0;
}

async function bySimulateV1(
  call: SimulatedCall,
  ask: AskNode,
  state: StateOverrides,
): Promise<Effects | Next> {
  const method = "eth_simulateV1";
  const changed = isEmpty(state) ? {} : { stateOverrides: state };
  const options = {
    blockStateCalls: [{ ...changed, calls: [call] }],
    traceTransfers: true,
    validation: false,
  };
  const reply = await ask(method, [options, "latest"]);
  if ("error" in reply)
    return isVerdict(reply.error)
      ? failed(method, reply.error, [notChecked])
      : { next: refusalFrom(method, reply.error) };
  const [block] = Array.isArray(reply.result) ? reply.result : [];
  const calls = objectOf(block)?.calls;
  const made = objectOf(Array.isArray(calls) ? calls[0] : undefined);
  const gasUsed = quantityOf(made?.gasUsed);
  if (!made || gasUsed === undefined || !/^0x[01]$/.test(String(made.status)))
    return { next: `${method}: the response has another form` };
  if (made.status === "0x0") {
    const error = objectOf(made.error) ?? {};
    const data = [made.returnData, error.data].find((one) => typeof one === "string" && one.length > 2);
    const message = String(error.message ?? "execution reverted");
    return { ...failed(method, { code: 3, message, data }, [notChecked]), gasUsed };
  }
  const { logs, balances } = withoutTransfers(readLogs(made.logs));
  const stored = runsNoCode(call, gasUsed)
    ? { storage: [] }
    : await storageBeside(balances, call, ask, state);
  const done = { method, status: "success", gasUsed, logs, balances } as const;
  return "storage" in stored
    ? { ...done, ...stored, unknown: [notChecked] }
    : { ...done, unknown: [stored.unknown, notChecked] };
}

/** True for a transfer with the gas of a transaction that executes nothing. */
function runsNoCode({ input = "0x" }: SimulatedCall, gasUsed: bigint): boolean {
  return input === "0x" && gasUsed === 21_000n;
}

/** The storage changes, which eth_simulateV1 does not give. Never throws, so that what it gave is kept. */
async function storageBeside(
  balances: ReadonlyMap<string, bigint>,
  call: SimulatedCall,
  ask: AskNode,
  state: StateOverrides,
): Promise<Required<Pick<Effects, "storage">> | { readonly unknown: string }> {
  try {
    const compared = await ask("debug_traceCall", [call, "latest", tracing(diffTracer, state)]);
    if ("error" in compared) return { unknown: "storage changes" };
    const diff = readDiff(compared.result);
    // A block in between may change the outcome.
    const isSame =
      diff?.balances.size === balances.size &&
      [...balances].every(([account, change]) => diff.balances.get(account) === change);
    return isSame
      ? { storage: diff.storage }
      : { unknown: "storage changes (debug_traceCall has another result)" };
  } catch {
    return { unknown: "storage changes (debug_traceCall failed)" };
  }
}

async function byTraces(call: SimulatedCall, ask: AskNode, state: StateOverrides): Promise<Effects | Next> {
  const method = "debug_traceCall";
  const traced = await ask(method, [
    call,
    "latest",
    tracing({ tracer: "callTracer", tracerConfig: { withLog: true } }, state),
  ]);
  if ("error" in traced)
    return isVerdict(traced.error)
      ? failed(method, traced.error, [notChecked])
      : { next: refusalFrom(method, traced.error) };
  const frame = objectOf(traced.result) as CallFrame | undefined;
  const gasUsed = quantityOf(frame?.gasUsed);
  if (!frame || gasUsed === undefined) return { next: `${method}: the response has another form` };
  if (frame.error !== undefined) {
    const error = { code: 3, message: String(frame.error), data: frame.output };
    return { ...failed(method, error, [notChecked]), gasUsed };
  }
  const logs = logsOfFrame(frame);
  const done = { method, status: "success", gasUsed, logs } as const;
  const compared = await ask(method, [call, "latest", tracing(diffTracer, state)]);
  const diff = "error" in compared ? undefined : readDiff(compared.result);
  return diff
    ? { ...done, ...diff, unknown: [notChecked] }
    : { ...done, unknown: ["balance and storage changes", notChecked] };
}

async function byCall(call: SimulatedCall, ask: AskNode, state: StateOverrides): Promise<Effects | Next> {
  const method = "eth_call";
  const unknown = ["logs, balance changes, token transfers and storage changes", notChecked];
  const changed = isEmpty(state) ? [] : [state];
  const called = await ask(method, [call, "latest", ...changed]);
  if ("error" in called)
    return isVerdict(called.error)
      ? failed(method, called.error, ["the gas used", ...unknown])
      : { next: refusalFrom(method, called.error) };
  const estimated = await ask("eth_estimateGas", isEmpty(state) ? [call] : [call, "latest", state]);
  const gasUsed = "error" in estimated ? undefined : quantityOf(estimated.result);
  return gasUsed === undefined
    ? { method, status: "success", unknown: ["the gas used", ...unknown] }
    : { method, status: "success", gasUsed, isGasEstimate: true, unknown };
}

function failed(
  method: Effects["method"],
  { code, message, data }: NodeError,
  unknown: readonly string[],
): Effects {
  const isRevert = code === 3 || /revert/i.test(message);
  const inner = objectOf(data)?.data ?? data;
  const hex = typeof inner === "string" ? /0x(?:[0-9a-f]{2})+/i.exec(inner)?.[0] : undefined;
  return {
    method,
    status: isRevert ? "reverted" : "refused",
    message,
    unknown,
    ...(hex === undefined ? {} : { revertData: hex }),
  };
}

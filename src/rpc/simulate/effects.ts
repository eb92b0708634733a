import { withoutZeros } from "../../shared/money/exact.ts";
import type { RpcSimulation, RpcStorageChange } from "../output/rpcOutput.ts";
import { objectOf, quantityOf } from "./answers.ts";

/** A log of a simulated call. */
export interface SimulatedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The effects of a call before they are decoded. A part that the method can't tell is undefined. */
export interface Effects extends Pick<RpcSimulation, "status" | "method" | "unknown" | "notForked"> {
  readonly gasUsed?: bigint;
  readonly isGasEstimate?: true;
  /** Bytes of the revert. */
  readonly revertData?: string;
  /** The node's own words for a failure. */
  readonly message?: string;
  readonly logs?: readonly SimulatedLog[];
  /** Wei by account, without the fee. */
  readonly balances?: ReadonlyMap<string, bigint>;
  readonly storage?: RpcSimulation["storage"];
}

/** Topic of Transfer(address,address,uint256). */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** The contract that eth_simulateV1 names for transfers of the chain's own coin. */
const coinAddress = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** The logs of a list; entries of another form are left out. */
export function readLogs(value: unknown): SimulatedLog[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    const { address, topics, data = "0x" } = objectOf(one) ?? {};
    const isLog = typeof address === "string" && typeof data === "string" && Array.isArray(topics);
    return isLog ? [{ address: address.toLowerCase(), topics: topics.map(String), data }] : [];
  });
}

/** Splits the logs of eth_simulateV1 into those of contracts and the changes of balances. */
export function withoutTransfers(
  logs: readonly SimulatedLog[],
): Required<Pick<Effects, "logs" | "balances">> {
  const balances = new Map<string, bigint>();
  const add = (topic: string | undefined, value: bigint) => {
    const account = addressIn(topic);
    if (account) balances.set(account, (balances.get(account) ?? 0n) + value);
  };
  const own = logs.filter(({ address, topics: [topic, from, to], data }) => {
    if (address !== coinAddress || topic !== transferTopic) return true;
    const value = quantityOf(data) ?? 0n;
    add(from, -value);
    add(to, value);
    return false;
  });
  return { logs: own, balances: withoutZeros(balances) };
}

/** The address in a topic. */
export function addressIn(topic: string | undefined): string | undefined {
  return topic && /^0x0{24}[0-9a-f]{40}$/i.test(topic) ? `0x${topic.slice(26).toLowerCase()}` : undefined;
}

/** A call of callTracer. */
export interface CallFrame {
  readonly gasUsed?: unknown;
  readonly error?: unknown;
  readonly output?: unknown;
  readonly logs?: unknown;
  readonly calls?: unknown;
}

/** The logs of a call and of those it made, in the order of the chain. Reverted calls have none. */
export function logsOfFrame(frame: CallFrame): SimulatedLog[] {
  if (frame.error !== undefined) return [];
  const calls: readonly unknown[] = Array.isArray(frame.calls) ? frame.calls : [];
  const logs: readonly unknown[] = Array.isArray(frame.logs) ? frame.logs : [];
  const found: SimulatedLog[] = [];
  let next = 0;
  const callsUntil = (position: number) => {
    for (; next < calls.length && next < position; next++)
      for (const log of logsOfFrame(objectOf(calls[next]) ?? {})) found.push(log);
  };
  for (const log of logs) {
    // The number of calls that were made before this log.
    callsUntil(Number(quantityOf(objectOf(log)?.position) ?? objectOf(log)?.position ?? 0));
    found.push(...readLogs([log]));
  }
  callsUntil(calls.length);
  return found;
}

const zeroWord = `0x${"0".repeat(64)}`;

/** The difference of prestateTracer; undefined if it has another form. */
export function readDiff(value: unknown): Required<Pick<Effects, "balances" | "storage">> | undefined {
  const { pre, post } = objectOf(value) ?? {};
  const [before, after] = [objectOf(pre), objectOf(post)];
  if (!before || !after) return undefined;
  const balances = new Map<string, bigint>();
  const storage: RpcStorageChange[] = [];
  for (const account of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before, after].map((all) => objectOf(all[account]) ?? {});
    const had = quantityOf(old?.balance) ?? 0n;
    // A balance that stays is only in `pre`; an account that is deleted has no part in `post`.
    const isGone = !Object.hasOwn(after, account);
    const has = isGone ? 0n : (quantityOf(now?.balance) ?? had);
    balances.set(account.toLowerCase(), has - had);
    const [oldSlots, nowSlots] = [old, now].map((one) => objectOf(one?.storage) ?? {});
    for (const slot of new Set([...Object.keys(oldSlots ?? {}), ...Object.keys(nowSlots ?? {})])) {
      const [was, is] = [oldSlots, nowSlots].map((slots) => String(slots?.[slot] ?? zeroWord));
      storage.push({ account, slot, before: was ?? zeroWord, now: is ?? zeroWord });
    }
  }
  return { balances: withoutZeros(balances), storage };
}

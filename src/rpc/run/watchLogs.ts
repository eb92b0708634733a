import { isApiError } from "../../api/errors/errors.ts";
import { isMembers } from "../../shared/members.ts";
import { toQuantity } from "../../shared/rpc/hex.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { isObject, type JsonObject } from "../output/json.ts";
import type { Json } from "../output/rpcOutput.ts";
import type { Item, LineState, Round } from "./round.ts";
import type { RpcAnswer } from "./senders.ts";

/** Blocks that each poll asks for again, because a reorganization may replace them. */
const overlap = 12n;
/** Logs of a line that are kept. The oldest are dropped. */
export const mostWatched = 10_000;
/** Failed polls in a row that end the watch. */
const mostFailures = 5;
const longestPauseMs = 300_000;

interface Watched {
  readonly start: bigint | undefined;
  /** The first block of the current poll; undefined for the first. */
  from?: bigint;
  head?: bigint;
  /** By block and index, oldest first. */
  readonly logs: Map<string, JsonObject>;
  dropped: number;
}

/** The logs that the polls of a cell with `@watch logs` have found, newest first. */
export class LogWatch {
  /** By network and line. */
  readonly #lines = new Map<string, Watched>();
  #failures = 0;

  /** The request of the next poll: from the block after the last poll, and some blocks before it again. */
  narrow(network: string, item: Item): Item {
    const watched = this.#lines.get(keyOf(network, item.at));
    if (!watched || item.method !== "eth_getLogs") return item;
    const [filter, ...rest] = item.params ?? [];
    const from = nextBlock(watched);
    if (!isMembers(filter) || "blockHash" in filter || from === undefined) return item;
    const end = toBlockNumber(filter.toBlock);
    watched.from = end !== undefined && end < from ? end : from;
    return { ...item, params: [{ ...filter, fromBlock: toQuantity(watched.from) }, ...rest] };
  }

  /** Adds the answers of a poll and returns them with all logs. Logs that are no longer on the chain have `removed`. */
  merge(
    network: string,
    items: readonly Item[],
    answers: readonly (RpcAnswer | undefined)[],
    head: bigint | undefined,
  ): (RpcAnswer | undefined)[] {
    return items.map((item, at) => {
      const answer = answers[at];
      if (item.method !== "eth_getLogs" || answer?.error || !Array.isArray(answer?.result)) return answer;
      const key = keyOf(network, item.at);
      const known = this.#lines.get(key);
      const watched: Watched = known ?? { start: startOf(item, head), logs: new Map(), dropped: 0 };
      this.#lines.set(key, watched);
      if (head !== undefined) watched.head = head;
      add(watched, answer.result.filter(isObject));
      this.#failures = 0;
      return { ...answer, result: newestFirst(watched) };
    });
  }

  /** Fills the lines of a round with the logs so far, so that a failed or stopped poll loses none. */
  fill(round: Round): void {
    round.lines.forEach((_, at) => {
      const known = this.#shown(round.network, at);
      if (known) round.lines[at] = known;
    });
  }

  /** Puts the logs so far in the place of the error of a poll, with a note. */
  keep(round: Round): void {
    round.lines.forEach((state, at) => {
      const known = state.outcome.kind === "error" ? this.#shown(round.network, at) : undefined;
      if (!known || state.outcome.kind !== "error") return;
      this.#failures++;
      const note = `The last poll failed, and the next one waits longer: ${state.outcome.message}`;
      round.lines[at] = { ...state, ...known, note };
    });
  }

  /** True if the watch goes on after a failed request. */
  goesOn(error: unknown): boolean {
    const isPassing = isApiError(error) && passing.has(error.kind);
    return this.#lines.size > 0 && isPassing && ++this.#failures < mostFailures;
  }

  /** The time to the next poll: longer after each failure in a row. */
  pauseMs(everyMs: number): number {
    return Math.max(everyMs, Math.min(longestPauseMs, everyMs * 2 ** this.#failures));
  }

  #shown(network: string, at: number): LineState | undefined {
    const watched = this.#lines.get(keyOf(network, at));
    if (!watched) return undefined;
    const { dropped } = watched;
    return {
      outcome: { kind: "result", value: newestFirst(watched) },
      ...(dropped > 0
        ? { note: `Only the newest ${mostWatched} logs are kept. ${dropped} older ones were dropped.` }
        : {}),
    };
  }
}

function keyOf(network: string, at: number): string {
  return `${network}/${at}`;
}

const passing: ReadonlySet<string> = new Set(["network", "timed-out", "rate-limited", "unavailable"]);

function newestFirst({ logs }: Watched): readonly Json[] {
  return [...logs.values()].reverse();
}

function nextBlock({ start, head, logs }: Watched): bigint | undefined {
  const last = head ?? toBlockNumber([...logs.values()].at(-1)?.blockNumber);
  if (last === undefined) return undefined;
  const from = last + 1n - overlap;
  const least = start ?? 0n;
  return from > least ? from : least;
}

/** The first block of the watch: as written, else the newest block of the first poll. */
function startOf({ params = [] }: Item, head: bigint | undefined): bigint | undefined {
  const [filter] = params;
  const written = isMembers(filter) ? filter.fromBlock : undefined;
  if (written === "earliest" || written === "safe" || written === "finalized") return undefined;
  return toBlockNumber(written) ?? head;
}

/** Adds new logs, replaces those that are known, and marks those that the node no longer has. */
function add(watched: Watched, found: readonly JsonObject[]): void {
  const { logs, from, head } = watched;
  const seen = new Set<string>();
  for (const log of found) {
    const key = log.blockHash ? exactJsonText([log.blockHash, log.logIndex]) : exactJsonText(log);
    seen.add(key);
    logs.set(key, log);
  }
  for (const [key, log] of logs) {
    const block = toBlockNumber(log.blockNumber);
    const isAsked =
      from !== undefined && head !== undefined && block !== undefined && block >= from && block <= head;
    if (isAsked && !seen.has(key) && log.removed !== true) logs.set(key, { ...log, removed: true });
  }
  for (const key of logs.keys()) {
    if (logs.size <= mostWatched) break;
    logs.delete(key);
    watched.dropped++;
  }
}

function toBlockNumber(value: unknown): bigint | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}

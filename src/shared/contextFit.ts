/** Size of a message in a request. */
export interface Load {
  /** True if a turn begins with it. Only whole turns are dropped. */
  readonly isQuestion: boolean;
  readonly tokens: number;
  readonly bytes: number;
}

export interface Room {
  /** Undefined if the model does not state it. */
  readonly tokens: number | undefined;
  readonly bytes: number;
}

export interface Fit {
  /** The number of the oldest messages that are dropped. */
  readonly dropped: number;
  /** Of the messages that are sent. */
  readonly tokens: number;
  readonly bytes: number;
  /** The limit that the last turn exceeds on its own. */
  readonly over: "tokens" | "bytes" | null;
}

/** Tokens of the context that are reserved for the answer, at most. */
const answerTokens = 4096;
/** Share of a small context that is reserved for the answer. */
const answerShare = 0.25;

/** Tokens of a context that the prompt may fill. */
export function promptRoom(contextTokens: number | undefined): number | undefined {
  return contextTokens && contextTokens - Math.min(answerTokens, Math.floor(contextTokens * answerShare));
}

/** Bytes of the largest request body (wire.md section 3), less those around the messages. */
export const requestBytes = 34 * 1024 * 1024;

/** Drops the oldest turns until the rest fits. The last turn is never dropped. */
export function fitContext(loads: readonly Load[], room: Room): Fit {
  const maxTokens = room.tokens ?? Number.POSITIVE_INFINITY;
  const isWithin = (tokens: number, bytes: number) => tokens <= maxTokens && bytes <= room.bytes;
  let [tokens, bytes] = [0, 0];
  let best: Fit = { dropped: 0, tokens: 0, bytes: 0, over: null };
  let isLastTurn = true;
  for (let at = loads.length - 1; at >= 0; at--) {
    const load = loads[at] as Load;
    tokens += load.tokens;
    bytes += load.bytes;
    if (!load.isQuestion && at > 0) continue;
    const fits = isWithin(tokens, bytes);
    if (!isLastTurn && !fits) break;
    best = { dropped: at, tokens, bytes, over: fits ? null : tokens > maxTokens ? "tokens" : "bytes" };
    isLastTurn = false;
    if (!fits) break;
  }
  return best;
}

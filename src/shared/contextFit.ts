/** What a message of the path weighs in a request. */
export interface Load {
  /** Whether a turn begins with it: what is left out ends before one. */
  readonly isQuestion: boolean;
  readonly tokens: number;
  readonly bytes: number;
}

export interface Room {
  /** Undefined where the model does not say. */
  readonly tokens: number | undefined;
  readonly bytes: number;
}

export interface Fit {
  /** How many of the oldest messages are left out. */
  readonly dropped: number;
  /** Of the messages that are sent. */
  readonly tokens: number;
  readonly bytes: number;
  /** What even the last turn alone has too much of. */
  readonly over: "tokens" | "bytes" | null;
}

/** The most of an answer that room is kept for, in tokens. */
const answerTokens = 4096;
/** A model with a small context keeps this share of it for the answer. */
const answerShare = 0.25;

/** The tokens of a context that the question and what goes before it may fill. */
export function promptRoom(contextTokens: number | undefined): number | undefined {
  return contextTokens && contextTokens - Math.min(answerTokens, Math.floor(contextTokens * answerShare));
}

/** Bytes of the largest request body (wire.md section 3), less what stands around the messages. */
export const requestBytes = 34 * 1024 * 1024;

/** Leaves out the oldest turns until the rest fits; the last turn always stays. */
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

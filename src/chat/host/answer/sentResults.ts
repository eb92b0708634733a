import type { AnswerMessage, Message, ToolCallCard } from "../../protocol/chatMessages.ts";
import { handleOf } from "../tools/results/keptResults.ts";
import { maxSentTokens, type SentParts, sentResult, shrunkResult } from "../tools/results/resultText.ts";
import { promptRoom } from "./promptRoom.ts";

/** Shares of the room of a prompt that one result may fill, and all results of one round. */
const resultShare = 0.2;
const roundShare = 0.4;
const minSentTokens = 1_000;
/** Of a result of a round with many. */
const minSharedTokens = 300;

/**
 * The most tokens of one result that a model is sent, by the size of its context and the number of calls in the round.
 * Without this limit the results of one round could fill a small context, and the task would be summarised in each round.
 */
export function sentResultTokens(contextTokens: number | undefined, count = 1): number {
  const room = promptRoom(contextTokens);
  if (room === undefined) return maxSentTokens;
  const one = Math.min(maxSentTokens, Math.max(minSentTokens, Math.floor(room * resultShare)));
  return Math.min(one, Math.max(minSharedTokens, Math.floor((room * roundShare) / count)));
}

/** Older results shrink once a request fills this share of the room: before the task is summarised. */
const fullShare = 0.6;
/** They shrink if that frees this share of the room, so that the prompt cache is lost rarely. */
const freedShare = 0.1;
/** The results of the last rounds stay: of fewer if the context would be nearly full with them. */
const keptRounds = 3;
const nearlyFullShare = 0.75;
/** Smaller results stay as they are. In characters. */
const minShrunkLength = 2_000;

export interface SentSizes {
  readonly contextTokens: number | undefined;
  /** Sent besides the messages: the system prompt and the tools. */
  readonly fixed: number;
  readonly tokensOf: (message: Message) => number;
}

/**
 * A path with the results of its calls as they are sent: long ones cut, and older ones shrunk to their handles while the
 * context is nearly full. It follows from the path alone, whose requests are gone through in their order, so that each
 * request begins with the one before it until the next step.
 */
export function withSentResults(
  path: readonly Message[],
  { contextTokens, fixed, tokensOf }: SentSizes,
): readonly Message[] {
  const cut = path.map((message) =>
    hasCalls(message) ? cutOf(message, sentResultTokens(contextTokens, message.calls.length)) : message,
  );
  const room = promptRoom(contextTokens);
  if (room === undefined) return cut;
  const steps = new ShrunkPath(cut, tokensOf, room);
  let tokens = fixed;
  for (const [index, message] of cut.entries()) {
    if (message.role === "assistant" && tokens > room * fullShare)
      tokens -= steps.shrinkBefore(index, keptRounds);
    for (let kept = keptRounds - 1; kept > 0; kept--)
      if (message.role === "assistant" && tokens > room * nearlyFullShare)
        tokens -= steps.shrinkBefore(index, kept);
    tokens += tokensOf(message);
  }
  return steps.path;
}

/** The path while older results shrink. */
class ShrunkPath {
  readonly #path: readonly Message[];
  readonly #tokensOf: SentSizes["tokensOf"];
  readonly #room: number;
  /** The number of the oldest messages whose results are shrunk. */
  #shrunk = 0;

  constructor(path: readonly Message[], tokensOf: SentSizes["tokensOf"], room: number) {
    this.#path = path;
    this.#tokensOf = tokensOf;
    this.#room = room;
  }

  get path(): readonly Message[] {
    return this.#path.map((message, index) =>
      index < this.#shrunk && hasCalls(message) ? shrunkOf(message) : message,
    );
  }

  /** Shrinks the results before the last rounds of a request, if that frees enough. Returns the freed tokens. */
  shrinkBefore(end: number, kept: number): number {
    const rounds = this.#path.slice(0, end).flatMap((message, index) => (hasCalls(message) ? [index] : []));
    const until = Math.max(this.#shrunk, rounds.at(-kept) ?? 0);
    const freed = this.#path
      .slice(this.#shrunk, until)
      .filter(hasCalls)
      .reduce((sum, message) => sum + this.#tokensOf(message) - this.#tokensOf(shrunkOf(message)), 0);
    if (freed < this.#room * freedShare) return 0;
    this.#shrunk = until;
    return freed;
  }
}

type Round = AnswerMessage & { readonly calls: readonly ToolCallCard[] };

function hasCalls(message: Message): message is Round {
  return message.role === "assistant" && message.calls !== undefined && message.calls.length > 0;
}

/** What is sent of the calls of an answer, by the limit of their results: a path is read at each change of the gauge. */
const cutCalls = new WeakMap<
  readonly ToolCallCard[],
  { readonly maxTokens: number; readonly calls: readonly ToolCallCard[] }
>();

function cutOf(round: Round, maxTokens: number): Round {
  const known = cutCalls.get(round.calls);
  const calls = known?.maxTokens === maxTokens ? known.calls : cutResults(round, maxTokens);
  cutCalls.set(round.calls, { maxTokens, calls });
  return { ...round, calls };
}

function cutResults({ id: answerId, calls }: Round, maxTokens: number): readonly ToolCallCard[] {
  return calls.map((call) => {
    const stored = { handle: handleOf(answerId, call.id), rows: call.whole?.rows };
    const result = call.result && sentResult(call.result, stored, partsOf(call), maxTokens);
    return result === undefined || result === call.result ? call : { ...call, result };
  });
}

/** Only a file has its picture. */
const shrunkPicture = "[This older picture is left out to save context. Read its file again to see it.]";

function shrunkOf(round: Round): Round {
  const calls = round.calls.map(({ pictures = [], ...call }) => {
    if (pictures.length > 0) return { ...call, result: shrunkPicture };
    const isLarge = (call.result ?? "").length >= minShrunkLength;
    return isLarge ? { ...call, result: shrunkResult(handleOf(round.id, call.id)) } : call;
  });
  return { ...round, calls };
}

/** Tools of a workspace run programs, too. */
function partsOf({ kind }: ToolCallCard): SentParts {
  return kind === "command" || kind === undefined ? "both ends" : "beginning";
}

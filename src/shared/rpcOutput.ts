import type { Explanation } from "./errorActions.ts";

/** What a run of an RPC cell is drawn from. Everything in it comes from a node: untrusted text and numbers. */
export const rpcOutputMime = "application/vnd.inference.rpc+json";

/** Whole numbers beyond 2^53 are bigint: `exactText` writes them and `parseExact` reads them. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** How a result is best shown. */
export type RpcResultView =
  | "quantity"
  | "wei"
  | "hash"
  | "address"
  | "data"
  | "boolean"
  | "string"
  | "number"
  | "felt"
  | "block"
  | "transaction"
  | "receipt"
  | "logs"
  | "feeHistory"
  | "trace"
  | "table"
  | "json"
  | "any";

/** One run of one cell, or what there is of it so far. */
export interface RpcOutput {
  readonly version: 1;
  /** Names this run in messages to the host. */
  readonly runId: string;
  /** Unix milliseconds at which it began. */
  readonly atMs: number;
  /** False while it is still going on. */
  readonly done: boolean;
  /** In the order the cell names them; several make a comparison. */
  readonly networks: readonly RpcNetwork[];
  /** Line after line as the cell has them; for a comparison all lines of the first network, then of the next. */
  readonly lines: readonly RpcLine[];
  /** What went over the wire, in its order. */
  readonly calls: readonly RpcCall[];
  readonly total: RpcTotal;
  /** Whether the sandbox answered: what it charges is made up. */
  readonly isPlayMoney?: true;
  /** The view that the cell asks for; undefined lets each line choose by its result. */
  readonly view?: "table" | "tree" | "json";
  readonly polling?: RpcPolling;
  /** Why the run ended before its time. */
  readonly problem?: Explanation;
}

export interface RpcNetwork {
  readonly slug: string;
  /** Whether money is real there. */
  readonly isMainnet: boolean;
  /** The symbol of its coin, `ETH`. */
  readonly coin: string;
}

export interface RpcLine {
  /** Tells the lines of a run apart. */
  readonly key: string;
  readonly network: string;
  /** Zero-based line in the cell. */
  readonly line: number;
  /** The line as it is written, cut to 200 characters. */
  readonly source: string;
  /** The name that its result was given. */
  readonly name?: string;
  readonly method: string;
  /** Place in `calls`; undefined where nothing was sent. */
  readonly call?: number;
  /** What it came to; the header states only the sum of a call. */
  readonly credits?: number;
  /** What is to be said beside the result, such as that it was looked up after a time-out. */
  readonly note?: string;
  readonly outcome: RpcOutcome;
  /** Paths of the result that differ from the run before, `number`, `logs[0].data`; undefined without one. */
  readonly changed?: readonly string[];
  /** The first of them, with what they held and hold: single values and short texts. */
  readonly changes?: readonly RpcChange[];
  /** What it came to in the run before, where that is one value that differs. */
  readonly was?: RpcResult;
}

/** More differences than that nobody looks through: there may be others. */
export const mostChanged = 200;

/** One difference to the run before; a side that has no such path is missing. */
export interface RpcChange {
  readonly path: string;
  readonly before?: Json;
  readonly now?: Json;
}

export type RpcOutcome =
  | RpcResult
  | RpcFailure
  /** Not asked yet, or not at all: why, in a sentence. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unsent"; readonly reason: string /** By the service. */; readonly refused?: true };

export interface RpcResult {
  readonly kind: "result";
  readonly view: RpcResultView;
  /** Cut where `cut` says so: lists lose their end, text its rest. */
  readonly value: Json;
  /** Of the whole result as JSON. */
  readonly bytes: number;
  readonly cut?: boolean;
  /** How long the lists and texts of it were before they were cut. */
  readonly whole?: readonly RpcWhole[];
  readonly decoded?: RpcDecoded;
}

/** A list or a text that was cut, by its place in the result: how many items, or characters, it had. */
export interface RpcWhole {
  readonly path: readonly (string | number)[];
  readonly length: number;
}

/** An error item inside an HTTP 200 (spec E3, billing rule 3). */
export interface RpcFailure {
  readonly kind: "error";
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
  /** What a contract said, where it could be read. */
  readonly revert?: RpcRevert;
}

export interface RpcRevert {
  /** `Error`, `Panic`, the name of a custom error, or its selector. */
  readonly name: string;
  /** In words, where there are any. */
  readonly reason?: string;
  readonly values: readonly RpcValue[];
}

/** Results read with the help of an ABI. Whole numbers of any size are decimal text. */
export type RpcDecoded =
  | { readonly kind: "values"; readonly values: readonly RpcValue[] }
  /** One for each log of the result, in its order; null for one that fits no known event. */
  | { readonly kind: "events"; readonly events: readonly (RpcEvent | null)[] }
  /** Calldata of a transaction or a trace, by its bytes. */
  | { readonly kind: "calls"; readonly calls: readonly RpcCalldata[] };

/** The function that bytes call, with its arguments. */
interface RpcCalldata extends RpcEvent {
  readonly input: string;
}

export interface RpcEvent {
  readonly name: string;
  readonly values: readonly RpcValue[];
}

export interface RpcValue {
  /** Empty where the signature names none. */
  readonly name: string;
  /** Solidity's name of the type. */
  readonly type: string;
  readonly value: string | readonly RpcValue[];
}

/** One HTTP request. */
export interface RpcCall {
  readonly network: string;
  readonly items: number;
  /** Milliseconds until the answer was read, resends included. */
  readonly ms: number;
  /** As the header states them; undefined where it did not. */
  readonly credits?: number;
  readonly usd?: number;
  readonly requestId?: string;
  /** Answered from the idempotency cache: not charged. */
  readonly replayed: boolean;
  /** Sends after the first. */
  readonly resends: number;
  readonly status?: number;
}

interface RpcTotal {
  /** Charged: replays count nothing. */
  readonly credits: number;
  readonly usd: number;
  /** What was foreseen, if every item had a result. */
  readonly estimatedCredits: number;
  readonly ms: number;
}

/** A cell with @every. Its lines are those of the newest round. */
export interface RpcPolling {
  readonly everyMs: number;
  /** Rounds so far, and at most. */
  readonly round: number;
  readonly rounds: number;
  readonly budgetCredits?: number;
  readonly ended?: "rounds" | "budget" | "stopped" | "problem";
  /** The last 100 rounds, oldest first. */
  readonly history: readonly RpcRound[];
}

interface RpcRound {
  readonly atMs: number;
  readonly credits: number;
  /** One short text for each line of the run, in their order. */
  readonly values: readonly string[];
}

/** What a view may ask of the host. */
export type RpcOutputMessage =
  /** The whole result in an editor. */
  | { readonly type: "openResult"; readonly runId: string; readonly key: string }
  /** This run beside the one before, as a diff. */
  | { readonly type: "compare"; readonly runId: string }
  | { readonly type: "errorAction"; readonly runId: string; readonly action: string };

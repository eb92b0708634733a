import type { Explanation } from "../../shared/errorActions.ts";
import type { RpcResultView } from "../../shared/rpc/resultView.ts";
import type { RpcCall, RpcPolling, RpcTotal } from "./rpcRun.ts";

/** The output of an RPC cell. All content comes from a node: untrusted text and numbers. */
export const rpcOutputMime = "application/vnd.inference.rpc+json";

/** Integers beyond 2^53 are bigint: `exactText` writes them and `parseExact` reads them. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** One run of one cell, complete or in progress. */
export interface RpcOutput {
  readonly version: 1;
  /** Identifies this run in messages to the host. */
  readonly runId: string;
  /** Unix time in milliseconds of its start. */
  readonly atMs: number;
  /** False while it is running. */
  readonly done: boolean;
  /** In the order of the cell. Several networks make a comparison. */
  readonly networks: readonly RpcNetwork[];
  /** In the order of the cell. A comparison has all lines of the first network, then those of the next. */
  readonly lines: readonly RpcLine[];
  /** In the order of `lines`; undefined without `expect` lines, and in outputs of earlier versions. */
  readonly expectations?: readonly RpcExpectation[];
  /** HTTP requests in the order of sending. */
  readonly calls: readonly RpcCall[];
  readonly total: RpcTotal;
  /** The first addresses of the results. Undefined without any, and in outputs of earlier versions. */
  readonly accounts?: readonly RpcAccount[];
  /** True if the sandbox answered: its charges are play money. */
  readonly isPlayMoney?: true;
  /** True if the account paid in DIEM: the prices are the same numbers. */
  readonly isDiem?: true;
  /** The view that the cell requests. If undefined, each line chooses by its result. */
  readonly view?: "table" | "tree" | "json";
  readonly polling?: RpcPolling;
  /** The reason that the run ended early. */
  readonly problem?: Explanation;
}

export interface RpcAccount {
  /** With its EIP-55 checksum. */
  readonly address: string;
  /** Its ENS name. */
  readonly name?: string;
}

/** The check of an `expect` line on one network. Texts are short. */
export interface RpcExpectation {
  readonly network: string;
  /** Zero-based line in the cell. */
  readonly line: number;
  /** The line as written, cut to 200 characters. */
  readonly source: string;
  /** `broken`: its operands can't be compared. `unchecked`: the run has not come to it. */
  readonly state: "passed" | "failed" | "broken" | "unchecked";
  readonly expected?: string;
  readonly actual?: string;
  /** The actual number minus the expected one, or the first character that differs. */
  readonly difference?: string;
  /** Why it is broken, or has no actual value. */
  readonly reason?: string;
}

export interface RpcNetwork {
  readonly slug: string;
  /** True if the network uses real money. */
  readonly isMainnet: boolean;
  /** The symbol of its native currency, `ETH`. */
  readonly coin: string;
}

export interface RpcLine {
  /** Identifies the line within the run. */
  readonly key: string;
  readonly network: string;
  /** Zero-based line in the cell. */
  readonly line: number;
  /** The line as written, cut to 200 characters. */
  readonly source: string;
  /** The name of its result. */
  readonly name?: string;
  readonly method: string;
  /** Index in `calls`; undefined if nothing was sent. */
  readonly call?: number;
  /** Its share of the charge. The header states only the sum of a call. */
  readonly credits?: number;
  /** A note to the result, such as a lookup after a timeout. */
  readonly note?: string;
  readonly outcome: RpcOutcome;
  /** True if an `expect error` line expects its error. */
  readonly isExpected?: true;
  /** True for a line of a simulation that needs a transaction, which was not sent. */
  readonly isLeftOut?: true;
  /** Paths of the result that differ from the previous run, `number`, `logs[0].data`; undefined if there was none. */
  readonly changed?: readonly string[];
  /** The first changes with old and new values: single values and short texts. */
  readonly changes?: readonly RpcChange[];
  /** The result of the previous run, if it is a single value that differs. */
  readonly was?: RpcResult;
  /** The effects of a write that was simulated instead of sent. */
  readonly simulation?: RpcSimulation;
}

/** A simulated transaction. Lists that the method can't tell are undefined; each has at most 100 entries. */
export interface RpcSimulation {
  /** `refused`: the node would not accept the transaction. */
  readonly status: "success" | "reverted" | "refused";
  /** The method that answered. The storage beside eth_simulateV1 is from debug_traceCall. */
  readonly method: "eth_simulateV1" | "a forked anvil" | "debug_traceCall" | "eth_call";
  /** The reason that no forked anvil was used, although there is an anvil. */
  readonly notForked?: string;
  /** Names and values of the transaction itself. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Decimal units of gas. */
  readonly gasUsed?: string;
  /** True if the gas is an upper estimate of eth_estimateGas. */
  readonly isGasEstimate?: true;
  readonly revert?: RpcRevert;
  /** The node's own words for a failure. */
  readonly message?: string;
  readonly logs?: readonly { readonly [name: string]: Json }[];
  /** One for each log, in order; null for an unknown event. */
  readonly events?: readonly (RpcEvent | null)[];
  /** In decimal wei, without the fee. */
  readonly balances?: readonly { readonly account: string; readonly change: string }[];
  readonly tokens?: readonly RpcTokenTransfer[];
  readonly storage?: readonly RpcStorageChange[];
  /** Parts that the method can't tell. */
  readonly unknown: readonly string[];
  /** Entries that are not listed, `20 more logs`. */
  readonly left?: readonly string[];
}

export interface RpcTokenTransfer {
  readonly token: string;
  readonly kind: "ERC-20" | "ERC-721";
  readonly from: string;
  readonly to: string;
  /** The decimal amount in the token's smallest unit, or the id. */
  readonly value: string;
  /** The amount in the unit of the token, `12.5 USDC`. */
  readonly amount?: string;
}

/** Words of 32 bytes in hex. */
export interface RpcStorageChange {
  readonly account: string;
  readonly slot: string;
  readonly before: string;
  readonly now: string;
}

/** Limit of the listed differences; there may be more. */
export const mostChanged = 200;

/** One difference from the previous run. A side without that path is absent. */
export interface RpcChange {
  readonly path: string;
  readonly before?: Json;
  readonly now?: Json;
}

export type RpcOutcome =
  | RpcResult
  | RpcFailure
  /** Not sent yet, or not sent at all for the given reason. */
  | { readonly kind: "waiting" }
  | { readonly kind: "unsent"; readonly reason: string /** By the service. */; readonly refused?: true };

export interface RpcResult {
  readonly kind: "result";
  readonly view: RpcResultView;
  /** If `cut` is true, lists and texts are truncated. */
  readonly value: Json;
  /** Size of the whole result as JSON. */
  readonly bytes: number;
  readonly cut?: boolean;
  /** Lengths of its lists and texts before truncation. */
  readonly whole?: readonly RpcWhole[];
  readonly decoded?: RpcDecoded;
  /**
   * The accounts that signed the first authorizations (EIP-7702) of the value, in the order of `authorizationsIn`, with
   * checksums; null if the signature is not valid. Undefined without any.
   */
  readonly authorities?: readonly (string | null)[];
}

/** A truncated list or text, by its path in the result, with its full number of items or characters. */
export interface RpcWhole {
  readonly path: readonly (string | number)[];
  readonly length: number;
}

/** An error item in a response with HTTP 200 (spec E3, billing rule 3). */
export interface RpcFailure {
  readonly kind: "error";
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
  /** The decoded revert of a contract. */
  readonly revert?: RpcRevert;
}

export interface RpcRevert {
  /** `Error`, `Panic`, the name of a custom error, or its selector. */
  readonly name: string;
  /** A description, if there is one. */
  readonly reason?: string;
  readonly values: readonly RpcValue[];
  /** As in `RpcEvent`. */
  readonly likely?: string;
}

/** Results that were decoded with an ABI. Integers of any size are decimal text. */
export type RpcDecoded =
  | { readonly kind: "values"; readonly values: readonly RpcValue[] }
  /** One for each log of the result, in order; null for a log of an unknown event. */
  | { readonly kind: "events"; readonly events: readonly (RpcEvent | null)[] }
  /** Calldata of a transaction or a trace and the errors of its failed calls, by their bytes. */
  | { readonly kind: "calls"; readonly calls: readonly RpcCalldata[] };

/** The function that calldata calls, with its arguments, or a custom error. */
interface RpcCalldata extends RpcEvent {
  readonly input: string;
}

export interface RpcEvent {
  readonly name: string;
  readonly values: readonly RpcValue[];
  /**
   * The signature, if it is only the likely one: its selector fits, but so may others. Then `values` is empty if the
   * bytes do not fit the signature.
   */
  readonly likely?: string;
}

export interface RpcValue {
  /** Empty if the signature has no name for it. */
  readonly name: string;
  /** The Solidity type. */
  readonly type: string;
  readonly value: string | readonly RpcValue[];
  /** The amount in the unit of its token, `12.5 USDC`. */
  readonly amount?: string;
}

import type { IncomingMessage } from "node:http";
import type { PastRows } from "./billing/ledger/ledger.ts";
import type { TextModel } from "./catalog/modelRecord.ts";
import type { Author } from "./chat/draft.ts";
import type { DocPage } from "./docs/pages.ts";
import type { ArrivedRequest } from "./http/answer.ts";
import type { Reply } from "./http/reply.ts";

/** What tests and benchmarks set in a sandbox. The extension passes none of it. */
export interface TestConditions {
  /** The ADMIN key; default a new one at each start. */
  readonly apiKey?: string;
  /** The beginning of the keys that are created; default that of a sandbox, by which the extension knows them. */
  readonly keyPrefix?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Unix time in milliseconds; default the system clock. Streams use real time. */
  readonly clock?: () => number;
  /** Seed for ids; default random. */
  readonly seed?: number;
  /** Balances of the account; default 25 USD and 10 DIEM a day. */
  readonly balances?: { readonly usd: number; readonly diemPerDay: number };
  /** Play money of each new wallet in USD; default 1. */
  readonly walletUsd?: number;
  /** `none` neither counts nor refuses; default: the limits of the spec. */
  readonly limits?: "none";
  /** Serves rows with two spellings of their path at the other one (spec E11). */
  readonly otherPaths?: boolean;
  /** The documentation for the guide, in place of the folder of the options. */
  readonly pages?: readonly DocPage[];
  /** Uses real EVM nodes if anvil is found; else chains are simulated; default true. */
  readonly nodes?: boolean;
  /** Path of anvil; default the one that is found. */
  readonly nodeProgram?: string;
  /** Name or path of espeak-ng, or null for tones; default `espeak-ng`. */
  readonly speechProgram?: string | null;
  /** Time limit for a server of models to list them, in milliseconds; default 1000. */
  readonly modelProbeMs?: number;
}

/** Additions of tests and benchmarks to a sandbox (`test/serviceKit`). The extension passes none of them. */
export interface SandboxHooks extends TestConditions {
  /** Chat models besides the sandbox's own. */
  readonly models?: readonly TextModel[];
  /** Writers of answers, by model id. They take precedence over the sandbox's own. */
  readonly authors?: Readonly<Record<string, Author>>;
  /** Entries that the billing ledger starts with. */
  readonly past?: PastRows;
  /** Called for each request as soon as its headers are here. */
  readonly onRequest?: (message: IncomingMessage) => ExchangeHook;
}

/** Follows one request to the end of its reply. */
export interface ExchangeHook {
  /** Returns the reply to send. `serve` makes the sandbox's own. A rejection cuts the connection. */
  answer(request: ArrivedRequest, serve: (request: ArrivedRequest) => Promise<Reply>): Promise<Reply>;
  /** The exchange is over; only the first call counts. `aborted`: the client closed the connection first. */
  ended(aborted: boolean): void;
}

import type { DialectId } from "../api/dialect/dialect.ts";
import type { LineJournal } from "./accountJournal.ts";
import type { PriceTier } from "./catalog/modelRecord.ts";
import type { DocPage } from "./docs/pages.ts";

export interface SandboxOptions {
  /** Default `standard`. */
  readonly dialect?: DialectId;
  /** Speed of chat models; default 80, Infinity for no limit. */
  readonly tokensPerSecond?: number;
  /** The ADMIN key; default a new one at each start. */
  readonly apiKey?: string;
  /** The documentation for the guide: pages, or a folder of markdown files. */
  readonly docs?: readonly DocPage[] | string;
  /** Name or path of espeak-ng, or null for tones; default `espeak-ng`. */
  readonly speechProgram?: string | null;
  /** Addresses of OpenAI-compatible servers on this machine, whose text models are listed too; default none. */
  readonly modelServers?: readonly string[];
  /** Time limit for such a server to list its models, in milliseconds; default 1000. */
  readonly modelProbeMs?: number;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Unix time in milliseconds; default the system clock. Streams use real time. */
  readonly clock?: () => number;
  /** Seed for ids; default random. */
  readonly seed?: number;
  /** Balances of the account; default 25 USD and 10 DIEM a day. */
  readonly balances?: { readonly usd: number; readonly diemPerDay: number };
  /** Stores keys and bill between starts; default none. */
  readonly journal?: LineJournal;
  /** Starts a new journal with the bill of an example month; default false. */
  readonly exampleMonth?: boolean;
  /** Serves rows with two spellings of their path at the other one (spec E11). */
  readonly otherPaths?: boolean;
  /** Uses real EVM nodes if anvil is found; else chains are simulated; default true. */
  readonly nodes?: boolean;
  /** Path of anvil; default the one that is found. */
  readonly nodeProgram?: string;
  /**
   * Rate limits by tier of the spec, default `default`; `partner` includes the chain proxy's staff tier; `none`
   * neither counts nor refuses.
   */
  readonly limits?: PriceTier | "none";
}

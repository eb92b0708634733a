import type { DialectId } from "../api/dialect.ts";
import type { LineJournal } from "./accountJournal.ts";
import type { PriceTier } from "./catalog/modelRecord.ts";
import type { DocPage } from "./docs/pages.ts";

export interface SandboxOptions {
  /** Default `standard`. */
  readonly dialect?: DialectId;
  /** How fast chat models write; default 80, Infinity for as fast as it is read. */
  readonly tokensPerSecond?: number;
  /** The key that may call everything; default a new one at each start. */
  readonly apiKey?: string;
  /** What the guide answers from: pages, or a folder of markdown files. */
  readonly docs?: readonly DocPage[] | string;
  /** Folders whose files are found by web search, beside the docs. */
  readonly searchFolders?: readonly string[];
  /** espeak-ng's name or path, or null to speak in tones; default `espeak-ng`. */
  readonly speechProgram?: string | null;
  /** Addresses of OpenAI-compatible servers on this machine whose text models are offered too; default none. */
  readonly modelServers?: readonly string[];
  /** How long such a server may take to list its models, in milliseconds; default 1000. */
  readonly modelProbeMs?: number;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Unix time in milliseconds; default the system's. Streams are paced by real time. */
  readonly clock?: () => number;
  /** Makes ids the same at each start. */
  readonly seed?: number;
  /** What the account has to spend; default 25 USD and 10 DIEM a day. */
  readonly balances?: { readonly usd: number; readonly diemPerDay: number };
  /** Keeps keys and bill between starts; default: nothing is kept. */
  readonly journal?: LineJournal;
  /** Begins a new journal with the bill of an example month; default false. */
  readonly exampleMonth?: boolean;
  /** Serves rows whose path has two spellings under the other one (spec E11). */
  readonly otherPaths?: boolean;
  /** Whether chains are real nodes where a program for them is found, or always the small stand-in; default true. */
  readonly nodes?: boolean;
  /** Path of the program that nodes are, in place of the one that is found. */
  readonly nodeProgram?: string;
  /**
   * Rate limits of the spec's tiers, default `default`; `partner` has the chain proxy's staff tier too; `none`
   * neither counts nor refuses.
   */
  readonly limits?: PriceTier | "none";
}

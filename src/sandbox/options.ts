import type { DialectId } from "../api/dialect/dialect.ts";
import type { LineJournal } from "./state/accountJournal.ts";

/** What a user can reach: by settings, or as the extension starts its sandbox. */
export interface SandboxOptions {
  /** Default `standard`. */
  readonly dialect?: DialectId;
  /** Speed of chat models; default 80, Infinity for no limit. */
  readonly tokensPerSecond?: number;
  /** The documentation for the guide: a folder of markdown files; default none. */
  readonly docs?: string;
  /** Addresses of OpenAI-compatible servers on this machine, whose text models are listed too; default none. */
  readonly modelServers?: readonly string[];
  /** Stores keys and bill between starts; default none. */
  readonly journal?: LineJournal;
  /** Starts a new journal with the bill of an example month; default false. */
  readonly exampleMonth?: boolean;
}

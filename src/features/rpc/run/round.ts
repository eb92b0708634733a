import type { RpcCall } from "../../../shared/rpcOutput.ts";
import type { Evm } from "../evm/evm.ts";
import type { Decoding } from "../language/lowerRequest.ts";
import type { Project } from "../language/project.ts";
import type { CellPlan, Values } from "../plan/plan.ts";
import type { LineOutcome } from "./outcome.ts";
import type { Sender } from "./sender.ts";
import type { SentTransactions } from "./sentTransactions.ts";
import type { WriteQuestion } from "./transactionGuard.ts";

export interface RoundDeps {
  readonly sender: Sender;
  /** Loads the library for Ethereum's encodings. */
  readonly loadEvm: () => Promise<Evm>;
  readonly values: Values;
  readonly sentTransactions: SentTransactions;
  /** Whether what changes a chain may leave. */
  readonly consent: (question: WriteQuestion) => Promise<boolean>;
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** One line of a round, as far as it has come. */
export interface LineState {
  readonly outcome: LineOutcome;
  readonly decoding?: Decoding;
  /** Place among the round's calls. */
  readonly call?: number;
  readonly credits?: number;
  readonly note?: string;
}

/** All that a cell asked one network, once. */
export interface Round {
  readonly network: string;
  readonly lines: LineState[];
  readonly calls: RpcCall[];
}

export interface RoundTask {
  readonly project: Project;
  readonly cell: number;
  readonly plan: CellPlan;
  readonly network: string;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

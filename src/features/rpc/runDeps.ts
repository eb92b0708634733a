import type { EventEmitter, NotebookCell, NotebookController, NotebookDocument } from "vscode";
import type { RpcOutput } from "../../shared/rpcOutput.ts";
import type { EvmLoader } from "./evmLoader.ts";
import type { CreditPrice } from "./money.ts";
import type { OfferedNetworks } from "./offeredNetworks.ts";
import type { Values } from "./plan/plan.ts";
import type { Projects } from "./projects.ts";
import type { RpcDeps } from "./register.ts";
import type { History } from "./run/history.ts";
import type { createSentTransactions } from "./run/round.ts";
import type { Sender } from "./run/senders.ts";

/** A run of a cell that has ended. */
export interface EndedRun {
  readonly cell: NotebookCell;
  /** Undefined where it could not be drawn. */
  readonly output: RpcOutput | undefined;
}

/** What the runs of all notebooks share. */
export interface RunDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly offered: OfferedNetworks;
  readonly controller: NotebookController;
  /** The name under which a notebook's calls are in the session's ledger. */
  readonly callerOf: (notebook: NotebookDocument) => string;
  readonly values: (notebook: NotebookDocument) => Values;
  readonly history: History;
  readonly didRun: EventEmitter<EndedRun>;
  readonly sender: Sender;
  readonly price: CreditPrice;
  readonly sentTransactions: ReturnType<typeof createSentTransactions>;
  /** Of the newest execution. */
  readonly order: { last: number };
}
